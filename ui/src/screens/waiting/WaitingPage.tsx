// "Noch nicht übertragen": writes that wait on this device for the network, first those that need the pilot's decision.
import { useState } from "react";
import { currentOutbox } from "../../api/perform";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { Icon } from "../../components/Icon";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { EmptyState, InfoNote, Skeleton } from "../../components/states";
import { WaitingBadge } from "../../components/WaitingMark";
import { clockErrorMinutes, isDeviceWrong } from "../../lib/clock";
import { formatClock } from "../../lib/dates";
import { isEvictedByIos } from "../../lib/installed";
import { removed } from "../../offline/queue";
import type { QueuedWrite } from "../../offline/queuedWrites";
import { useQueueState } from "../../offline/queueState";
import { waitingLine } from "../../texts";
import { urls } from "../../urls";
import { EditLink } from "./EditLink";
import { StuckWrite } from "./StuckWrite";
import { waiting as texts } from "./texts";
import { detailOf, iconOf, titleOf } from "./titles";
import styles from "./WaitingPage.module.css";

export function WaitingPage() {
  const { entries, isLoaded } = useQueueState();
  const goBack = useGoBack(urls.home);
  const [discarding, setDiscarding] = useState<QueuedWrite | null>(null);
  const [isAsking, setAsking] = useState(false);
  const wrong = clockErrorMinutes();
  const stuck = entries.filter(({ state }) => state === "stuck");
  const others = entries.filter(({ state }) => state !== "stuck");
  function ask(entry: QueuedWrite) {
    setDiscarding(entry);
    setAsking(true);
  }
  async function discard() {
    const queue = await currentOutbox();
    if (discarding) await queue?.change((all) => removed(all, discarding));
  }
  return (
    <Page title={texts.title} onBack={goBack} isNarrow>
      {!isLoaded && <Skeleton count={2} height={5} />}
      {isLoaded && entries.length === 0 && <EmptyState icon="success">{texts.nothing}</EmptyState>}
      {entries.length > 0 && <p className="quiet">{texts.safe}</p>}
      {entries.length > 0 && isEvictedByIos() && <InfoNote icon="warning">{texts.forgottenByIos}</InfoNote>}
      {wrong !== 0 && (
        <InfoNote icon="clock">{isDeviceWrong() ? texts.wrongClock(wrong) : texts.wrongServerClock}</InfoNote>
      )}
      {stuck.map((entry) => (
        <StuckWrite key={entry.seq} entry={entry} onDiscard={() => ask(entry)} />
      ))}
      {others.length > 0 && <QueuedList entries={others} onDiscard={ask} />}
      {others.length > 0 && (
        <ActionBar>
          <Button
            variant="primary"
            icon="retry"
            isLarge
            onPress={async () => (await currentOutbox())?.retryNow()}
          >
            {texts.sendNow}
          </Button>
        </ActionBar>
      )}
      <ConfirmDialog
        question={texts.discardQuestion}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={discard}
        isDangerous
      >
        <p>{texts.discardWarning}</p>
      </ConfirmDialog>
    </Page>
  );
}

function QueuedList({
  entries,
  onDiscard,
}: {
  entries: QueuedWrite[];
  onDiscard: (entry: QueuedWrite) => void;
}) {
  const oldest = Math.min(...entries.map(({ madeAt }) => madeAt));
  return (
    <>
      <section className={`card ${styles.frame}`} aria-labelledby="waiting-title">
        <div className={styles.head}>
          <h2 id="waiting-title">{waitingLine.waiting(entries.length)}</h2>
          <span className="quiet">{texts.since(formatClock(new Date(oldest)))}</span>
        </div>
        <ul>
          {entries.map((entry) => (
            <li key={entry.seq} className={styles.entry}>
              <Icon name={iconOf(entry)} size={24} />
              <div className={styles.what}>
                <strong>{titleOf(entry)}</strong>
                <span className="quiet">{detailOf(entry)}</span>
              </div>
              <WaitingBadge text={texts.states[entry.state]} />
              {entry.state === "waiting" && (
                <div className={styles.actions}>
                  <Button variant="quiet" onPress={() => onDiscard(entry)}>
                    {texts.discard}
                    <span className="visually-hidden"> {titleOf(entry)}</span>
                  </Button>
                  <EditLink entry={entry} isQuiet />
                </div>
              )}
            </li>
          ))}
        </ul>
      </section>
      <p className="quiet">{texts.byItself}</p>
      {entries.some(({ pictures }) => pictures) && <InfoNote icon="photo-camera">{texts.images}</InfoNote>}
    </>
  );
}
