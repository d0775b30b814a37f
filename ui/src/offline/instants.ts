// The time and the instant of a queued write: what the device's clock said, corrected by what was learned since. Pure.
import type { Moment } from "../lib/clock";
import { formatDateTime, instantOf, momentOf, wallClock } from "../lib/dates";
import type { QueueableWrite, QueuedWrite } from "./queuedWrites";

/** The server accepts what lies this much in its future. */
const toleratedMs = 5 * 60_000;

type Timed = { time: string; instant: string | null };

/** When it happened; null of a write that has no time of its own. */
export function timeOf({ call, fields }: QueueableWrite): Timed | null {
  switch (call) {
    case "CreateFlight":
      return { time: fields.startTime ?? "", instant: fields.startInstant ?? null };
    case "AddFlight":
      return { time: fields.flight.startTime, instant: fields.startInstant ?? null };
    case "QuickCharge":
    case "QuickStore":
    case "SaveBatteryReading":
    case "CompleteJob":
    case "SkipJob":
    case "PutOffJob":
      return { time: fields.time ?? "", instant: fields.instant ?? null };
    default:
      return null;
  }
}

/** The write at another time, on this device's clock. */
export function atTime<One extends QueueableWrite>(write: One, time: string, instant = instantOf(time)): One {
  switch (write.call) {
    case "CreateFlight":
      return { ...write, fields: { ...write.fields, startTime: time, startInstant: instant } };
    case "AddFlight": {
      const flight = { ...write.fields.flight, startTime: time };
      return { ...write, fields: { ...write.fields, flight, startInstant: instant } };
    }
    case "QuickCharge":
    case "QuickStore":
    case "SaveBatteryReading":
    case "CompleteJob":
    case "SkipJob":
    case "PutOffJob":
      return { ...write, fields: { ...write.fields, time, instant } };
    default:
      return write;
  }
}

/**
 * The write with its instant, also one that an earlier version queued. What was pressed while this device didn't know
 * how wrong its clock is would lie in the future: it happened as long ago as this clock says.
 */
export function withInstant(entry: QueuedWrite, now: Moment): QueuedWrite {
  const { time, instant } = timeOf(entry) ?? { time: "", instant: null };
  if (time === "") return entry;
  if (instant === null) return atTime(entry, time);
  const wasTyped = Date.parse(instant) % 60_000 === 0;
  const ago = now.device - entry.madeAt;
  if (wasTyped || ago < 0 || Date.parse(instant) <= now.server + toleratedMs) return entry;
  const happened = now.server - ago;
  const shown = new Date((momentOf(time) ?? 0) + happened - Date.parse(instant));
  return atTime(entry, formatDateTime(wallClock(shown)), new Date(happened).toISOString());
}
