// The flight that this page has just started: for a moment its start can be undone without a question. Independent of
// the server.

const momentMs = 10_000;

let started: { dpfId: string; at: number } | null = null;

export function rememberStart(dpfId: string): void {
  started = { dpfId, at: Date.now() };
}

/** Remaining ms in which the start of this flight can be undone; 0 when it can't. */
export function undoableMs(dpfId: string): number {
  if (started?.dpfId !== dpfId) return 0;
  return Math.max(0, started.at + momentMs - Date.now());
}
