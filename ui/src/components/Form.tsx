// A form of react-hook-form: submitting once at a time, by button, Enter or Ctrl+Enter; the server's error beside its
// field, or at the form's end; the draft. Knows no fields (fields.tsx) and no calls.
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import {
  type DefaultValues,
  type FieldValues,
  FormProvider,
  type Path,
  type UseFormReturn,
  useFormContext,
} from "react-hook-form";
import { useBlocker } from "react-router";
import { ApiError, isNotLoggedIn } from "../api/client";
import { useKnownUser } from "../api/session";
import { TransferCancelled } from "../api/transfer";
import { formatClock } from "../lib/dates";
import {
  type Draft,
  differing,
  isSame,
  readDraft,
  removeDraft,
  removeOwnDraft,
  unsavedOf,
  writeDraft,
} from "../lib/drafts";
import { drafts, general } from "../texts";
import { urls } from "../urls";
import { Button, type ButtonVariant } from "./Button";
import { Dialog, DialogActions } from "./Dialog";
import styles from "./Form.module.css";
import type { IconName } from "./icons";
import { ErrorNote, InfoNote } from "./states";
import { useRequests } from "./useRequests";

/**
 * `failure` is shown when no answer came. When `onSubmit` throws, the form shows the error. `pressed` is the value of the
 * button, "" without one.
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
      // As the button: while it is disabled, nothing is submitted. A date field updates the form's value on blur, and a
      // closing dialog can return the focus only to an element that had it.
      const button = event.currentTarget.querySelector<HTMLElement>('[type="submit"]:enabled');
      if (!button) return;
      button.focus();
      event.currentTarget.requestSubmit(button);
    }
  }
  const { isSubmitting, submitCount, errors } = form.formState;
  // Stays until the outcome of the next try: an error that goes and comes again would move the page.
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
          // A new element for each try: the same error is announced again.
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

/** Without a sticky bar, the error may be below the edge of the window. */
function intoSight(element: HTMLElement | null): void {
  const hasBar = element?.parentElement?.querySelector(":scope > [data-action-bar]");
  if (!hasBar) element?.scrollIntoView({ block: "nearest" });
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
 * Takes over the stored values into a form that stays on the page, and keeps the values that differ from `sent`: those
 * typed since they were saved, or since somebody else saved.
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

/** The submit button of the form around it. */
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
  /** Tells `onSubmit` which of several buttons was pressed. */
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

export type FormDraft = {
  /** When the restored draft was written, as "14:05"; null when nothing was restored. */
  restoredAt: string | null;
  /** When a draft was written that isn't in the form, because something else has been saved since; null without one. */
  offeredAt: string | null;
  /** Restores the offered draft. */
  restore: () => void;
  /** Back to the saved values. */
  discard: () => void;
  /** After saving: deletes the draft. */
  clear: () => void;
  /** Whether the form holds something unsaved. */
  isPending: () => boolean;
  /** The id of the request with these fields: the form's values and anything that is sent with them. */
  requestIdFor: (fields: FieldValues) => string;
  /** Whether such a request may have been sent before. */
  isRepeated: (fields: FieldValues) => boolean;
};

const noNumbers: readonly never[] = [];

/**
 * Keeps a form's unsaved values in this browser and restores them. `form` and `record` name the draft; `stored` holds
 * the server's values of an existing record; `numbers` are the fields that hold a number. `numbers` must be the same
 * array on every render.
 */
export function useFormDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: string,
  record: string,
  stored?: Values,
  numbers: readonly (keyof Values & string)[] = noNumbers,
): FormDraft {
  const account = useKnownUser()?.account ?? "";
  const [restoredAt, setRestoredAt] = useState<string | null>(null);
  const [offered, setOffered] = useState<Draft | null>(null);
  const storedNow = useRef<FieldValues>({});
  const isPending = useRef(false);
  const written = useRef<FieldValues>({});
  const requests = useRequests(name, record);
  const { draft: requestForDraft, takeOver } = requests;

  useEffect(() => {
    storedNow.current = stored ?? {};
  });

  const take = useCallback(
    ({ values, request, savedAt }: Draft) => {
      form.reset({ ...form.getValues(), ...values }, { keepDefaultValues: true });
      const over = picked(storedNow.current, values);
      writeDraft({ account, form: name, record }, { values, over, request }, savedAt);
      isPending.current = true;
      written.current = values;
      setOffered(null);
      setRestoredAt(formatClock(new Date(savedAt)));
    },
    [form, account, name, record],
  );

  const isNew = stored === undefined;
  useEffect(() => {
    const draftName = { account, form: name, record };
    const draft = readDraft(draftName);
    if (draft) {
      takeOver(draft.request);
      const { values, isOutdated } = unsavedOf(draft, form.getValues(), storedNow.current, numbers);
      if (Object.keys(values).length > 0) {
        if (isOutdated) setOffered({ ...draft, values });
        else take({ ...draft, values });
      } else if (!isNew) {
        removeDraft(draftName);
      }
    }
    return form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty, defaultValues }) => {
        // Only typed values: an old draft doesn't revert what somebody saved elsewhere in the meantime.
        const changed = differing(values, defaultValues ?? {}, numbers);
        const isChanged = isDirty === true && Object.keys(changed).length > 0;
        isPending.current = isChanged;
        // Unchanged values aren't written: another tab may have typed since.
        if (isChanged && isSame(changed, written.current)) return;
        written.current = changed;
        if (isChanged) {
          const over = picked(storedNow.current, changed);
          writeDraft(draftName, { values: changed, over, request: requestForDraft(values) });
        } else {
          removeOwnDraft(draftName);
        }
      },
    });
  }, [form, account, name, record, isNew, take, numbers, requestForDraft, takeOver]);

  function clear() {
    isPending.current = false;
    requests.forget();
    setRestoredAt(null);
  }
  function discard() {
    if (offered !== null) {
      if (!isPending.current) removeDraft({ account, form: name, record });
      setOffered(null);
      return;
    }
    form.reset();
    clear();
  }
  function requestIdFor(fields: FieldValues): string {
    const values = form.getValues();
    // The defaults of a new record, such as the time, are restored as they were sent.
    const sent = isNew ? values : differing(values, form.formState.defaultValues ?? {}, numbers);
    return requests.idFor(fields, { values: sent, over: picked(storedNow.current, sent) });
  }
  return {
    restoredAt,
    offeredAt: offered && formatClock(new Date(offered.savedAt)),
    restore: () => offered && take(offered),
    discard,
    clear,
    isPending: () => isPending.current,
    requestIdFor,
    isRepeated: requests.isRepeated,
  };
}

function picked(values: FieldValues, names: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in names));
}

/** Says that a draft was restored and offers to discard it, or offers a draft that wasn't restored. */
export function DraftNote({ draft }: { draft: FormDraft }) {
  const { restoredAt, offeredAt, restore, discard } = draft;
  const clock = offeredAt ?? restoredAt;
  if (clock === null) return null;
  return (
    <InfoNote
      icon="history"
      action={
        <>
          {offeredAt !== null && (
            <Button variant="quiet" onPress={restore}>
              {drafts.restore}
            </Button>
          )}
          <Button variant="quiet" onPress={discard}>
            {drafts.discard}
          </Button>
        </>
      }
    >
      {offeredAt === null ? drafts.restored(clock) : drafts.offered(clock)}
    </InfoNote>
  );
}

/** Asks before a form with unsaved changes is left. A redirect to the login isn't stopped: the draft stays. */
export function LeaveGuard({ draft }: { draft: FormDraft }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      nextLocation.pathname !== currentLocation.pathname &&
      nextLocation.pathname !== urls.login &&
      draft.isPending(),
  );
  const stay = () => blocker.state === "blocked" && blocker.reset();
  function leave() {
    draft.clear();
    if (blocker.state === "blocked") blocker.proceed();
  }
  return (
    <Dialog title={drafts.leave} role="alertdialog" isOpen={blocker.state === "blocked"} onClose={stay}>
      <DialogActions>
        <Button onPress={stay} autoFocus>
          {general.no}
        </Button>
        <Button variant="danger" onPress={leave}>
          {general.yes}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
