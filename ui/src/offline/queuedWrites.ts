// A queued write, and which writes can be queued. Independent of storage and cache.
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
  "CompleteJob",
  "SkipJob",
  "PutOffJob",
] as const satisfies (keyof Calls)[];

export type QueueableCall = (typeof queueableCalls)[number];

/** A call with its fields. */
export type QueueableWrite = { [Name in QueueableCall]: { call: Name; fields: Fields<Name> } }[QueueableCall];

export type FlightFields = Omit<Fields<"SaveFlight">["flight"], "dpfId">;

/** A field that was changed on this device and on the server. */
export type Conflict = {
  field: string;
  here: string;
  there: string;
  /** The pilot's choice. */
  choice?: "here" | "there" | undefined;
};

export type LogList = { call: "GetEquipmentLogs" | "GetFlightLogs"; dpfId: string };

export type Problem =
  /** Refused, with the server's sentence and the field that it is about. */
  | { kind: "refused"; text: string; field?: string | null }
  /** The object was deleted. */
  | { kind: "gone"; text: string }
  /** A start was refused because another flight is open. */
  | { kind: "open"; text: string }
  | { kind: "clash"; clashes: Conflict[] };

export type QueuedWrite = QueueableWrite & {
  /** Version of the stored format; every earlier one stays readable. */
  version: 1;
  /** Position in the queue. */
  seq: number;
  requestId: string;
  /** The flight, battery or item; writes about one are sent in order. */
  subject: string;
  /** Id of the flight, charging or log; of others the request id. */
  object: string;
  /** Title for the pilot: "Brummer · Akku 5". */
  about: string;
  /** The flight without this write; null of writes about anything else. */
  flight: Flight | null;
  /** The server's values when `fields` were typed. */
  base: Record<string, unknown>;
  /** The list with the log that is edited or deleted. */
  list?: LogList | null;
  /** Size of the pictures, which are stored beside the queue. */
  pictures?: { count: number; bytes: number } | null;
  /** Unix time in ms. */
  madeAt: number;
  /** Number of attempts without an answer. */
  tries: number;
  /** Whether the flight may have been created already by a lost request. */
  isMaybeThere: boolean;
  retryAt: number;
  state: "waiting" | "sending" | "stuck";
  problem: Problem | null;
};

/** The form or button that sends a write, as it is named for its draft. */
export type Press = {
  form: string;
  record: string;
  /** What was typed, by which the request is recognized. */
  content: string;
  /** The id of what is created. */
  object: string;
  /** Whether the form is sent as a new one afterwards. */
  isUndo: boolean;
};

/** A write that was sent and has no answer yet, without its files. */
export type PressedWrite = Press & {
  requestId: string;
  call: string;
  fields: object;
  /** Unix time in ms. */
  pressedAt: number;
  /** Whether a tab waits for the answer. */
  isSending: boolean;
  /** The write as it is queued when its tab is closed; absent when it can't be queued. */
  queued?: NewQueuedWrite | null;
};

/** Time after which nobody presses a write again that has no answer. */
const unansweredMs = 7 * 24 * 3_600_000;

export function isUnanswered({ pressedAt }: PressedWrite): boolean {
  return Date.now() - pressedAt < unansweredMs;
}

type WithoutSeq<One> = One extends QueuedWrite ? Omit<One, "seq"> : never;
export type NewQueuedWrite = WithoutSeq<QueuedWrite>;

/** Most writes in the queue. */
export const maxQueuedWrites = 500;

/** Whether a write can be queued. One with a document can't; a deletion only if its object is queued. */
export function isQueueable(
  write: { call: string; fields: object },
  entries: readonly QueuedWrite[],
): write is QueueableWrite {
  const { file, dpfId = "" } = write.fields as { file?: File | null; dpfId?: string };
  if (!queueableCalls.some((call) => call === write.call) || file) return false;
  const isDeletion = write.call.startsWith("Delete");
  return !isDeletion || entries.some(({ object, subject }) => [object, subject].includes(dpfId));
}
