// Password, sessions and export of the account. The account itself is read by session.ts (useDetailedUser).
import { useMutation } from "@tanstack/react-query";
import { exportUrl } from "../urls";
import { refresh, setCached, useAnswer } from "./answers";
import { leave } from "./cache";
import { call, type Fields } from "./client";
import { clearSession } from "./session";

export type PasswordFields = { password: string; repeatPassword: string };

/** Saving ends the user's other sessions; this browser stays logged in. */
export function useSavePassword() {
  return useMutation({
    mutationFn: (fields: PasswordFields) => call("SavePassword", fields),
    onSuccess: () => {
      setCached("GetLoginWays", {}, { hasPassword: true });
      refresh("GetSessions");
    },
  });
}

export function useLoginWays({ isAsked }: { isAsked: boolean }) {
  return useAnswer("GetLoginWays", {}, { enabled: isAsked });
}

const problemsAreFreshMs = 10 * 60 * 1000;

/** Problems of the server; empty for pilots who don't administer it. */
export function useServerProblems() {
  return useAnswer("GetServerProblems", {}, { staleTime: problemsAreFreshMs });
}

/** The pilot's sessions, this browser first. */
export function useSessions() {
  return useAnswer("GetSessions", {});
}

/** The pilot's personal access tokens, the newest first. */
export function useAccessTokens() {
  return useAnswer("GetAccessTokens", {});
}

/** The answer has the token's text, which is shown this once. */
export function useCreateAccessToken() {
  return useMutation({
    mutationFn: (fields: Fields<"CreateAccessToken">) => call("CreateAccessToken", fields),
    onSuccess: () => refresh("GetAccessTokens"),
  });
}

/** Ends all sessions, this one included. */
export function useLogOutEverywhere() {
  return useMutation({
    mutationFn: () => leave(() => call("LogOutFromEveryDevice")),
    onSuccess: clearSession,
  });
}

/**
 * Starts the browser's download of all own data, or of a space's equipment, which may be larger than its memory. Asks
 * the server first, because a browser doesn't report why a download was refused.
 */
export function useDownloadAll() {
  return useMutation({
    mutationFn: async (what: { withoutFiles: boolean; space?: string }) => {
      const size = await call("GetExportSize", what.space === undefined ? {} : { space: what.space });
      const link = document.createElement("a");
      link.href = exportUrl(what);
      link.download = "";
      link.click();
      return size;
    },
  });
}
