// The password, and ending all logins. Reading the account is part of the session (useDetailedUser).
import { useMutation } from "@tanstack/react-query";
import { exportUrl } from "../urls";
import { refresh, setCached, useAnswer } from "./answers";
import { call } from "./client";
import { clearSession } from "./session";

export type PasswordFields = { password: string; repeatPassword: string };

/** Ends the user's other sessions; this browser stays logged in. */
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

/** What is wrong with the server; empty for those who don't run it. */
export function useServerProblems() {
  return useAnswer("GetServerProblems", {}, { staleTime: problemsAreFreshMs });
}

/** Where the pilot is logged in, this browser first. */
export function useSessions() {
  return useAnswer("GetSessions", {});
}

/** Ends this session too. */
export function useLogOutEverywhere() {
  return useMutation({ mutationFn: () => call("LogOutFromEveryDevice"), onSuccess: clearSession });
}

/**
 * Hands all own data over to the browser's downloads: they may be larger than its memory. The server is asked first,
 * because a browser doesn't say why a download was refused.
 */
export function useDownloadOwnData() {
  return useMutation({
    mutationFn: async (what: { withoutFiles: boolean }) => {
      const size = await call("GetExportSize");
      const link = document.createElement("a");
      link.href = exportUrl(what);
      link.download = "";
      link.click();
      return size;
    },
  });
}
