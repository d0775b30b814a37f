// The session: its check, login, logout, and the details of the account. Independent of routes: the router's guard acts
// on the result.
import { useMutation, useQuery } from "@tanstack/react-query";
import { clearDrafts } from "../lib/drafts";
import { forgetLanding, forgetOwnStart } from "../lib/flightClock";
import { deleteSharedFiles } from "../lib/sharedFiles";
import { deleteQueue, deleteSnapshot, setQueueAccount, useQueueState } from "../offline/queueState";
import { useAnswer } from "./answers";
import { cache, leave, type Session, sessionKey } from "./cache";
import { ApiError, abortCalls, call, NetworkFailure } from "./client";
import type { LoggedIn } from "./generated/LoggedIn";
import type { SessionUser } from "./generated/SessionUser";
import { reportReachability } from "./reachability";

/** Where this browser keeps which equipment lists show: a space, the pilot's own, or all. */
export const spaceFilterKey = "fluglog.spaceFilter";

/** Time after which a start shows the snapshot instead of waiting for the server. */
const snapshotAfterMs = 4_000;

async function checkSession(): Promise<Session> {
  const requested = requestSession();
  const mayBeKnown = currentUser() === null && Boolean(navigator.serviceWorker?.controller);
  const session = mayBeKnown ? await answerOrSnapshot(requested) : await requested;
  if (session.user) setQueueAccount(session.user.account);
  return session;
}

async function requestSession(): Promise<Session> {
  try {
    const { remembered, logoutUrl, ...user } = await call("CheckSession");
    return { user, leftOnPurpose: false, isRemembered: remembered, logoutUrl };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return { user: null, leftOnPurpose: false };
    throw error;
  }
}

const snapshot = () => import("../offline/snapshot");

/** Falls back to the session known on this device when the server is silent for 4 s. */
async function answerOrSnapshot(requested: Promise<Session>): Promise<Session> {
  // Loads the snapshot's code early: it may be needed at once.
  if (navigator.serviceWorker?.controller) snapshot().catch(() => {});
  const late = new Promise<null>((resolve) => setTimeout(resolve, snapshotAfterMs, null));
  const isUnanswered = (error: unknown) => {
    if (error instanceof NetworkFailure) return null;
    throw error;
  };
  const session = await Promise.race([requested.catch(isUnanswered), late]);
  if (session !== null) return session;
  const restored = await (await snapshot()).restoreSnapshot().catch(() => null);
  if (restored === null) return requested;
  reportReachability("unreachable");
  return restored;
}

export function useSession() {
  return useQuery({ queryKey: sessionKey, queryFn: checkSession });
}

/** The cached user, without a request: for pages that anyone may read. */
export function useCachedUser(): SessionUser | null {
  const { overlay, entries } = useQueueState();
  const user = useCachedSession()?.user ?? null;
  if (user === null || overlay === null) return user;
  return { ...user, openFlight: overlay.openFlightWithQueued(user.openFlight, entries) };
}

/** The open flight on the server, without queued writes. */
export function useServersOpenFlight(): string | null {
  return useQuery({ queryKey: sessionKey, queryFn: checkSession }).data?.user?.openFlight ?? null;
}

/** The cached session, without a request. */
function useCachedSession(): Session | undefined {
  return useQuery({ queryKey: sessionKey, queryFn: checkSession, enabled: false }).data;
}

/** When the server gave the restored answers, in ms since 1970; null while it answers itself. */
export function useSnapshotTime(): number | null {
  return useCachedSession()?.knownAt ?? null;
}

/** Whether the device has no network, or shows restored answers: not for a single call that is lost. */
export function isOffline(): boolean {
  return !navigator.onLine || cache.getQueryData<Session>(sessionKey)?.knownAt !== undefined;
}

export function useIsRemembered(): boolean {
  return useCachedSession()?.isRemembered === true;
}

/** The pilot who is logged in, by the last answer of the server. */
export function currentUser(): SessionUser | null {
  return cache.getQueryData<Session>(sessionKey)?.user ?? null;
}

/** Invalidates the session: a flight was opened, finished or deleted. */
export function refreshSession(): Promise<void> {
  return cache.invalidateQueries({ queryKey: sessionKey });
}

/** Refetches the session. */
export function refetchSession(): Promise<Session> {
  return cache.fetchQuery({ queryKey: sessionKey, queryFn: checkSession, staleTime: 0 });
}

/** Refetches the open flight. */
export async function refetchOpenFlight(): Promise<string | null> {
  return (await refetchSession()).user?.openFlight ?? null;
}

/** Updates the open flight in the cached session, so that no screen waits for the next check. */
export function setCachedOpenFlight(change: (openFlight: string | null) => string | null): void {
  cache.setQueryData<Session>(sessionKey, (session) =>
    session?.user
      ? { ...session, user: { ...session.user, openFlight: change(session.user.openFlight) } }
      : session,
  );
}

/** Called after any call that logs a user in. */
export function startSession(
  { token, ...user }: SessionUser & Partial<LoggedIn>,
  { rememberMe: isRemembered = Boolean(token) }: { rememberMe?: boolean } = {},
): void {
  clearCache();
  cache.setQueryData<Session>(sessionKey, { user, leftOnPurpose: false, isRemembered });
  setQueueAccount(user.account);
}

/** Called after any call by which the user ended the session. */
export function clearSession(): void {
  const { user, logoutUrl } = cache.getQueryData<Session>(sessionKey) ?? { user: null };
  if (user) clearDrafts(user.account);
  localStorage.removeItem(spaceFilterKey);
  forgetOwnStart();
  forgetLanding();
  clearCache();
  cache.setQueryData<Session>(sessionKey, { user: null, leftOnPurpose: true });
  deleteSnapshot();
  deleteSharedFiles();
  // Safe now: no screen shows the queue any more.
  if (user) deleteQueue(user.account);
  if (logoutUrl) location.assign(logoutUrl);
}

/** Drops cached answers and running calls of the previous user on this device. */
function clearCache(): void {
  abortCalls();
  cache.cancelQueries({ queryKey: sessionKey });
  cache.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
}

/** The login succeeded, but the browser didn't store its cookie: the next page would lead to the login again. */
export class CookieNotKept extends Error {}

/** Whether the browser sends the login cookie; a lost answer proves nothing. */
export async function isCookieKept(): Promise<boolean> {
  const session = await requestSession().catch(() => null);
  return session === null || session.user !== null;
}

export type LoginFields = { email: string; password: string; rememberMe: boolean };

/** Resolves to null after a login by password, and to the number on the waiting screen after one by mail. */
export function useLogin() {
  return useMutation({
    mutationFn: async ({ password, ...fields }: LoginFields): Promise<string | null> => {
      const answer = await call("Login", { ...fields, password: password === "" ? null : password });
      if ("number" in answer) return answer.number;
      if (!(await isCookieKept())) throw new CookieNotKept();
      startSession(answer);
      return null;
    },
  });
}

export function useLogout() {
  // Scripts can't read the login cookie; the browser sends it along.
  return useMutation({ mutationFn: () => leave(() => call("Logout")), onSuccess: clearSession });
}

export function useDetailedUser() {
  return useAnswer("GetDetailedUser", {});
}
