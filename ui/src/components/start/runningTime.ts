// Duration of a running flight. Its start is known to the minute; its id has the second of its creation, unless the
// start was changed or the clocks differ. Pure.
import { formatDateTime, minutesBetween, parseDateTime, wallClock } from "../../lib/dates";
import { timeOfId } from "../../lib/ids";
import { formatMinutes } from "../../lib/numbers";

const longestClockSeconds = 24 * 3600;

type Flight = { dpfId: string; startTime: string };

/** "7:42", "1:07:42", or "7 min" if the second isn't known; "" when the start is in the future. */
export function runningTime({ dpfId, startTime }: Flight, now: number): string {
  const created = timeOfId(dpfId);
  if (created !== null && formatDateTime(wallClock(new Date(created))) === startTime) {
    const seconds = Math.floor((now - created) / 1000);
    if (seconds >= 0 && seconds < longestClockSeconds) return clock(seconds);
  }
  const start = parseDateTime(startTime);
  const minutes = start ? minutesBetween(start, wallClock(new Date(now))) : -1;
  return minutes < 0 ? "" : formatMinutes(minutes);
}

function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`;
}
