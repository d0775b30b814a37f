// Clock of an open flight, updated each second until the landing, with the button to discard it; for one that is open
// for days, a sentence.
import { type ReactNode, useEffect, useState } from "react";
import type { Flight } from "../../api/generated/Flight";
import type { Moment } from "../../lib/clock";
import { minutesSinceStart } from "../../lib/flightClock";
import { flights } from "../../texts";
import { deferred } from "../deferred";
import { WaitingMark } from "../WaitingMark";
import styles from "./RunningClock.module.css";
import { runningTime } from "./runningTime";

const dayMinutes = 24 * 60;

const DiscardFlight = deferred(async () => (await import("./DiscardFlight")).DiscardFlight);

/** `what`: shown over the clock. `onDiscarded`: called after the deletion. */
export function RunningClock({
  flight,
  what,
  stoppedAt = null,
  onDiscarded,
}: {
  flight: Flight;
  what?: ReactNode;
  stoppedAt?: Moment | null;
  onDiscarded?: () => void;
}) {
  const minutes = minutesSinceStart(flight) ?? 0;
  return (
    <>
      {what}
      <div className={styles.row}>
        <p className={styles.since}>
          {minutes < dayMinutes ? (
            <Clock flight={flight} stoppedAt={stoppedAt} />
          ) : (
            <strong>{flights.runningFor(minutes)}</strong>
          )}
          <span className="quiet">
            {[flights.since(flight.startTime.slice(-5)), flight.location]
              .filter((text) => text !== "")
              .join(" · ")}
          </span>
          <WaitingMark of={flight.dpfId} />
        </p>
        <DiscardFlight flight={flight} onDone={onDiscarded} />
      </div>
    </>
  );
}

function Clock({ flight, stoppedAt }: { flight: Flight; stoppedAt: Moment | null }) {
  const [time, setTime] = useState(() => runningTime(flight, stoppedAt ?? undefined));
  useEffect(() => {
    const follow = () => setTime(runningTime(flight, stoppedAt ?? undefined));
    follow();
    if (stoppedAt !== null) return;
    const timer = setInterval(follow, 1_000);
    return () => clearInterval(timer);
  }, [flight, stoppedAt]);
  // The start is in the future: one of the clocks is wrong.
  if (time === "") return <strong>{flights.running}</strong>;
  return (
    <strong className={styles.clock} role="timer" aria-label={flights.running}>
      {time}
    </strong>
  );
}
