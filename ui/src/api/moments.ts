// The moment of what a pilot presses: the time on the wall, and the instant, which the server's clock is compared with.
import { believed, type Moment, moment } from "../lib/clock";
import { formatDateTime, instantOf, wallClock } from "../lib/dates";
import { rememberOwnStart } from "../lib/flightClock";
import type { Fields } from "./client";

let last: { requestId: string; at: Moment } | null = null;

/** When a request was pressed: one that is sent again keeps its moment. */
function pressed(requestId: string): Moment {
  if (last?.requestId !== requestId) last = { requestId, at: moment() };
  return last.at;
}

/** The write with its moment: that of the press, unless a time was typed. */
export function withMoment(name: string, fields: object, requestId: string): object {
  switch (name) {
    case "CreateFlight": {
      const { startTime, startInstant, ...others } = fields as Fields<"CreateFlight">;
      if (startTime) return { ...others, startTime, startInstant: startInstant ?? instantOf(startTime) };
      const now = moment();
      rememberOwnStart({ ...now, dpfId: others.dpfId ?? "" });
      return { ...others, startTime: timeAt(now), startInstant: iso(now.server) };
    }
    case "AddFlight": {
      const { startInstant, ...others } = fields as Fields<"AddFlight">;
      return { ...others, startInstant: startInstant ?? instantOf(others.flight.startTime) };
    }
    case "SaveFlight": {
      const { endFlight, endInstant } = fields as Fields<"SaveFlight">;
      return endFlight ? { ...fields, endInstant: endInstant ?? iso(pressed(requestId).server) } : fields;
    }
    case "QuickCharge":
    case "QuickStore":
    case "SaveBatteryReading":
    case "CompleteJob":
    case "SkipJob":
    case "PutOffJob": {
      const { time, instant } = fields as Fields<"QuickCharge">;
      if (time) return { ...fields, instant: instant ?? instantOf(time) };
      const at = pressed(requestId);
      return { ...fields, time: timeAt(at), instant: iso(at.server) };
    }
    default:
      return fields;
  }
}

function timeAt(at: Moment): string {
  return formatDateTime(wallClock(believed(at)));
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
