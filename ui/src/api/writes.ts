// Every call that changes something, by its name: how its answer shows at once, and what it settles. Knows no forms.
import { change, refresh } from "./answers";
import { cache, endSessionOn401, type Session, sessionKey } from "./cache";
import { showCharging } from "./chargings";
import { type Answer, type Changing, call, type Fields, NetworkFailure, type SentAs, write } from "./client";
import { refreshDocuments, showDocument } from "./documents";
import { refreshEquipment, showItem } from "./equipment";
import {
  askFlight,
  flightAdded,
  flightDeleted,
  flightNotSaved,
  knowImages,
  refreshFlight,
  refreshFlights,
  showFlight,
} from "./flights";
import type { DetailedUser } from "./generated/DetailedUser";
import { evaluationMs, knowImport, refreshImportList, refreshImports, showMapped } from "./imports";
import { refreshLogs, showLog } from "./logs";
import { type Transfer, upload } from "./transfer";

/** A flight is created by `useCreateFlight`, and a share ends with its page. */
export type Written = Exclude<Changing, "CreateFlight" | "StopShareDocument">;

type Rule<Name extends Written> = {
  /** The answer is empty when there is nothing to show, or when the object is gone since. */
  settle?: (answer: Answer<Name> | undefined, fields: Fields<Name>) => unknown;
  /** Refused, because another device was quicker, or done and the answer lost. */
  failed?: (error: unknown, fields: Fields<Name>) => unknown;
  /** Sent before, and the object is gone since: it is made anew, or this gives the answer. */
  ifGone?: "anew" | ((fields: Fields<Name>) => Promise<Answer<Name>>);
  /** How long the server may work. */
  standstillMs?: number;
};

const ofItem = { settle: showItem, failed: refreshEquipment };
const ofPacks = { settle: refreshEquipment, failed: refreshEquipment };
const ofNewLog = { settle: refreshLogsLater, failed: refreshLogsLater, ifGone: "anew" } as const;

function refreshLogsLater(): void {
  refreshLogs();
}

export const writes: { [Name in Written]: Rule<Name> } = {
  SendFeedback: {},
  EndSession: { settle: refreshSessions, failed: refreshSessions },
  SaveProfile: {
    settle: (user, { photo: _, removePhoto: __, ...names }) => {
      if (user) cache.setQueryData<Session>(sessionKey, { user, leftOnPurpose: false });
      change("GetDetailedUser", {}, (details) => {
        return { ...details, ...names, photo: user?.photo ?? details.photo } as DetailedUser;
      });
      refresh("GetDetailedUser");
    },
  },
  SaveNewEquipment: ofItem,
  SaveEditEquipment: ofItem,
  SaveBatteryProfile: ofItem,
  QuickCharge: ofPacks,
  QuickStore: ofPacks,
  SaveBatteryReading: { ...ofPacks, ifGone: "anew" },
  EditBatteryReading: ofPacks,
  DeleteBatteryReading: ofPacks,
  DeactivateEquipment: ofItem,
  ActivateEquipment: ofItem,
  SaveCharging: { settle: showCharging, failed: refreshEquipment },
  AddFlight: { settle: flightAdded, failed: refreshEquipment },
  SaveFlight: {
    settle: showFlight,
    failed: (error, { flight }) => flightNotSaved(error, flight.dpfId),
    ifGone: ({ flight }) => askFlight(flight.dpfId),
  },
  DeleteFlight: { settle: (_, { dpfId }) => flightDeleted(dpfId) },
  SaveEquipmentLog: ofNewLog,
  SaveFlightLog: ofNewLog,
  EditLog: {
    settle: (log) => {
      showLog(log);
      refreshLogs();
    },
    failed: refreshLogsLater,
  },
  DeleteLog: { settle: refreshLogs, failed: refreshLogsLater },
  UploadImageForFlight: {
    settle: (images, { flight }) => knowImages(flight, images ?? []),
    // An upload that was cancelled or lost may still have arrived.
    failed: (_, { flight }) => refreshFlight(flight),
  },
  DeleteImage: {
    settle: (images, { flight }) => knowImages(flight, images ?? []),
    failed: (_, { flight }) => refreshFlight(flight),
  },
  UploadUserDocument: {
    settle: () => void refreshDocuments(),
    failed: () => void refreshDocuments(),
    ifGone: "anew",
  },
  EditUserDocument: {
    settle: (document) => {
      showDocument(document);
      refreshDocuments();
    },
    failed: () => void refreshDocuments(),
  },
  DeleteUserDocument: { settle: refreshDocuments, failed: () => void refreshDocuments() },
  UploadImport: {
    settle: (found) => {
      if (found) knowImport(found);
      refreshImportList();
    },
    failed: refreshImportList,
    // The import is over: look at the files again.
    ifGone: "anew",
    standstillMs: evaluationMs,
  },
  MapImportColumns: {
    settle: (mapped, { dpfId }) => showMapped(mapped, dpfId),
    ifGone: ({ dpfId }) => call("GetImport", { dpfId }),
  },
  AcceptImport: {
    settle: (accepted) => {
      refreshFlights(accepted?.completed ?? []);
      refreshLogs();
      refreshDocuments();
      refreshImportList();
    },
    failed: (error) => {
      if (error instanceof NetworkFailure) return;
      refreshEquipment();
      refreshImports();
    },
  },
  DiscardImport: { settle: refreshImportList, failed: refreshImportList },
};

function refreshSessions(): Promise<void> {
  return refresh("GetSessions");
}

const uploads: ReadonlySet<string> = new Set<SentAs<"files">>([
  "SaveProfile",
  "SaveEquipmentLog",
  "SaveFlightLog",
  "EditLog",
  "UploadImageForFlight",
  "UploadUserDocument",
  "UploadImport",
]);

/**
 * Sends a change and settles what follows from its answer. Sent again with the same id it has no second effect: the
 * answer is the object as it is now, and empty when that is gone.
 */
export async function perform<Name extends Written>(
  name: Name,
  fields: Fields<Name>,
  requestId: string,
  transfer: Transfer = {},
): Promise<Answer<Name> | undefined> {
  const rule: Rule<Name> = writes[name] as never;
  const { settle, failed, ifGone, standstillMs } = rule;
  try {
    const limits = standstillMs === undefined ? transfer : { standstillMs, ...transfer };
    const sent: Promise<unknown> = uploads.has(name)
      ? upload(name as never, fields as never, requestId, limits)
      : write(name as never, fields as never, requestId);
    let answer = (await sent) as Answer<Name> | undefined;
    if (answer === undefined && typeof ifGone === "function") answer = await ifGone(fields);
    await settle?.(answer, fields);
    return answer;
  } catch (error) {
    endSessionOn401(error);
    failed?.(error, fields);
    throw error;
  }
}
