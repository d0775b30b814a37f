// The items that a pilot made on the way to a flight, in this tab: they are chosen when the pilot comes back.

const storageKey = "fluglog.madeForFlight";

/** The state of a link to the form of a new item, on the way to a flight. */
export const forFlight = { isForFlight: true };

export function isForFlight(state: unknown): boolean {
  return (state as { isForFlight?: boolean } | null)?.isForFlight === true;
}

/** Their dpfIds, the newest last. */
export function readCreatedItems(): string[] {
  return sessionStorage.getItem(storageKey)?.split(" ") ?? [];
}

export function rememberCreatedItem(dpfId: string): void {
  sessionStorage.setItem(storageKey, [...readCreatedItems(), dpfId].join(" "));
}

export function clearCreatedItems(): void {
  sessionStorage.removeItem(storageKey);
}
