// The outcome of an action, readable from a metre away, with undo.
import { useEffect, useState } from "react";
import type { PackState } from "../../api/generated/PackState";
import { Button, ButtonLink } from "../../components/Button";
import { PackCell } from "../../components/PackState";
import { Page } from "../../components/Page";
import { ErrorNote, errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
import { WaitingMark } from "../../components/WaitingMark";
import { urls } from "../../urls";
import styles from "./OutcomePage.module.css";
import { stickers as texts } from "./texts";
import { undoMs } from "./undo";

export type Outcome = {
  title: string;
  text: string;
  state: PackState;
  /** dpfId of the item that was acted on. */
  item: string;
  undo: () => Promise<unknown>;
};

export function OutcomePage({ outcome, onUndone }: { outcome: Outcome; onUndone: () => void }) {
  const seconds = useCountdown(undoMs);
  const [failure, setFailure] = useState<string | null>(null);
  async function undo() {
    setFailure(null);
    try {
      await outcome.undo();
      showToast(texts.undone);
      onUndone();
    } catch (error) {
      setFailure(errorText(error, texts.undoFailed));
    }
  }
  return (
    <Page title={outcome.title} heading={<span className="visually-hidden">{outcome.title}</span>} isNarrow>
      <div className={styles.done} role="status">
        <span className={styles.cell}>
          <PackCell state={outcome.state} />
        </span>
        <strong className={styles.title}>{outcome.title}</strong>
        <p className="quiet">{outcome.text}</p>
        <WaitingMark of={outcome.item} />
      </div>
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <div className={styles.ways}>
        {seconds > 0 && (
          <Button isLarge onPress={undo}>
            {texts.undo} <span className={styles.left}>{texts.secondsLeft(seconds)}</span>
          </Button>
        )}
        <ButtonLink to={urls.numberPad}>{texts.nextNumber}</ButtonLink>
        <ButtonLink to={urls.home}>{texts.home}</ButtonLink>
      </div>
    </Page>
  );
}

/** Returns the whole seconds left; 0 at the end. */
function useCountdown(ms: number): number {
  const [end] = useState(() => Date.now() + ms);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= end) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [end]);
  return Math.max(0, Math.ceil((end - now) / 1000));
}
