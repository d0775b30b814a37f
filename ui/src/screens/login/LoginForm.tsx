// E-mail and password; without a password a mail is sent.

import type { UseFormReturn } from "react-hook-form";
import { ApiError } from "../../api/client";
import { CookieNotKept, type LoginFields, useLogin } from "../../api/session";
import { login } from "../../components/account/texts";
import { Button } from "../../components/Button";
import { Form, SubmitButton } from "../../components/Form";
import { Checkbox, PasswordField, TextField } from "../../components/fields";
import { InfoNote } from "../../components/states";
import type { PendingLogin } from "../../lib/pendingLogin";
import { general } from "../../texts";
import styles from "./LoginForm.module.css";
import { consent } from "./texts";

/** Characters before and after the @, a dot in the domain, no spaces. */
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Statuses with a specific message: too many tries, server busy. All other failures look alike. */
const statusesWithMessage = [429, 503];

export function LoginForm({
  form,
  continuesElsewhere,
  hasConsent,
  onAskConsent,
  onMailSent,
}: {
  form: UseFormReturn<LoginFields>;
  /** The user's destination after the login. */
  continuesElsewhere: boolean;
  hasConsent: boolean;
  onAskConsent: () => void;
  onMailSent: (waiting: PendingLogin) => void;
}) {
  const loginCall = useLogin();

  async function submit(fields: LoginFields) {
    if (!hasConsent) {
      form.setError("root", { message: consent.missing });
      return;
    }
    const email = fields.email.trim();
    try {
      const number = await loginCall.mutateAsync({ ...fields, email });
      if (number !== null) {
        onMailSent({ email, rememberMe: fields.rememberMe, number, askedAt: Date.now() });
      }
    } catch (error) {
      if (error instanceof CookieNotKept) {
        form.setError("root", { message: login.cookieNotKept });
        return;
      }
      if (error instanceof ApiError && error.field === null && !statusesWithMessage.includes(error.status)) {
        form.setError("root", { message: login.failed });
        return;
      }
      throw error;
    }
  }

  const isChecking = form.formState.isSubmitting && form.getValues("password") !== "";
  return (
    <>
      {continuesElsewhere && <InfoNote icon="history">{login.continueAfter}</InfoNote>}
      {!hasConsent && (
        <InfoNote
          action={
            <Button variant="quiet" onPress={onAskConsent}>
              {consent.show}
            </Button>
          }
        >
          {consent.needed}
        </InfoNote>
      )}
      <Form form={form} onSubmit={submit} failure={general.failed}>
        <TextField
          control={form.control}
          name="email"
          label={login.email}
          type="email"
          inputMode="email"
          autoComplete="username"
          maxLength={254}
          rules={{ validate: (email) => emailPattern.test(email.trim()) || login.emailInvalid }}
        />
        <PasswordField
          control={form.control}
          name="password"
          label={login.password}
          hint={login.passwordHint}
          autoComplete="current-password"
        />
        <Checkbox control={form.control} name="rememberMe" label={login.rememberMe} />
        <SubmitButton isLarge>{login.submit}</SubmitButton>
        <p className={styles.status} role="status">
          {isChecking && login.checking}
        </p>
      </Form>
    </>
  );
}
