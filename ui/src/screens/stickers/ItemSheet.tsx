// The sheet of an item, opened by its sticker or number, with the actions on it. The outcome fills the screen, and can
// be undone for a while.
import { useState } from "react";
import { Link } from "react-router";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { useCachedUser } from "../../api/session";
import { mayUse } from "../../api/spaces";
import { ButtonLink } from "../../components/Button";
import { NewLogDialog } from "../../components/logs/LogDialog";
import { PackCell, PackWord } from "../../components/PackState";
import { Page, useGoBack } from "../../components/Page";
import { InUse } from "../../components/spaces/InUse";
import { SpaceMark } from "../../components/spaces/SpaceMark";
import { ErrorNote, InfoNote } from "../../components/states";
import { WaitingMark } from "../../components/WaitingMark";
import { formatQuantity } from "../../lib/numbers";
import { home } from "../../texts";
import { urls } from "../../urls";
import { ActionButton } from "./ActionButton";
import { CopterActions } from "./CopterActions";
import styles from "./ItemSheet.module.css";
import { type Outcome, OutcomePage } from "./OutcomePage";
import { PackActions } from "./PackActions";
import { stickers as texts } from "./texts";

export function ItemSheet({ item }: { item: Equipment }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  const goBack = useGoBack(urls.home);
  const openFlight = useCachedUser()?.openFlight ?? null;
  if (outcome) return <OutcomePage outcome={outcome} onUndone={() => setOutcome(null)} />;
  const isRetired = item.deactivateTime !== "";
  // In the flight of another member it can't be finished here.
  const isOthers = item.inUse !== undefined && !item.inUse.mine;
  const isFlying =
    !isOthers && (item.state === "flying" || (item.type === Kind.Copter && openFlight !== null));
  const isFree = mayUse(item) && !isRetired && !isFlying && !isOthers;
  const log = (
    <ActionButton
      icon="log-add"
      title={texts.log}
      isMain={item.type !== Kind.Battery && item.type !== Kind.Copter}
      onPress={() => setWriting(true)}
    />
  );
  return (
    <Page title={item.name} onBack={goBack} isNarrow>
      <Head item={item} />
      <InUse item={item} />
      {isRetired && <InfoNote>{texts.retired}</InfoNote>}
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <div className={styles.actions}>
        {isFlying && (
          <ButtonLink to={urls.finishOpenFlight} variant="running" icon="finish" isLarge>
            {home.finishFlight}
          </ButtonLink>
        )}
        {item.type === Kind.Battery && isFree && (
          <PackActions pack={item} onOutcome={setOutcome} onFailure={setFailure} />
        )}
        {item.type === Kind.Copter && isFree && <CopterActions copter={item} onFailure={setFailure} />}
        {mayUse(item) && log}
      </div>
      <Link className={styles.more} to={urls.item(item.type, item.dpfId)}>
        {item.type === Kind.Battery ? texts.passport : texts.page}
      </Link>
      <NewLogDialog
        subject={{ kind: "equipment", dpfId: item.dpfId }}
        about={item.model || item.name}
        isOpen={isWriting}
        onClose={() => setWriting(false)}
      />
    </Page>
  );
}

function Head({ item }: { item: Equipment }) {
  const isPack = item.type === Kind.Battery;
  const about = [item.model, isPack ? texts.charges(item.chargeCount) : ""].filter((text) => text !== "");
  return (
    <div className={`card ${styles.head}`}>
      {item.number !== null && (
        <span className={styles.number}>
          <span className="visually-hidden">{texts.number(item.number)}</span>
          <span aria-hidden="true">{item.number}</span>
        </span>
      )}
      <p className={`quiet ${styles.about}`}>
        <SpaceMark item={item} /> {about.join(" · ")} <WaitingMark of={item.dpfId} />
      </p>
      {isPack && (
        <p className={styles.state}>
          <PackCell state={item.state} />
          <span>
            <PackWord state={item.state} />
            {item.stateVoltage !== null && (
              <span className="quiet">{formatQuantity(item.stateVoltage, "V")}</span>
            )}
          </span>
        </p>
      )}
    </div>
  );
}
