// One-time links into an account: the first account, an invitation, a password reset, a changed e-mail address.
// Independent of routes.
import { useMutation } from "@tanstack/react-query";
import { refresh, useAnswer } from "./answers";
import { call } from "./client";
import { startSession } from "./session";

export type AccountFields = { email: string; nickname: string; password: string; rememberMe: boolean };

/** Whether the server waits for its first account. */
export function useSetupState() {
  return useAnswer("GetSetupState", {});
}

/** Whether the setup link is valid; disabled once it is used. */
export function useSetupLink(token: string, { isUsed }: { isUsed: boolean }) {
  return useAnswer("CheckSetupLink", { token }, { enabled: !isUsed, staleTime: Number.POSITIVE_INFINITY });
}

export function useCreateFirstAccount(token: string) {
  return useMutation({
    mutationFn: (fields: AccountFields) => call("CreateFirstAccount", { token, ...fields }),
    onSuccess: startSession,
  });
}

/** Disabled once the invitation is used. */
export function useInvitation(token: string, { isUsed }: { isUsed: boolean }) {
  return useAnswer("GetInvitation", { token }, { enabled: !isUsed, staleTime: Number.POSITIVE_INFINITY });
}

export function useAcceptInvitation(token: string) {
  return useMutation({
    mutationFn: (fields: AccountFields) => call("AcceptInvitation", { token, ...fields }),
    onSuccess: startSession,
  });
}

/** The account whose password the link resets; disabled once it is used. */
export function usePasswordReset(token: string, { isUsed }: { isUsed: boolean }) {
  return useAnswer("GetPasswordReset", { token }, { enabled: !isUsed, staleTime: Number.POSITIVE_INFINITY });
}

export function useResetPassword(token: string) {
  return useMutation({
    mutationFn: (fields: { password: string; repeatPassword: string }) =>
      call("ResetPassword", { token, ...fields }),
    onSuccess: (user) => startSession(user),
  });
}

/** Sends a confirmation link to the new address. */
export function useChangeEmail() {
  return useMutation({ mutationFn: (email: string) => call("ChangeEmail", { email }) });
}

/** The new address of the link; disabled once it is used. */
export function useNewAddress(token: string, { isUsed }: { isUsed: boolean }) {
  return useAnswer("GetNewAddress", { token }, { enabled: !isUsed, staleTime: Number.POSITIVE_INFINITY });
}

/** Confirms the new address. */
export function useConfirmEmail(token: string) {
  return useMutation({
    mutationFn: () => call("ConfirmEmail", { token }),
    onSuccess: () => refresh("GetDetailedUser"),
  });
}
