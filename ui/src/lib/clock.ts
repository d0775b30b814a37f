// The server's clock as this device knows it from answers: how far its own clock is ahead. Remembered for when there is
// no network. Independent of calls.

const toleratedMinutes = 2;
const storageKey = "fluglog.clockAhead";
/** The date of an answer has whole seconds, and the server may keep it for one more. */
const dateStepMs = 2_000;

/** A moment by this device's clock and by the server's, in ms since 1970. */
export type Moment = { device: number; server: number };

let aheadMs = storedAhead();

function storedAhead(): number {
  try {
    return Number(localStorage.getItem(storageKey)) || 0;
  } catch {
    return 0;
  }
}

/**
 * Records the `Date` header of an answer that has just arrived. The server set it after `sentAt`: as long as that
 * explains the difference, what is known stays, so that a slow line doesn't move the clock.
 */
export function recordServerTime(date: string | null, sentAt: number, now: number = Date.now()): void {
  const answered = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(answered)) return;
  const ahead = Math.min(Math.max(aheadMs, sentAt - answered - dateStepMs), now - answered);
  if (ahead === aheadMs) return;
  aheadMs = ahead;
  try {
    localStorage.setItem(storageKey, String(ahead));
  } catch {
    // Known until the page is closed.
  }
}

/** Whole minutes by which this device's clock is ahead, negative if behind; 0 within the tolerance. */
export function clockErrorMinutes(): number {
  const minutes = Math.round(aheadMs / 60_000);
  return Math.abs(minutes) > toleratedMinutes ? minutes : 0;
}

export function moment(now: number = Date.now()): Moment {
  return { device: now, server: now - aheadMs };
}

/** Phones have their time from the network: if the clocks are further apart, the server has none, as a board may. */
const longestDeviceErrorMinutes = 7 * 24 * 60;

/** Whether this device's clock is wrong, as far as it isn't the server that has none. */
export function isDeviceWrong(): boolean {
  const error = Math.abs(clockErrorMinutes());
  return error !== 0 && error <= longestDeviceErrorMinutes;
}

/** A moment by this device's clock, or by the server's if the device's is wrong. */
export function believed({ device, server }: Moment = moment()): Date {
  return new Date(isDeviceWrong() ? server : device);
}
