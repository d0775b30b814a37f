// How long a flight has been running: a difference of one clock, this device's if it was started here and else the
// server's. Pure, apart from the start that this device remembers.
import { type Moment, moment } from "./clock";
import { momentOf } from "./dates";

/** Of flights that an earlier version stored the instant isn't known. */
export type Running = { dpfId: string; startTime: string; startInstant?: string | null };

/** A start that was pressed on this device. */
export type OwnStart = Moment & { dpfId: string };

const storageKey = "fluglog.started";
const landingKey = "fluglog.landed";
/** By the server's clock as another device knows it, a flight may seem to begin this much later than now. */
const toleratedMs = 10_000;

export function rememberOwnStart(start: OwnStart): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(start));
  } catch {
    // The server's clock tells the time too.
  }
}

export function forgetOwnStart(): void {
  localStorage.removeItem(storageKey);
}

export function ownStart(): OwnStart | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "null");
  } catch {
    return null;
  }
}

/** A flight's last known landing. `entry`: the entry of the history that opened the flight's form. */
export type KnownLanding = { dpfId: string; entry: string; at: Moment };

export function rememberLanding(landing: KnownLanding): void {
  try {
    localStorage.setItem(landingKey, JSON.stringify(landing));
  } catch {
    // Known until the page is loaded again.
  }
}

export function forgetLanding(): void {
  localStorage.removeItem(landingKey);
}

export function knownLanding(dpfId: string): KnownLanding | null {
  try {
    const known = JSON.parse(localStorage.getItem(landingKey) ?? "null");
    return known?.dpfId === dpfId ? known : null;
  } catch {
    return null;
  }
}

/** The start by the server's clock, in whole seconds; by the wall clock of this device when no instant is known. */
export function startOf({ startTime, startInstant }: Running): number | null {
  return startInstant ? wholeSeconds(Date.parse(startInstant)) : momentOf(startTime);
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000;
}

/** Whether the start is known to the second: it was pressed; a typed one has only minutes. */
export function isToTheSecond(flight: Running, own: OwnStart | null = ownStart()): boolean {
  const start = startOf(flight);
  return isOwn(flight, start, own) || (start ?? 0) % 60_000 !== 0;
}

/** Whether the flight was started here, and its start wasn't corrected since. */
function isOwn({ dpfId }: Running, start: number | null, own: OwnStart | null): own is OwnStart {
  return own?.dpfId === dpfId && wholeSeconds(own.server) === start;
}

/** The ms since the start; null when it is in the future. */
export function msSinceStart(
  flight: Running,
  now: Moment = moment(),
  own: OwnStart | null = ownStart(),
): number | null {
  const start = startOf(flight);
  if (start === null) return null;
  const ms = shorter(now.server - start, isOwn(flight, start, own) ? now.device - own.device : null);
  return ms < -toleratedMs ? null : Math.max(0, ms);
}

/** If they differ, one of the clocks was set meanwhile: flights are shorter than clocks are wrong. */
function shorter(byServer: number, byDevice: number | null): number {
  if (byDevice === null) return byServer;
  return Math.min(byServer, byDevice) < 0 ? Math.max(byServer, byDevice) : Math.min(byServer, byDevice);
}

/** The whole minutes since the start; null when it is in the future. */
export function minutesSinceStart(flight: Running, now?: Moment, own?: OwnStart | null): number | null {
  const ms = msSinceStart(flight, now, own);
  if (ms === null) return null;
  return isToTheSecond(flight, own) ? Math.round(ms / 60_000) : Math.floor(ms / 60_000);
}
