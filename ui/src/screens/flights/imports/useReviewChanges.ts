// The pilot's changes of an import, kept in this browser until the import is over.
import { useRef, useState } from "react";
import { useCachedUser } from "../../../api/session";
import { useIntent } from "../../../components/useIntent";
import { readDraft, removeDraft, writeDraft } from "../../../lib/drafts";
import { type Changes, noChanges } from "./review";

const form = "import";

export function useReviewChanges(dpfId: string) {
  const account = useCachedUser()?.account ?? "";
  const name = { account, form, record: dpfId };
  const intent = useIntent(form, dpfId);
  const [changes, setChanges] = useState<Changes>(() => ({ ...noChanges, ...readDraft(name)?.values }));
  const latest = useRef(changes);

  function change(make: (now: Changes) => Changes): void {
    const next = make(latest.current);
    latest.current = next;
    setChanges(next);
    writeDraft(name, { values: next });
  }
  return {
    changes,
    change,
    accept: (choices: string) => intent.send("AcceptImport", { choices }, () => ({ dpfId, choices })),
    forget(): void {
      removeDraft(name);
      intent.forget();
    },
  };
}
