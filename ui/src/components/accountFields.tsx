// The fields of an account, with what keyboards and password managers need to know of them, and the server's limits.
import type { FieldPath, FieldValues } from "react-hook-form";
import { type FieldProps, TextField } from "./fields";

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
