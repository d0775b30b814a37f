// How wrong the clock of this device is, by the server's answers. Knows no calls.

const toleratedMinutes = 2;

let fastMs = 0;

/** `date`: of an answer that has just come. */
export function noteClock(date: string | null, now: number = Date.now()): void {
  const sent = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isNaN(sent)) fastMs = now - sent;
}

/** Whole minutes that this device is fast, or slow when negative; 0 when it is right. */
export function clockError(): number {
  const minutes = Math.round(fastMs / 60_000);
  return Math.abs(minutes) > toleratedMinutes ? minutes : 0;
}
