// Fields of an account, with the attributes for keyboards and password managers, and the server's limits.
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import type { PasswordFields } from "../api/account";
import { general } from "../texts";
import { type FieldProps, PasswordField, TextField } from "./fields";
import { profile } from "./texts/profile";

type AccountFieldProps<Values extends FieldValues, Name extends FieldPath<Values>> = FieldProps<
  Values,
  Name
> & { autoFocus?: boolean };

export function EmailField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: AccountFieldProps<Values, Name>,
) {
  return <TextField {...props} type="email" inputMode="email" autoComplete="email" maxLength={254} />;
}

export function NicknameField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: AccountFieldProps<Values, Name>,
) {
  return <TextField {...props} autoComplete="nickname" maxLength={50} />;
}

/** Fields for a new password of the account with this address, typed twice. */
export function NewPasswordFields({
  form,
  email,
  autoFocus = false,
}: {
  form: UseFormReturn<PasswordFields>;
  email: string;
  autoFocus?: boolean;
}) {
  return (
    <>
      {/* For password managers: the account of the new password. */}
      <input hidden readOnly autoComplete="username" value={email} />
      <PasswordField
        control={form.control}
        name="password"
        label={profile.password}
        hint={profile.passwordHint}
        autoComplete="new-password"
        autoFocus={autoFocus}
        rules={{ required: general.required }}
      />
      <PasswordField
        control={form.control}
        name="repeatPassword"
        label={profile.repeatPassword}
        autoComplete="new-password"
        rules={{
          required: general.required,
          validate: (repeated) => repeated === form.getValues("password") || profile.passwordsDiffer,
        }}
      />
    </>
  );
}
