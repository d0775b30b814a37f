// The flight that was opened last, which the list marks and focuses when the pilot comes back. Forgotten when the page
// is closed.

let currentFlight: string | null = null;

export function rememberFlight(dpfId: string): void {
  currentFlight = dpfId;
}

export function lastOpenedFlight(): string | null {
  return currentFlight;
}
