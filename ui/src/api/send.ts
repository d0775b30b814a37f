// Sends a write and applies its rule. Independent of the queue and of forms.
import { type Answer, type Fields, post, type SentAs } from "./client";
import { type Transfer, upload } from "./transfer";
import { type WriteCall, type WriteRule, writes } from "./writes";

const uploads: ReadonlySet<string> = new Set<SentAs<"files">>([
  "SaveProfile",
  "SaveEquipmentLog",
  "SaveFlightLog",
  "CompleteJob",
  "EditLog",
  "UploadImageForFlight",
  "UploadUserDocument",
  "AddProof",
  "SaveProofPages",
  "UploadImport",
]);

let running = 0;

/** Whether a write is running. */
export function isSending(): boolean {
  return running > 0;
}

/**
 * Sends a write. A repetition with the same id has no second effect: its answer is the object as it is now, and empty
 * when it is gone.
 */
export async function send<Name extends WriteCall>(
  name: Name,
  fields: Fields<Name>,
  requestId: string,
  transfer: Transfer = {},
): Promise<Answer<Name> | undefined> {
  const { ifGone, standstillMs }: WriteRule<Name> = writes[name] as never;
  const limits = standstillMs === undefined ? transfer : { standstillMs, ...transfer };
  running += 1;
  const answer = (await sent(name, fields, requestId, limits).finally(() => {
    running -= 1;
  })) as Answer<Name> | undefined;
  return answer === undefined && typeof ifGone === "function" ? ifGone(fields) : answer;
}

function sent(name: WriteCall, fields: object, requestId: string, limits: Transfer): Promise<unknown> {
  if (uploads.has(name)) return upload(name as never, fields as never, requestId, limits);
  // The flight's id replaces the request id.
  const all = name === "CreateFlight" ? fields : { ...fields, requestId };
  return post(name, all, { timeoutMs: limits.standstillMs });
}

/** Applies the rule's `failed`. */
export function fail<Name extends WriteCall>(name: Name, error: unknown, fields: Fields<Name>): void {
  const { failed }: WriteRule<Name> = writes[name] as never;
  failed?.(error, fields);
}

/** Applies the rule's `settle`. */
export function settle<Name extends WriteCall>(
  name: Name,
  answer: Answer<Name> | undefined,
  fields: Fields<Name>,
): unknown {
  const { settle }: WriteRule<Name> = writes[name] as never;
  return settle?.(answer, fields);
}
