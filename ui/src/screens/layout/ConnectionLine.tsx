// The line below the header: no connection, or writes waiting on this device. Links to the list of these writes.
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { useReachability } from "../../api/reachability";
import { useSnapshotTime } from "../../api/session";
import { buttonClass } from "../../components/Button";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { formatDate, formatDateTime, shortTime, wallClock } from "../../lib/dates";
import { useQueueState } from "../../offline/queueState";
import { general, waitingLine } from "../../texts";
import { networkUrl, urls } from "../../urls";
import styles from "./Layout.module.css";

const sentMs = 3_000;

export function ConnectionLine({ isLoggedIn }: { isLoggedIn: boolean }) {
  const reachability = useReachability();
  const { entries, isSending } = useQueueState();
  const wasSent = useJustSent(entries.length);
  const knownAt = useSnapshotTime();
  const waits = entries.length === 0 ? [] : [waitingLine.waiting(entries.length)];
  if (reachability === "intercepted") return <Intercepted detail={isLoggedIn ? waits.join() : ""} />;
  if (!isLoggedIn) return reachability === "unreachable" && <NotConnected />;
  const stuck = entries.filter(({ state }) => state === "stuck").length;
  if (stuck > 0) return <Line icon="warning" text={waitingLine.stuck(stuck)} isUrgent />;
  if (reachability === "unreachable") {
    const known = knownAt === null ? [] : [waitingLine.knownAt(timeOf(knownAt))];
    return <Line icon="offline" text={waitingLine.offline} detail={[...known, ...waits].join(" · ")} />;
  }
  if (isSending) return <Line icon="retry" text={waitingLine.sending} />;
  if (entries.length > 0) return <Line icon="clock" text={waitingLine.waiting(entries.length)} />;
  return wasSent && <Line icon="check" text={waitingLine.sent} />;
}

/** Formats "14:05", with the date unless it is today. */
function timeOf(at: number): string {
  return shortTime(formatDateTime(wallClock(new Date(at))), formatDate(wallClock()));
}

function NotConnected() {
  return (
    <div className={styles.banner} role="status">
      <Icon name="offline" />
      <p>
        <strong>{general.notConnected}</strong> {general.notConnectedHint}
      </p>
    </div>
  );
}

function Intercepted({ detail }: { detail: string }) {
  return (
    <div className={styles.banner} role="status">
      <Icon name="offline" />
      <p>
        {waitingLine.intercepted} {detail}
      </p>
      <a className={buttonClass("secondary")} href={networkUrl}>
        {waitingLine.openInterceptor}
      </a>
    </div>
  );
}

function Line({
  icon,
  text,
  detail = "",
  isUrgent = false,
}: {
  icon: IconName;
  text: string;
  detail?: string;
  isUrgent?: boolean;
}) {
  return (
    <div className={isUrgent ? styles.banner : `${styles.banner} ${styles.calm}`} role="status">
      <Link className={styles.line} to={urls.waiting}>
        <Icon name={icon} />
        {text}
        {detail !== "" && <span className="quiet">{detail}</span>}
      </Link>
    </div>
  );
}

/** Whether the last queued write was sent a moment ago. */
function useJustSent(count: number): boolean {
  const [before, setBefore] = useState(count);
  const [isShown, setShown] = useState(false);
  if (before !== count) {
    setBefore(count);
    setShown(count === 0);
  }
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => setShown(false), sentMs);
    return () => clearTimeout(timer);
  }, [isShown]);
  return isShown;
}
