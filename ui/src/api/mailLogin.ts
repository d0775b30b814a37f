// Login by mail: the browser that waits for the confirmation, and the page behind the mail's link. lib/pendingLogin
// keeps a pending login across a reload. Independent of screens.
import { useMutation, useQuery } from "@tanstack/react-query";
import { clearPendingLogin, isOver, type PendingLogin } from "../lib/pendingLogin";
import { useAnswer } from "./answers";
import { ApiError, call, NetworkFailure } from "./client";
import { isCookieKept, refetchSession, startSession } from "./session";

/** After a 204: the request was a long poll. */
const nextAskMs = 200;
/** After no answer or a temporary error. */
const nextTryMs = 3_000;

/** Polls, while mounted, until the login is confirmed, which also logs in, or has expired. */
export function useWaitForConfirmation(waiting: PendingLogin) {
  return useQuery({
    queryKey: ["waitingLogin", waiting],
    queryFn: ({ signal }) => waitForConfirmation(waiting, signal),
    // An expired request must not be sent again: that would send a new mail.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

/** `cookieNotKept`: the browser doesn't return the cookie of its request, or of the confirmed login. */
type Outcome = "confirmed" | "expired" | "cookieNotKept";

async function waitForConfirmation(waiting: PendingLogin, signal: AbortSignal): Promise<Outcome> {
  const outcome = await askUntilOver(waiting, signal);
  if (outcome === "confirmed") return outcome;
  clearPendingLogin();
  // Another tab of this browser may have received the answer, which logs in this one too.
  const session = await refetchSession().catch(() => null);
  return session?.user ? "confirmed" : outcome;
}

async function askUntilOver(waiting: PendingLogin, signal: AbortSignal): Promise<Outcome> {
  const { email, rememberMe, number } = waiting;
  while (!isOver(waiting)) {
    try {
      const user = await call("CheckLoginToken", { email, rememberMe, number }, signal);
      if (user) {
        if (!(await isCookieKept())) return "cookieNotKept";
        clearPendingLogin();
        startSession(user);
        return "confirmed";
      }
      await pause(nextAskMs);
    } catch (error) {
      if (isWithoutCookie(error)) return "cookieNotKept";
      if (isFinal(error)) break;
      if (!(error instanceof ApiError || error instanceof NetworkFailure)) throw error;
      await pause(nextTryMs);
    }
    signal.throwIfAborted();
  }
  return "expired";
}

/** Whether the request's cookie is missing although this tab has its number. */
function isWithoutCookie(error: unknown): boolean {
  return error instanceof ApiError && error.field === "number";
}

/** Whether retrying is pointless: any refusal but "busy" and "too many requests". */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status !== 429 && error.status < 500;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The browser that requested the login, and when. */
export function useLoginRequest(token: string) {
  return useAnswer("GetLoginRequest", { token }, { staleTime: Number.POSITIVE_INFINITY });
}

export function useDenyLogin(token: string) {
  return useMutation({ mutationFn: () => call("DenyLogin", { token }) });
}

export function useConfirmLogin(token: string) {
  return useMutation({ mutationFn: (number: string) => call("ConfirmLogin", { token, number }) });
}
