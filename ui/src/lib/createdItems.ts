// Items that were created on the way to a flight, in this tab: they are preselected when the pilot comes back.

const storageKey = "fluglog.madeForFlight";

/** Location state of the link to a new item's form. */
export const forFlight = { isForFlight: true };

export function isForFlight(state: unknown): boolean {
  return (state as { isForFlight?: boolean } | null)?.isForFlight === true;
}

/** The dpfIds, newest last. */
export function readCreatedItems(): string[] {
  return sessionStorage.getItem(storageKey)?.split(" ") ?? [];
}

export function rememberCreatedItem(dpfId: string): void {
  sessionStorage.setItem(storageKey, [...readCreatedItems(), dpfId].join(" "));
}

export function clearCreatedItems(): void {
  sessionStorage.removeItem(storageKey);
}
