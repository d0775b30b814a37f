// A write by one press. Another press after a lost answer, also after a reload, sends the same request.
import { useMutation } from "@tanstack/react-query";
import { contentOf, readDraft, removeDraft, writeDraft } from "../lib/drafts";
import { newId } from "../lib/ids";
import type { Answer, Fields } from "./client";
import { perform } from "./perform";
import { useCachedUser } from "./session";
import type { WriteCall } from "./writes";

/** After this time a press is a new request. */
const sameTapMs = 10 * 60_000;

export async function tap<Name extends WriteCall>(
  account: string,
  name: Name,
  fields: Fields<Name>,
  send: (name: Name, fields: Fields<Name>, requestId: string) => Promise<unknown> = perform,
): Promise<Answer<Name> | undefined> {
  const press = { account, form: name, record: contentOf(fields) };
  const before = readDraft(press);
  const isSame = before !== null && Date.now() - before.savedAt < sameTapMs;
  const request = isSame ? before.request : { id: newId(), content: "" };
  writeDraft(press, { values: {}, request });
  const answer = await send(name, fields, request.id);
  removeDraft(press);
  return answer as Answer<Name> | undefined;
}

/** A mutation whose variables are the fields of the call. */
export function useWrite<Name extends WriteCall>(name: Name) {
  const account = useCachedUser()?.account ?? "";
  return useMutation({ mutationFn: (fields: Fields<Name>) => tap(account, name, fields) });
}
