// The session: its check, login, logout, and the details of the account. Knows no routes; the router's guard acts on
// the result.
import { useMutation, useQuery } from "@tanstack/react-query";
import { clearDrafts } from "../lib/drafts";
import { deleteSharedFiles } from "../lib/sharedFiles";
import { deleteQueue, deleteSnapshot, setQueueAccount, useQueueState } from "../offline/queueState";
import { useAnswer } from "./answers";
import { cache, type Session, sessionKey } from "./cache";
import { ApiError, abortCalls, call, NetworkFailure } from "./client";
import type { LoggedIn } from "./generated/LoggedIn";
import type { SessionUser } from "./generated/SessionUser";
import { reportReachable } from "./reachability";

/** So long a start waits for an answer before it shows what this device knows. */
const snapshotAfterMs = 4_000;

async function checkSession(): Promise<Session> {
  const asked = requestSession();
  const mayBeKnown = currentUser() === null && Boolean(navigator.serviceWorker?.controller);
  const session = mayBeKnown ? await answerOrSnapshot(asked) : await asked;
  if (session.user) setQueueAccount(session.user.account);
  return session;
}

async function requestSession(): Promise<Session> {
  try {
    const { remembered, ...user } = await call("CheckSession");
    return { user, leftOnPurpose: false, isRemembered: remembered };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return { user: null, leftOnPurpose: false };
    throw error;
  }
}

const snapshot = () => import("../offline/snapshot");

/** From this device when no answer comes. The screens go on as without network until one does. */
async function answerOrSnapshot(asked: Promise<Session>): Promise<Session> {
  // Where the app opens without network, what is known is near when no answer comes.
  if (navigator.serviceWorker?.controller) snapshot().catch(() => {});
  const late = new Promise<null>((resolve) => setTimeout(resolve, snapshotAfterMs, null));
  const isUnanswered = (error: unknown) => {
    if (error instanceof NetworkFailure) return null;
    throw error;
  };
  const session = await Promise.race([asked.catch(isUnanswered), late]);
  if (session !== null) return session;
  const known = await (await snapshot()).restoreSnapshot().catch(() => null);
  if (known === null) return asked;
  reportReachable(false);
  return known;
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

/** Without what waits on this device. */
export function useServersOpenFlight(): string | null {
  return useQuery({ queryKey: sessionKey, queryFn: checkSession }).data?.user?.openFlight ?? null;
}

/** The cached session, without a request. */
function useCachedSession(): Session | undefined {
  return useQuery({ queryKey: sessionKey, queryFn: checkSession, enabled: false }).data;
}

/** When the server said what is shown, in ms since 1970, while this device answers in its place. */
export function useSnapshotTime(): number | null {
  return useCachedSession()?.knownAt ?? null;
}

/** Whether the pilot stays logged in on this device. */
export function useIsRemembered(): boolean {
  return useCachedSession()?.isRemembered === true;
}

/** The pilot who is logged in, as the server said it last. */
export function currentUser(): SessionUser | null {
  return cache.getQueryData<Session>(sessionKey)?.user ?? null;
}

/** After anything that opens, ends or deletes a flight. */
export function refreshSession(): Promise<void> {
  return cache.invalidateQueries({ queryKey: sessionKey });
}

/** The logged-in user, refetched. */
export function refetchSession(): Promise<Session> {
  return cache.fetchQuery({ queryKey: sessionKey, queryFn: checkSession, staleTime: 0 });
}

/** The open flight, refetched. */
export async function refetchOpenFlight(): Promise<string | null> {
  return (await refetchSession()).user?.openFlight ?? null;
}

/** Updates the session from an answer about a flight, so that no screen waits for the next check. */
export function setCachedOpenFlight(change: (openFlight: string | null) => string | null): void {
  cache.setQueryData<Session>(sessionKey, (session) =>
    session?.user
      ? { ...session, user: { ...session.user, openFlight: change(session.user.openFlight) } }
      : session,
  );
}

/** After any call that logs a user in. */
export function startSession({
  account,
  nickname,
  photo,
  openFlight,
  token,
}: SessionUser & Partial<LoggedIn>): void {
  clearCache();
  cache.setQueryData<Session>(sessionKey, {
    user: { account, nickname, photo, openFlight },
    leftOnPurpose: false,
    isRemembered: Boolean(token),
  });
  setQueueAccount(account);
}

/** After any call that ends the session because the user wanted it. */
export function clearSession(): void {
  const user = currentUser();
  if (user) clearDrafts(user.account);
  clearCache();
  cache.setQueryData<Session>(sessionKey, { user: null, leftOnPurpose: true });
  deleteSnapshot();
  deleteSharedFiles();
  // Nobody who looks at it is left.
  if (user) deleteQueue(user.account);
}

/** Cached data and running calls of the previous user on this device are none of the new user's. */
function clearCache(): void {
  abortCalls();
  cache.cancelQueries({ queryKey: sessionKey });
  cache.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
}

/**
 * The login succeeded, but the browser didn't keep its cookie: the next page would lead to the login again and again.
 */
export class CookieNotKept extends Error {}

/** Whether the browser returns the cookie of the login; a lost answer proves nothing. */
export async function isCookieKept(): Promise<boolean> {
  const session = await requestSession().catch(() => null);
  return session === null || session.user !== null;
}

export type LoginFields = { email: string; password: string; rememberMe: boolean };

/** Resolves to null after a login by password, and to the number for the waiting screen after one by mail. */
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
  return useMutation({ mutationFn: () => call("Logout"), onSuccess: clearSession });
}

export function useDetailedUser() {
  return useAnswer("GetDetailedUser", {});
}
