// The clock of an open flight, which follows the second, and beside it the way to discard it; one that is open for days
// says that instead.
import { type ReactNode, useEffect, useState } from "react";
import type { Flight } from "../../api/generated/Flight";
import { minutesBetween, parseDateTime, wallClock } from "../../lib/dates";
import { flights } from "../../texts";
import { deferred } from "../deferred";
import { WaitingMark } from "../WaitingMark";
import styles from "./RunningClock.module.css";
import { runningTime } from "./runningTime";

const dayMinutes = 24 * 60;

const DiscardFlight = deferred(async () => (await import("./DiscardFlight")).DiscardFlight);

/** `what`: over the clock. `onDiscarded`: after it was deleted. */
export function RunningClock({
  flight,
  what,
  onDiscarded,
}: {
  flight: Flight;
  what?: ReactNode;
  onDiscarded?: () => void;
}) {
  const start = parseDateTime(flight.startTime);
  const minutes = start ? minutesBetween(start, wallClock()) : 0;
  return (
    <>
      {what}
      <div className={styles.row}>
        <p className={styles.since}>
          {minutes < dayMinutes ? <Clock flight={flight} /> : <strong>{flights.runningFor(minutes)}</strong>}
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

function Clock({ flight }: { flight: Flight }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const time = runningTime(flight, now);
  // A start that lies ahead: one of the clocks is wrong.
  if (time === "") return <strong>{flights.running}</strong>;
  return (
    <strong className={styles.clock} role="timer" aria-label={flights.running}>
      {time}
    </strong>
  );
}
