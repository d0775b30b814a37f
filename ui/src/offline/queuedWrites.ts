// A write that waits for the network: what it is, and which writes can. Knows no storage and no cache.
import type { Fields } from "../api/client";
import type { Calls } from "../api/generated/Calls";
import type { Flight } from "../api/generated/Flight";

const queueableCalls = [
  "CreateFlight",
  "AddFlight",
  "SaveFlight",
  "DeleteFlight",
  "SaveCharging",
  "QuickCharge",
  "QuickStore",
  "Undo",
  "SaveBatteryReading",
  "DeleteBatteryReading",
  "SaveEquipmentLog",
  "SaveFlightLog",
  "EditLog",
  "DeleteLog",
  "UploadImageForFlight",
] as const satisfies (keyof Calls)[];

export type QueueableCall = (typeof queueableCalls)[number];

/** One call with its fields. */
export type QueueableWrite = { [Name in QueueableCall]: { call: Name; fields: Fields<Name> } }[QueueableCall];

export type FlightFields = Omit<Fields<"SaveFlight">["flight"], "dpfId">;

/** A field that was changed here and on the server. */
export type Conflict = {
  field: string;
  here: string;
  there: string;
  /** What the pilot takes. */
  choice?: "here" | "there" | undefined;
};

export type LogList = { call: "GetEquipmentLogs" | "GetFlightLogs"; dpfId: string };

export type Problem =
  /** The server's own sentence. */
  | { kind: "refused"; text: string }
  /** It isn't there any more. */
  | { kind: "gone"; text: string }
  /** Another flight is open on the server. */
  | { kind: "open"; text: string }
  | { kind: "clash"; clashes: Conflict[] };

export type QueuedWrite = QueueableWrite & {
  /** Entries of every earlier version are read for good. */
  version: 1;
  /** Its place in the queue. */
  seq: number;
  requestId: string;
  /** Sent in their order: the writes about one flight, battery or item. */
  subject: string;
  /** The flight, charging or log. */
  object: string;
  /** For the pilot: "Brummer · Akku 5". */
  about: string;
  /** As it would be shown without this entry; null of anything but a flight. */
  flight: Flight | null;
  /** The server's values that `fields` were typed over. */
  base: Record<string, unknown>;
  /** The list that has the log. */
  list?: LogList | null;
  /** Its pictures, which are stored beside the queue. */
  pictures?: { count: number; bytes: number } | null;
  /** ms since 1970 */
  madeAt: number;
  /** How often it was sent without an answer. */
  tries: number;
  /** The flight that it begins may be on the server already. */
  isMaybeThere: boolean;
  retryAt: number;
  state: "waiting" | "sending" | "stuck";
  problem: Problem | null;
};

/** As many are kept. */
export const maxQueuedWrites = 500;

/** Whether a write can wait. One with a document can't; what takes something back only after that, if it waits. */
export function isQueueable(
  write: { call: string; fields: object },
  entries: readonly QueuedWrite[],
): write is QueueableWrite {
  const { file, dpfId, undo } = write.fields as { file?: File | null; dpfId?: string; undo?: string };
  if (!queueableCalls.some((call) => call === write.call) || file) return false;
  const takesBack = write.call === "Undo" || write.call.startsWith("Delete");
  return !takesBack || entries.some(({ object, subject }) => [object, subject].includes(undo ?? dpfId ?? ""));
}
