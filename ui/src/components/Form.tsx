// A form of react-hook-form: submits once at a time, by button, Enter or Ctrl+Enter, and shows the server's error
// beside its field or at the form's end. Independent of fields (fields.tsx), calls and drafts (FormDraft.tsx).
import { type KeyboardEvent, type ReactNode, useState } from "react";
import {
  type DefaultValues,
  type FieldValues,
  FormProvider,
  type Path,
  type UseFormReturn,
  useFormContext,
} from "react-hook-form";
import { ApiError, isNotLoggedIn } from "../api/client";
import { TransferCancelled } from "../api/transfer";
import { general } from "../texts";
import { Button, type ButtonVariant } from "./Button";
import styles from "./Form.module.css";
import type { IconName } from "./icons";
import { ErrorNote } from "./states";

/**
 * `failure` is shown when no answer came. When `onSubmit` throws, the form shows the error. `pressed` is the value of
 * the button, "" without one.
 */
export function Form<Values extends FieldValues>({
  form,
  onSubmit,
  failure = general.saveFailed,
  children,
}: {
  form: UseFormReturn<Values>;
  onSubmit: (values: Values, pressed: string) => Promise<unknown>;
  failure?: string;
  children: ReactNode;
}) {
  const submit = form.handleSubmit(async (values, event) => {
    try {
      await onSubmit(values, pressedIn(event?.nativeEvent));
    } catch (error) {
      showError(form, error, failure);
    }
  });
  function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
    // React's events also bubble from dialogs that are rendered over the form.
    const isInside = event.currentTarget.contains(event.target as Node);
    if (isInside && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      // Like the button, doesn't submit while it is disabled. A date field updates the form's value on blur, and a
      // closing dialog can return the focus only to an element that had it.
      const button = event.currentTarget.querySelector<HTMLElement>('[type="submit"]:enabled');
      if (!button) return;
      button.focus();
      event.currentTarget.requestSubmit(button);
    }
  }
  const { isSubmitting, submitCount, errors } = form.formState;
  // Stays until the next outcome: an error that disappears and comes again would move the page.
  const [error, setError] = useState("");
  const rootError = errors.root?.message ?? "";
  if (!isSubmitting && error !== rootError) setError(rootError);
  return (
    <FormProvider {...form}>
      <form
        className={`stack ${styles.form}`}
        noValidate
        // In the capture phase: the segments of a date stop events that they don't handle.
        onKeyDownCapture={submitOnCtrlEnter}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSubmitting) submit(event);
        }}
      >
        {children}
        {error !== "" && (
          // A new element for each attempt, so that an equal error is announced again.
          <div key={submitCount} className={styles.error} ref={intoSight}>
            <ErrorNote>{error}</ErrorNote>
          </div>
        )}
      </form>
    </FormProvider>
  );
}

function pressedIn(event: unknown): string {
  const button = event instanceof SubmitEvent ? event.submitter : null;
  return button instanceof HTMLButtonElement ? button.value : "";
}

/** Above a sticky bar, however many rows of buttons it has; without one the error may be outside of the window. */
function intoSight(element: HTMLElement | null): void {
  const bar = element?.parentElement?.querySelector<HTMLElement>(":scope > [data-action-bar]");
  if (bar) element?.style.setProperty("--bar-height", `${bar.offsetHeight}px`);
  else element?.scrollIntoView({ block: "nearest" });
}

function showError<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  failure: string,
): void {
  if (isNotLoggedIn(error) || error instanceof TransferCancelled) return;
  if (!(error instanceof ApiError)) {
    form.setError("root", { message: failure });
    return;
  }
  const message = error.text === "" ? failure : error.text;
  if (error.field !== null && error.field in form.getValues()) {
    form.setError(error.field as Path<Values>, { message }, { shouldFocus: true });
  } else {
    form.setError("root", { message });
  }
}

/**
 * Takes over the stored values into a form that stays on the page. Keeps values that differ from `sent`, which were
 * typed since.
 */
export function settleForm<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  sent: Values,
  stored: Values,
): void {
  const typed = Object.entries(form.getValues()).filter(([name, value]) => value !== sent[name]);
  form.reset(stored as DefaultValues<Values>);
  for (const [name, value] of typed) form.setValue(name as Path<Values>, value, { shouldDirty: true });
}

/** Submit button of the enclosing form. */
export function SubmitButton({
  children,
  icon,
  variant = "primary",
  isLarge = false,
  isDisabled = false,
  value = "",
  autoFocus = false,
}: {
  children: ReactNode;
  icon?: IconName;
  variant?: ButtonVariant;
  isLarge?: boolean;
  isDisabled?: boolean;
  /** Passed to `onSubmit`, to tell several buttons apart. */
  value?: string;
  autoFocus?: boolean;
}) {
  const { isSubmitting } = useFormContext().formState;
  return (
    <Button
      type="submit"
      value={value}
      variant={variant}
      isLarge={isLarge}
      isBusy={isSubmitting}
      isDisabled={isDisabled}
      autoFocus={autoFocus}
      {...(icon && { icon })}
    >
      {children}
    </Button>
  );
}
