// The password, and ending all logins. Reading the account is part of the session (useDetailedUser).
import { useMutation, useQuery } from "@tanstack/react-query";
import { exportUrl } from "../urls";
import { cache } from "./cache";
import { call, write } from "./client";
import type { LoginWays } from "./generated/LoginWays";
import { leave } from "./session";
import { useTap } from "./useTap";

const loginWaysKey = ["loginWays"] as const;
const sessionsKey = ["sessions"] as const;

export type PasswordFields = { password: string; repeatPassword: string };

/** Ends the user's other sessions; this browser stays logged in. */
export function useSavePassword() {
  return useMutation({
    mutationFn: (fields: PasswordFields) => call("SavePassword", fields),
    onSuccess: () => {
      cache.setQueryData<LoginWays>(loginWaysKey, { hasPassword: true });
      cache.invalidateQueries({ queryKey: sessionsKey });
    },
  });
}

export function useLoginWays({ isAsked }: { isAsked: boolean }) {
  return useQuery({ queryKey: loginWaysKey, queryFn: () => call("GetLoginWays"), enabled: isAsked });
}

const problemsAreFreshMs = 10 * 60 * 1000;

/** What is wrong with the server; empty for those who don't run it. */
export function useServerProblems() {
  return useQuery({
    queryKey: ["serverProblems"],
    queryFn: () => call("GetServerProblems"),
    staleTime: problemsAreFreshMs,
  });
}

/** Where the pilot is logged in, this browser first. */
export function useSessions() {
  return useQuery({ queryKey: sessionsKey, queryFn: () => call("GetSessions") });
}

/** Ends the login of another browser. */
export function useEndSession() {
  const refresh = () => cache.invalidateQueries({ queryKey: sessionsKey });
  return useTap((dpfId, requestId) => write("EndSession", { dpfId }, requestId), {
    onSuccess: refresh,
    // It may have ended by itself.
    onError: () => void refresh(),
  });
}

/** Ends this session too. */
export function useLogOutEverywhere() {
  return useMutation({ mutationFn: () => call("LogOutFromEveryDevice"), onSuccess: leave });
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
