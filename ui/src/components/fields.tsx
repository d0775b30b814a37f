// The fields of forms: label, input, hint and error, each bound to react-hook-form by `control` and `name`. Every value
// in a form is a text (true/false for a checkbox), numbers too: a number field is a text field with our own rule,
// because the library's reads 3.85 as 385 in German. Dates are in dateFields.tsx.
import { type ReactNode, useState } from "react";
import {
  Checkbox as AriaCheckbox,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  Input,
  Label,
  Radio,
  RadioGroup,
  Text,
  ToggleButton,
} from "react-aria-components";
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
import { general, login } from "../texts";
import buttons from "./Button.module.css";
import { CheckMark } from "./CheckMark";
import styles from "./fields.module.css";
import { Icon } from "./Icon";

export type FieldRules<Values extends FieldValues, Name extends FieldPath<Values>> = Pick<
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

/** The rule of a required text: blanks don't count. */
export function requiredText(missing: string) {
  return { required: missing, validate: (value: unknown) => String(value).trim() !== "" || missing };
}

/** The server's limit of a text field, where nothing else is said, and of a text of several lines. */
const textLimit = 200;
export const longTextLimit = 10_000;

export function Below({ error, hint }: { error: string | undefined; hint: ReactNode }) {
  // The library links both to the input by aria-describedby.
  return error ? (
    <Text slot="errorMessage" className={styles.error}>
      {error}
    </Text>
  ) : hint !== undefined ? (
    <Text slot="description" className={styles.hint}>
      {hint}
    </Text>
  ) : null;
}

type Keyboard = {
  type?: "text" | "email" | "password" | "url";
  inputMode?: "decimal" | "numeric" | "email" | "text";
  autoComplete?: string;
  autoFocus?: boolean;
  maxLength?: number;
  /** Transforms the typed text before the value changes. */
  clean?: (text: string) => string;
  onFocus?: () => void;
  /** Beside the input, for example a button. */
  beside?: ReactNode;
  /** The number of lines; a single-line field without it. */
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
  return (
    <AriaTextField
      className={styles.field}
      validationBehavior="aria"
      type={type}
      value={field.value as string}
      onChange={(text) => field.onChange(clean(text) as FieldPathValue<Values, Name>)}
      onBlur={field.onBlur}
      isInvalid={fieldState.invalid}
      isRequired={isRequired}
      autoComplete={autoComplete}
      autoFocus={autoFocus}
      maxLength={maxLength}
      {...(onFocus && { onFocus })}
      {...(inputMode && { inputMode })}
    >
      <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
      <div className={styles.row}>
        {rows === undefined ? (
          <Input ref={field.ref} className={styles.input} enterKeyHint="done" />
        ) : (
          <AriaTextArea ref={field.ref} className={styles.input} rows={rows} />
        )}
        {beside}
      </div>
      <Below error={fieldState.error?.message} hint={hint} />
    </AriaTextField>
  );
}

/** Fields side by side where there is room. */
export function FieldColumns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}

/** The label of a group without a field of its own. */
export function FieldLegend({ children }: { children: ReactNode }) {
  return <legend className={styles.label}>{children}</legend>;
}

export function FieldLabel({ isRequired, children }: { isRequired: boolean; children: ReactNode }) {
  return (
    <Label className={styles.label}>
      {children}
      {isRequired && (
        <span className={styles.required} aria-hidden="true">
          *
        </span>
      )}
    </Label>
  );
}

/** Several lines of text. */
export function TextArea<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: FieldProps<Values, Name> & { rows?: number; autoFocus?: boolean },
) {
  return <TextField rows={4} maxLength={longTextLimit} {...props} />;
}

function dotOnPhones(text: string): string {
  return isTouchScreen() ? text.replace(",", ".") : text;
}

/** Digits with one optional dot or comma. The unit belongs in the label. */
export function NumberField<Values extends FieldValues, Name extends FieldPath<Values>>({
  rules,
  hint,
  ...props
}: FieldProps<Values, Name> & { autoFocus?: boolean; beside?: ReactNode }) {
  const text = String(useWatch({ control: props.control, name: props.name }));
  // Empty rather than absent: the library links only elements that exist on the first render.
  const below = looksGrouped(text) ? general.understood(numberToInput(parseNumber(text))) : (hint ?? "");
  return (
    <TextField
      hint={below}
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

/** A password with a button that shows it. */
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
        <ToggleButton
          className={buttons.iconButton}
          isSelected={isShown}
          onChange={setShown}
          aria-label={isShown ? login.hidePassword : login.showPassword}
        >
          <Icon name={isShown ? "eye-off" : "eye"} />
        </ToggleButton>
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
    <AriaCheckbox
      className={styles.checkbox}
      isSelected={field.value as boolean}
      onChange={(isSelected) => field.onChange(isSelected as FieldPathValue<Values, Name>)}
      onBlur={field.onBlur}
    >
      <CheckMark />
      {label}
    </AriaCheckbox>
  );
}

/** One of a few choices, all visible. The value is the choice's `value`. */
export function RadioChoice<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  label,
  hint,
  choices,
}: Omit<FieldProps<Values, Name>, "rules"> & { choices: { value: string; text: string }[] }) {
  const { field, fieldState } = useController({ control, name });
  return (
    <RadioGroup
      className={styles.field}
      validationBehavior="aria"
      value={field.value as string}
      onChange={(value) => field.onChange(value as FieldPathValue<Values, Name>)}
      onBlur={field.onBlur}
      isInvalid={fieldState.invalid}
      orientation="horizontal"
    >
      <FieldLabel isRequired={false}>{label}</FieldLabel>
      <div className={styles.radioRow}>
        {choices.map((choice) => (
          <Radio key={choice.value} value={choice.value} className={styles.radio}>
            {choice.text}
          </Radio>
        ))}
      </div>
      <Below error={fieldState.error?.message} hint={hint} />
    </RadioGroup>
  );
}
