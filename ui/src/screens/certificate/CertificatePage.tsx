// "HTTPS im eigenen Netz": how a device comes to trust this server's certificate. Needs no login, because a new phone
// has none yet.
import { useState } from "react";
import { authorityUrl, isTrusted, secureUrl, useFingerprint } from "../../api/certificate";
import { Button, buttonClass } from "../../components/Button";
import { Disclosure } from "../../components/Disclosure";
import { Page } from "../../components/Page";
import { InfoNote, QueryView, Skeleton } from "../../components/states";
import styles from "./CertificatePage.module.css";
import { certificate as texts } from "./texts";

export function CertificatePage() {
  const query = useFingerprint();
  const isSecure = window.location.protocol === "https:" && window.isSecureContext;
  return (
    <Page title={texts.title} isNarrow>
      <div className="stack">
        {isSecure && <InfoNote icon="success">{texts.trusted}</InfoNote>}
        <p>{texts.why}</p>
        <QueryView query={query} failure={texts.failed} skeleton={<Skeleton count={2} height={8} />}>
          {(fingerprint) =>
            fingerprint ? <Steps fingerprint={fingerprint} isSecure={isSecure} /> : <None />
          }
        </QueryView>
      </div>
    </Page>
  );
}

function None() {
  return (
    <>
      <p>{texts.none}</p>
      <p className={styles.code}>
        <code>{texts.command}</code>
      </p>
    </>
  );
}

function Steps({ fingerprint, isSecure }: { fingerprint: string; isSecure: boolean }) {
  const own = texts.systems.find(({ agent }) => agent.test(navigator.userAgent));
  const systems = own ? [own, ...texts.systems.filter((system) => system !== own)] : texts.systems;
  return (
    <>
      <h2>{texts.loadTitle}</h2>
      <p className="quiet">{texts.limited}</p>
      <p>
        <a className={buttonClass(isSecure ? "secondary" : "primary", true)} href={authorityUrl} download>
          {texts.load}
        </a>
      </p>
      <dl className={styles.fingerprint}>
        <dt>{texts.fingerprint}</dt>
        <dd>
          <code>{fingerprint}</code>
        </dd>
        <dd className="quiet">{texts.compare}</dd>
      </dl>
      <h2>{texts.trustTitle}</h2>
      <div>
        {systems.map((system) => (
          <Disclosure key={system.name} title={system.name} level={3} isOpenAtFirst={system === own}>
            <ol className={styles.steps}>
              {system.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </Disclosure>
        ))}
      </div>
      {!isSecure && <Check />}
    </>
  );
}

function Check() {
  const [found, setFound] = useState<boolean | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function check() {
    setBusy(true);
    setFound(await isTrusted());
    setBusy(false);
  }
  return (
    <>
      <h2>{texts.checkTitle}</h2>
      <p>
        <Button icon="success" isBusy={isBusy} onPress={check}>
          {texts.check}
        </Button>
      </p>
      {found === true && (
        <>
          <InfoNote icon="success">{texts.trusted}</InfoNote>
          <p>
            <a className={buttonClass("primary", true)} href={secureUrl}>
              {texts.open}
            </a>
          </p>
          <p className="quiet">{texts.loginOnce}</p>
        </>
      )}
      {found === false && <InfoNote icon="warning">{texts.notTrusted}</InfoNote>}
    </>
  );
}
