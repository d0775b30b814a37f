// The proofs as cards with their end in large letters, for showing them with and without network. The address may name
// the one that is shown.
import { Link, useNavigate, useParams } from "react-router";
import type { Proof } from "../../api/generated/Proof";
import { isCurrent, useProofs } from "../../api/proofs";
import { useIsRemembered } from "../../api/session";
import { ButtonLink } from "../../components/Button";
import { Disclosure } from "../../components/Disclosure";
import { Page, useGoBack } from "../../components/Page";
import { colorOf, endOf } from "../../components/proofs/ProofEnd";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { wallClock } from "../../lib/dates";
import { urls } from "../../urls";
import { ProofScreen } from "./ProofScreen";
import styles from "./Proofs.module.css";
import { proofs as texts } from "./texts";
import { asOfToday } from "./today";
import { useKeptPictures } from "./useKeptPictures";

export function ProofsPage() {
  const { dpfId } = useParams();
  const query = useProofs();
  const goBack = useGoBack(urls.home);
  const close = useGoBack(urls.proofs);
  const navigate = useNavigate();
  const answeredAt = new Date(query.dataUpdatedAt);
  const readable = query.data?.filter((proof) => proof.damaged !== true);
  const readyPicture = useKeptPictures(readable ?? []);
  const shown = readable?.find((proof) => proof.dpfId === dpfId);
  return (
    <Page
      title={texts.title}
      onBack={goBack}
      isShort
      actions={<ButtonLink to={urls.documents}>{texts.toDocuments}</ButtonLink>}
    >
      <QueryView query={query} failure={texts.failed} skeleton={<Skeleton count={3} height={8} />}>
        {(list) => <Lists list={list} answeredAt={answeredAt} />}
      </QueryView>
      {!query.isPending && <OfflineHint />}
      {readable && shown && (
        <ProofScreen
          proofs={readable}
          shown={shown}
          answeredAt={answeredAt}
          readyPicture={readyPicture}
          onTurn={(proof) => navigate(urls.proof(proof.dpfId), { replace: true })}
          onClose={close}
        />
      )}
    </Page>
  );
}

function Lists({ list, answeredAt }: { list: Proof[]; answeredAt: Date }) {
  if (list.length === 0) return <EmptyState icon="documents">{texts.empty}</EmptyState>;
  const replaced = list.filter((proof) => !isCurrent(proof));
  return (
    <>
      <Cards title={texts.title} list={list.filter(isCurrent)} answeredAt={answeredAt} />
      {replaced.length > 0 && (
        <Disclosure title={texts.archived} icon="history" note={String(replaced.length)}>
          <Cards title={texts.archived} list={replaced} answeredAt={answeredAt} />
        </Disclosure>
      )}
    </>
  );
}

function Cards({ title, list, answeredAt }: { title: string; list: Proof[]; answeredAt: Date }) {
  return (
    <ul className={styles.list} aria-label={title}>
      {list.map((proof) => (
        <li key={proof.dpfId}>
          <Card proof={proof} answeredAt={answeredAt} />
        </li>
      ))}
    </ul>
  );
}

function Card({ proof, answeredAt }: { proof: Proof; answeredAt: Date }) {
  const { dpfId, kindLongName, kindName, number, description, name } = proof;
  const today = wallClock();
  const { light, sentence } = asOfToday(proof, wallClock(answeredAt), today);
  const color = isCurrent(proof) ? colorOf(light) : {};
  if (proof.damaged === true) {
    return (
      <div className={`card ${styles.card}`} data-light={light}>
        <h2 className={styles.name}>{description || name || kindLongName}</h2>
        <p style={color}>{sentence}</p>
      </div>
    );
  }
  return (
    <div className={`card ${styles.card}`} data-light={isCurrent(proof) ? light : "grey"}>
      <h2 className={styles.name}>
        <Link to={urls.proof(dpfId)}>{kindLongName}</Link>
      </h2>
      <p className={styles.end}>{endOf(proof)}</p>
      {sentence !== "" && !proof.endless && <p style={color}>{sentence}</p>}
      {number !== "" && <p>{number}</p>}
      {description !== "" && description !== kindLongName && <p className="quiet">{description}</p>}
      {isCurrent(proof) && proof.until !== "" && (
        <Link className={styles.renew} to={urls.renewedProof(dpfId)} aria-label={texts.renewOf(kindName)}>
          {texts.renew}
        </Link>
      )}
    </div>
  );
}

/** Why the proofs aren't kept on this device. */
function OfflineHint() {
  const isRemembered = useIsRemembered();
  const canKeep = "serviceWorker" in navigator;
  if (canKeep && isRemembered) return null;
  return <p className={`quiet ${styles.hint}`}>{canKeep ? texts.offlineHint : texts.insecureHint}</p>;
}
