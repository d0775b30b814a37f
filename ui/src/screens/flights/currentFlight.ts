// The flight that was opened last, which the list marks and focuses when the pilot comes back. Kept for as long as the
// page is open.

let currentFlight: string | null = null;

export function rememberFlight(dpfId: string): void {
  currentFlight = dpfId;
}

export function lastOpenedFlight(): string | null {
  return currentFlight;
}
