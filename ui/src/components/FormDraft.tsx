// The draft of a form: kept in this browser, restored or offered again, asked for when the form is left, and sent once.
import { useCallback, useEffect, useRef, useState } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { useBlocker } from "react-router";
import type { Answer, Fields } from "../api/client";
import { useCachedUser } from "../api/session";
import type { Transfer } from "../api/transfer";
import type { WriteCall } from "../api/writes";
import { formatClock } from "../lib/dates";
import {
  contentOf,
  type Draft,
  differing,
  isSame,
  readDraft,
  removeDraft,
  removeOwnDraft,
  requestOf,
  type SaveRequest,
  unsavedOf,
  writeDraft,
  writeOwnDraft,
} from "../lib/drafts";
import { newId } from "../lib/ids";
import { general } from "../texts";
import { urls } from "../urls";
import { Button } from "./Button";
import { Dialog, DialogActions } from "./Dialog";
import { InfoNote } from "./states";
import { drafts } from "./texts/drafts";
import { useIntent } from "./useIntent";

export type FormDraft = {
  /** Time of the restored draft, as "14:05"; null when nothing was restored. */
  restoredAt: string | null;
  /** Time of a draft that is offered instead of restored, because something else was saved since; null without one. */
  offeredAt: string | null;
  /** Restores the offered draft. */
  restore: () => void;
  /** Discards the draft and returns to the saved values. */
  discard: () => void;
  /** Deletes the draft; called after saving. */
  clear: () => void;
  /** Whether the form holds something unsaved. */
  isPending: () => boolean;
  /**
   * Sends the form by this call, once however often it is tried. `typed`: the content, by which a request is
   * recognized.
   */
  send: <Name extends WriteCall>(
    call: Name,
    typed: FieldValues,
    fieldsFor: (object: string) => Fields<Name>,
    transfer?: Transfer,
  ) => Promise<Answer<Name>>;
  /** The id of the request for this content, which is sent by other means; stores the draft. */
  requestIdFor: (typed: FieldValues) => string;
};

const noNumbers: readonly never[] = [];

/**
 * Keeps a form's unsaved values in this browser and restores them. `form` and `record` name the draft; `stored` holds
 * the server's values of an existing record; `numbers` are the numeric fields, in an array with a stable identity.
 */
export function useFormDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: string,
  record: string,
  stored?: Values,
  numbers: readonly (keyof Values & string)[] = noNumbers,
): FormDraft {
  const account = useCachedUser()?.account ?? "";
  const [restoredAt, setRestoredAt] = useState<string | null>(null);
  const [offered, setOffered] = useState<Draft | null>(null);
  const storedNow = useRef<FieldValues>({});
  const isPending = useRef(false);
  const written = useRef<FieldValues>({});
  /** The request as typed or restored in this tab. Another tab that restores the draft sends the same one. */
  const request = useRef<SaveRequest | null>(null);
  const intent = useIntent(name, record, { known, remember });

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
      request.current = draft.request;
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
        // Only typed values: an old draft must not revert what was saved elsewhere meanwhile.
        const changed = differing(values, defaultValues ?? {}, numbers);
        const isChanged = isDirty === true && Object.keys(changed).length > 0;
        isPending.current = isChanged;
        // Unchanged values aren't written: another tab may have typed since.
        if (isChanged && isSame(changed, written.current)) return;
        written.current = changed;
        if (isChanged) {
          const over = picked(storedNow.current, changed);
          request.current = { id: newId(), content: contentOf(values) };
          writeDraft(draftName, { values: changed, over, request: request.current });
        } else {
          removeOwnDraft(draftName);
        }
      },
    });
  }, [form, account, name, record, isNew, take, numbers]);

  function known(): SaveRequest[] {
    const requests = [request.current, readDraft({ account, form: name, record })?.request];
    return requests.filter((one) => one != null);
  }
  function remember(sent: SaveRequest): void {
    request.current = sent;
    const values = form.getValues();
    // Defaults of a new record, such as the time, are restored as they were sent.
    const typed = isNew ? values : differing(values, form.formState.defaultValues ?? {}, numbers);
    const over = picked(storedNow.current, typed);
    writeOwnDraft({ account, form: name, record }, { values: typed, over, request: sent });
  }
  function clear() {
    isPending.current = false;
    const saved = request.current === null ? intent.done.current : [...intent.done.current, request.current];
    removeOwnDraft({ account, form: name, record }, saved);
    request.current = null;
    intent.forget();
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
  function requestIdFor(typed: FieldValues): string {
    const wanted = requestOf(contentOf(typed), known());
    remember(wanted);
    return wanted.id;
  }
  return {
    restoredAt,
    offeredAt: offered && formatClock(new Date(offered.savedAt)),
    restore: () => offered && take(offered),
    discard,
    clear,
    isPending: () => isPending.current,
    send: intent.send,
    requestIdFor,
  };
}

function picked(values: FieldValues, names: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in names));
}

/** Shows that a draft was restored and offers to discard it, or offers to restore one. */
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
