// Registration: requesting the code by mail, and sending it. Independent of routes.
import { useMutation } from "@tanstack/react-query";
import { call } from "./client";
import { startSession } from "./session";

export type RegistrationFields = { email: string; nickname: string };

export function useRegister() {
  return useMutation({
    mutationFn: (fields: RegistrationFields) => call("RegistrationAndVerification", fields),
  });
}

/** A valid code logs in. */
export function useVerify() {
  return useMutation({
    mutationFn: (fields: { code: string; rememberMe: boolean }) => call("Verification", fields),
    onSuccess: startSession,
  });
}
