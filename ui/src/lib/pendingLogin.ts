// A login by mail that isn't confirmed yet, kept in sessionStorage so that it survives a reload. Independent of calls.
// Full or forbidden storage is no error.

const key = "fluglog.waitingLogin";
/** Lifetime of the server's request. A later call would create a new one and send another mail. */
const lifetimeMs = 10 * 60_000;

export type PendingLogin = {
  /** As the user typed it. */
  email: string;
  rememberMe: boolean;
  /** Two digits, "07" too. */
  number: string;
  askedAt: number;
};

export function isOver({ askedAt }: PendingLogin, now: number = Date.now()): boolean {
  return now - askedAt >= lifetimeMs;
}

export function readPendingLogin(now: number = Date.now()): PendingLogin | null {
  try {
    const waiting = JSON.parse(sessionStorage.getItem(key) ?? "null") as PendingLogin | null;
    return waiting && !isOver(waiting, now) ? waiting : null;
  } catch {
    return null;
  }
}

export function storePendingLogin(waiting: PendingLogin): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(waiting));
  } catch {
    // The screen still holds it.
  }
}

export function clearPendingLogin(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to remove.
  }
}
