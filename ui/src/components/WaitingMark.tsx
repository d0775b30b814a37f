// Marks what is queued on this device.
import { useQueueState } from "../offline/queueState";
import { waitingLine } from "../texts";
import { Icon } from "./Icon";
import styles from "./WaitingMark.module.css";

export function WaitingBadge({ text }: { text: string }) {
  return (
    <span className={styles.badge}>
      <Icon name="clock" size={14} />
      {text}
    </span>
  );
}

/** Shown if a write about this flight, item or log is queued, alone or with others. */
export function WaitingMark({ of }: { of: string }) {
  const { entries } = useQueueState();
  const isWaiting = entries.some(({ subject, object }) => subject.includes(of) || object === of);
  return isWaiting && <WaitingBadge text={waitingLine.mark} />;
}
