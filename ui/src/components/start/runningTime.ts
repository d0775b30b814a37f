// Duration of a running flight, to the second if its start is known to the second. Pure.
import type { Moment } from "../../lib/clock";
import { isToTheSecond, msSinceStart, type OwnStart, type Running } from "../../lib/flightClock";
import { formatMinutes } from "../../lib/numbers";

const longestClockSeconds = 24 * 3600;

/** "7:42", "1:07:42", or "7 min" if the second isn't known; "" when the start is in the future. */
export function runningTime(flight: Running, now?: Moment, own?: OwnStart | null): string {
  const ms = msSinceStart(flight, now, own);
  if (ms === null) return "";
  const seconds = Math.floor(ms / 1_000);
  if (isToTheSecond(flight) && seconds < longestClockSeconds) return clock(seconds);
  return formatMinutes(Math.floor(seconds / 60));
}

function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`;
}
