// The password, and ending all logins. Reading the account is part of the session (useDetailedUser).
import { useMutation, useQuery } from "@tanstack/react-query";
import { cache } from "./cache";
import { call, write } from "./client";
import { leave } from "./session";
import { useTap } from "./useTap";

const sessionsKey = ["sessions"] as const;

export type PasswordFields = { password: string; repeatPassword: string };

/** Ends the user's other sessions; this browser stays logged in. */
export function useSavePassword() {
  return useMutation({
    mutationFn: (fields: PasswordFields) => call("SavePassword", fields),
    onSuccess: () => cache.invalidateQueries({ queryKey: sessionsKey }),
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
