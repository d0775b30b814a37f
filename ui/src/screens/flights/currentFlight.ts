// Which flight was opened last, so that the list shows the row when the pilot comes back to it.
// Lives as long as the page; knows nothing of the list.

let currentFlight: string | null = null;

export function rememberFlight(dpfId: string): void {
  currentFlight = dpfId;
}

export function lastOpenedFlight(): string | null {
  return currentFlight;
}
