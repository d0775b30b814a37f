// A write by one press. Pressed again after a lost answer, and after a reload, it sends the same request.
import { useMutation } from "@tanstack/react-query";
import { contentOf, readDraft, removeDraft, writeDraft } from "../lib/drafts";
import { newId } from "../lib/ids";
import type { Answer, Fields } from "./client";
import { perform } from "./perform";
import { useCachedUser } from "./session";
import type { WriteCall } from "./writes";

/** Later the same press is another one. */
const sameTapMs = 10 * 60_000;

/** Sends what a pilot of this account pressed. */
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

/** The mutation takes the fields of the call. */
export function useWrite<Name extends WriteCall>(name: Name) {
  const account = useCachedUser()?.account ?? "";
  return useMutation({ mutationFn: (fields: Fields<Name>) => tap(account, name, fields) });
}
