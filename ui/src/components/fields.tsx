// Fields of forms: label, input, hint and error, bound to react-hook-form by `control` and `name`. All values in a form
// are texts (true/false for a checkbox), numbers too: a number field is a text field with its own rule, because the
// browser's takes no comma. Native inputs: the login waits for no library. Dates are in dateFields.tsx.
import { type FocusEvent, type ReactNode, useId, useState } from "react";
import {
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type RegisterOptions,
  useController,
  useWatch,
} from "react-hook-form";
import { isNumberText, looksGrouped, numberToInput, parseNumber } from "../lib/numbers";
import { isTouchScreen } from "../lib/touch";
import { general } from "../texts";
import { login } from "./account/texts";
import buttons from "./Button.module.css";
import { CheckMark } from "./CheckMark";
import styles from "./fields.module.css";
import { Icon } from "./Icon";
import { type Choice, RadioGroup } from "./RadioGroup";

type FieldRules<Values extends FieldValues, Name extends FieldPath<Values>> = Pick<
  RegisterOptions<Values, Name>,
  "required" | "validate" | "maxLength" | "pattern"
>;

export type FieldProps<Values extends FieldValues, Name extends FieldPath<Values>> = {
  control: Control<Values>;
  name: Name;
  label: string;
  /** A line below the field; an error replaces it. */
  hint?: ReactNode;
  rules?: FieldRules<Values, Name>;
};

/** Rule of a required text: blanks don't count. */
export function requiredText(missing: string) {
  return { required: missing, validate: (value: unknown) => String(value).trim() !== "" || missing };
}

/** The server's default limits of a text field and of a text area. */
const textLimit = 200;
export const longTextLimit = 10_000;

/** The error or hint below an input; `described` links the input to it. */
function useBelow(error: string | undefined, hint: ReactNode) {
  const id = useId();
  const text = error ?? hint;
  const isThere = text !== undefined && text !== "";
  return {
    described: {
      "aria-invalid": error !== undefined || undefined,
      "aria-describedby": isThere ? id : undefined,
    },
    below: isThere && (
      <span id={id} className={error === undefined ? styles.hint : styles.error}>
        {text}
      </span>
    ),
  };
}

type Keyboard = {
  type?: "text" | "email" | "password" | "url";
  inputMode?: "decimal" | "numeric" | "email" | "text";
  autoComplete?: string;
  autoFocus?: boolean;
  maxLength?: number;
  /** Transforms the typed text before the value changes. */
  clean?: (text: string) => string;
  onFocus?: (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  /** An element beside the input, for example a button. */
  beside?: ReactNode;
  /** Number of lines; without it a single-line field. */
  rows?: number;
};

export function TextField<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  label,
  hint,
  rules,
  type = "text",
  inputMode,
  autoComplete = "off",
  autoFocus = false,
  maxLength = textLimit,
  clean = (text) => text,
  onFocus,
  beside,
  rows,
}: FieldProps<Values, Name> & Keyboard) {
  const { field, fieldState } = useController({ control, name, ...(rules && { rules }) });
  const isRequired = Boolean(rules?.required);
  const id = useId();
  const { described, below } = useBelow(fieldState.error?.message, hint);
  const input = {
    ...described,
    id,
    className: styles.input,
    ref: field.ref,
    value: field.value as string,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      field.onChange(clean(currentTarget.value) as FieldPathValue<Values, Name>),
    onBlur: field.onBlur,
    onFocus,
    "aria-required": isRequired || undefined,
    autoComplete,
    autoFocus,
    maxLength,
  };
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        <LabelText isRequired={isRequired}>{label}</LabelText>
      </label>
      <div className={styles.row}>
        {rows === undefined ? (
          <input {...input} type={type} inputMode={inputMode} enterKeyHint="done" />
        ) : (
          <textarea {...input} rows={rows} />
        )}
        {beside}
      </div>
      {below}
    </div>
  );
}

/** Fields side by side where there is room. */
export function FieldColumns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}

/** Label of a group that isn't a single field. */
export function FieldLegend({ children }: { children: ReactNode }) {
  return <legend className={styles.label}>{children}</legend>;
}

export function LabelText({ isRequired, children }: { isRequired: boolean; children: ReactNode }) {
  return (
    <>
      {children}
      {isRequired && (
        <span className={styles.required} aria-hidden="true">
          *
        </span>
      )}
    </>
  );
}

export function TextArea<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: FieldProps<Values, Name> & { rows?: number; autoFocus?: boolean },
) {
  return <TextField rows={4} maxLength={longTextLimit} {...props} />;
}

function dotOnPhones(text: string): string {
  return isTouchScreen() ? text.replace(",", ".") : text;
}

export type NumberFieldProps<Values extends FieldValues, Name extends FieldPath<Values>> = FieldProps<
  Values,
  Name
> & { autoFocus?: boolean; beside?: ReactNode };

/** A number; the unit belongs in the label. */
export function NumberField<Values extends FieldValues, Name extends FieldPath<Values>>({
  rules,
  hint,
  ...props
}: NumberFieldProps<Values, Name>) {
  const text = String(useWatch({ control: props.control, name: props.name }));
  return (
    <TextField
      hint={looksGrouped(text) ? general.understood(numberToInput(parseNumber(text))) : hint}
      inputMode="decimal"
      clean={dotOnPhones}
      maxLength={20}
      {...props}
      rules={{
        ...rules,
        validate: {
          number: (value: unknown) => value === "" || isNumberText(String(value)) || general.invalid,
          ...(typeof rules?.validate === "function" ? { own: rules.validate } : rules?.validate),
        },
      }}
    />
  );
}

/** A password field with a button that shows the password. */
export function PasswordField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: FieldProps<Values, Name> & {
    autoComplete: "current-password" | "new-password";
    autoFocus?: boolean;
  },
) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? "text" : "password"}
      beside={
        <button
          type="button"
          className={buttons.iconButton}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          aria-label={isShown ? login.hidePassword : login.showPassword}
        >
          <Icon name={isShown ? "eye-off" : "eye"} />
        </button>
      }
    />
  );
}

export function Checkbox<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  label,
}: Pick<FieldProps<Values, Name>, "control" | "name" | "label">) {
  const { field } = useController({ control, name });
  return (
    <label className={styles.checkbox} data-selected={field.value || undefined}>
      <input
        type="checkbox"
        className="visually-hidden"
        ref={field.ref}
        checked={Boolean(field.value)}
        onChange={({ currentTarget }) =>
          field.onChange(currentTarget.checked as FieldPathValue<Values, Name>)
        }
        onBlur={field.onBlur}
      />
      <CheckMark />
      {label}
    </label>
  );
}

/** A choice of one of a few, all visible, as a field. */
export function RadioChoice<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  label,
  hint,
  choices,
}: Omit<FieldProps<Values, Name>, "rules"> & { choices: readonly Choice[] }) {
  const { field, fieldState } = useController({ control, name });
  const id = useId();
  const { described, below } = useBelow(fieldState.error?.message, hint);
  return (
    <div className={styles.field}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <RadioGroup
        as="field"
        aria-labelledby={id}
        {...described}
        value={field.value}
        choices={choices}
        onChange={(value) => field.onChange(value as FieldPathValue<Values, Name>)}
        onBlur={field.onBlur}
      />
      {below}
    </div>
  );
}
