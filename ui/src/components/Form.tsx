// A form of react-hook-form: submitting once at a time, by button, Enter or Ctrl+Enter; the server's error beside the
// field that it is about, or at the form's end; the draft. Knows nothing of fields (fields.tsx) or of what is saved.
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

/** `failure` is said when no answer came. `onSubmit` throws what the call threw; the form shows it. */
export function Form<Values extends FieldValues>({
  form,
  onSubmit,
  failure = general.saveFailed,
  children,
}: {
  form: UseFormReturn<Values>;
  onSubmit: (values: Values) => Promise<unknown>;
  failure?: string;
  children: ReactNode;
}) {
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values);
    } catch (error) {
      showError(form, error, failure);
    }
  });
  function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
    // What is open over the form is of the form only for React.
    const isInside = event.currentTarget.contains(event.target as Node);
    if (isInside && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      // As by the button: while that is disabled, nothing is submitted. A date tells the form its value when it is left,
      // and a dialog that closes can give back only a focus that it has.
      const button = event.currentTarget.querySelector<HTMLElement>('[type="submit"]:enabled');
      if (!button) return;
      button.focus();
      event.currentTarget.requestSubmit(button);
    }
  }
  const { isSubmitting, errors } = form.formState;
  return (
    <FormProvider {...form}>
      <form
        className={`stack ${styles.form}`}
        noValidate
        // On the way down: the parts of a date let nothing up that they don't know.
        onKeyDownCapture={submitOnCtrlEnter}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSubmitting) submit(event);
        }}
      >
        {children}
        {errors.root?.message && (
          <div className={styles.error} ref={intoSight}>
            <ErrorNote>{errors.root.message}</ErrorNote>
          </div>
        )}
      </form>
    </FormProvider>
  );
}

/** Without a bar that keeps it in the window, the error may stand below its edge. */
function intoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
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
 * The form of a page that stays takes over what is stored now, and keeps what was typed beyond `sent`: beyond what was
 * saved, or beyond what was stored before somebody else saved.
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

/** The button that submits the form around it. */
export function SubmitButton({
  children,
  icon,
  variant = "primary",
  isLarge = false,
  isDisabled = false,
}: {
  children: ReactNode;
  icon?: IconName;
  variant?: ButtonVariant;
  isLarge?: boolean;
  isDisabled?: boolean;
}) {
  const { isSubmitting } = useFormContext().formState;
  return (
    <Button
      type="submit"
      variant={variant}
      isLarge={isLarge}
      isBusy={isSubmitting}
      isDisabled={isDisabled}
      {...(icon && { icon })}
    >
      {children}
    </Button>
  );
}

export type FormDraft = {
  /** When the restored draft was written, as "14:05"; null when nothing was restored. */
  restoredAt: string | null;
  /** When a draft was written that isn't in the form, because something else has been saved since; else null. */
  offeredAt: string | null;
  /** Takes over the draft that is offered. */
  restore: () => void;
  /** Back to the saved values. */
  discard: () => void;
  /** After saving: what is in the form is no draft any more. */
  clear: () => void;
  /** Whether the form holds something unsaved. */
  isPending: () => boolean;
  /** The id of the request that sends this: the form's values and what goes along with them. */
  requestIdFor: (fields: FieldValues) => string;
  /** Whether this may have been sent before. */
  isRepeated: (fields: FieldValues) => boolean;
};

const noNumbers: readonly never[] = [];

/**
 * Keeps a form's unsaved values in this browser and brings them back. `form` and `record` name it; `stored` is what the server
 * has of the record, when there is one; `numbers` are the fields that hold a number. Pass the same list each time.
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
        // Only what was typed: what somebody saved elsewhere in the meantime isn't taken back by an old draft.
        const changed = differing(values, defaultValues ?? {}, numbers);
        const isChanged = isDirty === true && Object.keys(changed).length > 0;
        isPending.current = isChanged;
        // What is the same as before is no news: another tab may have typed since.
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
    // A new record's form proposes things, such as the time: they come back as they were sent.
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

/** Says that a draft was restored and offers to drop it, or that there is one and offers to take it. */
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

/** Asks before a form with unsaved changes is left. A login that has become necessary isn't stopped: the draft stays. */
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
