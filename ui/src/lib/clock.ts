// How wrong the clock of this device is, by the server's answers. Knows no calls.

const toleratedMinutes = 2;

let aheadMs = 0;

/** `date`: of an answer that has just come. */
export function recordServerTime(date: string | null, now: number = Date.now()): void {
  const sent = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isNaN(sent)) aheadMs = now - sent;
}

/** Whole minutes that this device is fast, or slow when negative; 0 when it is right. */
export function clockErrorMinutes(): number {
  const minutes = Math.round(aheadMs / 60_000);
  return Math.abs(minutes) > toleratedMinutes ? minutes : 0;
}
