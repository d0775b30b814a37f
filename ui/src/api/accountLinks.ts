// Ways into an account beside login and registration: the first account, an invitation, a new password by a link of the
// admin, another e-mail address. Knows no routes.
import { useMutation } from "@tanstack/react-query";
import { refresh, useAnswer } from "./answers";
import { call } from "./client";
import { startSession } from "./session";

export type AccountFields = { email: string; nickname: string; password: string };

/** Whether the server waits for its first account. */
export function useSetupState() {
  return useAnswer("GetSetupState", {});
}

/** Whether a link makes the first account; asked until it is used. */
export function useSetupLink(token: string, { isUsed }: { isUsed: boolean }) {
  return useAnswer("CheckSetupLink", { token }, { enabled: !isUsed, staleTime: Number.POSITIVE_INFINITY });
}

export function useCreateFirstAccount(token: string) {
  return useMutation({
    mutationFn: (fields: AccountFields) => call("CreateFirstAccount", { token, ...fields }),
    onSuccess: startSession,
  });
}

/** Asked until it is used. */
export function useInvitation(token: string, { isUsed }: { isUsed: boolean }) {
  return useAnswer("GetInvitation", { token }, { enabled: !isUsed, staleTime: Number.POSITIVE_INFINITY });
}

export function useAcceptInvitation(token: string) {
  return useMutation({
    mutationFn: (fields: AccountFields) => call("AcceptInvitation", { token, ...fields }),
    onSuccess: startSession,
  });
}

/** Whose password a link sets; asked until it is used. */
export function usePasswordReset(token: string, { isUsed }: { isUsed: boolean }) {
  return useAnswer("GetPasswordReset", { token }, { enabled: !isUsed, staleTime: Number.POSITIVE_INFINITY });
}

export function useResetPassword(token: string) {
  return useMutation({
    mutationFn: (fields: { password: string; repeatPassword: string }) =>
      call("ResetPassword", { token, ...fields }),
    onSuccess: startSession,
  });
}

/** Has a link sent to another address. */
export function useChangeEmail() {
  return useMutation({ mutationFn: (email: string) => call("ChangeEmail", { email }) });
}

/** The address that a link is for; asked until it is used. */
export function useNewAddress(token: string, { isUsed }: { isUsed: boolean }) {
  return useAnswer("GetNewAddress", { token }, { enabled: !isUsed, staleTime: Number.POSITIVE_INFINITY });
}

/** The address gets in force that the link was sent to. */
export function useConfirmEmail(token: string) {
  return useMutation({
    mutationFn: () => call("ConfirmEmail", { token }),
    onSuccess: () => refresh("GetDetailedUser"),
  });
}
