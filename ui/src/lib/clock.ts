// Error of this device's clock, measured by the server's answers. Independent of calls.

const toleratedMinutes = 2;

let aheadMs = 0;

/** Records the `Date` header of an answer that has just arrived. */
export function recordServerTime(date: string | null, now: number = Date.now()): void {
  const sent = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isNaN(sent)) aheadMs = now - sent;
}

/** Whole minutes by which this device's clock is ahead, negative if behind; 0 within the tolerance. */
export function clockErrorMinutes(): number {
  const minutes = Math.round(aheadMs / 60_000);
  return Math.abs(minutes) > toleratedMinutes ? minutes : 0;
}
