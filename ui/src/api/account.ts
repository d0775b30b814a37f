// The password, and ending all logins. Reading the account is part of the session (useDetailedUser).
import { useMutation } from "@tanstack/react-query";
import { call } from "./client";
import { leave } from "./session";

export type PasswordFields = { password: string; repeatPassword: string };

/** Ends the user's other sessions; this browser stays logged in. */
export function useSavePassword() {
  return useMutation({ mutationFn: (fields: PasswordFields) => call("SavePassword", fields) });
}

/** Ends this session too. */
export function useLogOutEverywhere() {
  return useMutation({ mutationFn: () => call("LogOutFromEveryDevice"), onSuccess: leave });
}
