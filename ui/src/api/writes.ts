// The rule of every write: how its answer updates the cache, and what is refetched. Independent of forms.
import { refresh, updateCached } from "./answers";
import { cache, type Session, sessionKey } from "./cache";
import { setCachedCharging } from "./chargings";
import { type Answer, type ChangingCall, call, type Fields, NetworkFailure } from "./client";
import { refreshDocuments, refreshProofs, setCachedDocument } from "./documents";
import { refreshEquipment, setCachedItem } from "./equipment";
import {
  fetchFlight,
  flightAdded,
  flightDeleted,
  flightNotSaved,
  flightNotStarted,
  flightStarted,
  refreshFlight,
  refreshFlights,
  setCachedFlight,
  setCachedImages,
} from "./flights";
import type { DetailedUser } from "./generated/DetailedUser";
import {
  evaluationMs,
  refreshImportList,
  refreshImports,
  setCachedImport,
  setCachedMapping,
} from "./imports";
import { refreshLogs, setCachedLog } from "./logs";

/** Writes by their call's name. A share is ended outside of this scheme, when its page closes. */
export type WriteCall = Exclude<ChangingCall, "StopShareDocument">;

export type WriteRule<Name extends WriteCall> = {
  /** Called with the answer; it is empty when there is nothing to show or the object was deleted meanwhile. */
  settle?: (answer: Answer<Name> | undefined, fields: Fields<Name>) => unknown;
  /** Called after a refusal, or when the answer was lost. */
  failed?: (error: unknown, fields: Fields<Name>) => unknown;
  /** A repetition whose object was deleted meanwhile: "anew" creates it again, a function gives the answer. */
  ifGone?: "anew" | ((fields: Fields<Name>) => Promise<Answer<Name>>);
  /** As `Transfer.standstillMs`. */
  standstillMs?: number;
};

const ofItem = { settle: setCachedItem, failed: refreshEquipment };
const ofPacks = { settle: refreshEquipment, failed: refreshEquipment };
/** What is done about a job is a log, too. */
const ofJobs = { settle: refreshJobs, failed: refreshJobs };
const ofProofs = { settle: refreshProofs, failed: refreshProofs };
const ofSpaces = { settle: refreshSpaces, failed: () => void refreshSpaces() };
const ofShared = { settle: refreshShared, failed: () => void refreshShared() };
const ofNewLog = { settle: refreshLogsLater, failed: refreshLogsLater, ifGone: "anew" } as const;

function refreshLogsLater(): void {
  refreshLogs();
}

function refreshJobs(): void {
  refreshEquipment();
  refreshLogs();
}

/** What a membership decides, except for the equipment. */
async function refreshSpaces(): Promise<void> {
  cache.invalidateQueries({ queryKey: sessionKey });
  await refresh("GetSpaces", "GetMembers", "GetInvitations");
}

/** The pilot sees other equipment than before, or it belongs to somebody else. */
async function refreshShared(): Promise<void> {
  await Promise.all([refreshSpaces(), refreshEquipment(), refreshLogs()]);
}

export const writes: { [Name in WriteCall]: WriteRule<Name> } = {
  SendFeedback: {},
  EndAccessToken: { settle: refreshAccessTokens, failed: refreshAccessTokens },
  EndSession: { settle: refreshSessions, failed: refreshSessions },
  SaveProfile: {
    settle: (user, { photo: _, removePhoto: __, ...names }) => {
      if (user)
        cache.setQueryData<Session>(sessionKey, (before) => ({ leftOnPurpose: false, ...before, user }));
      updateCached("GetDetailedUser", {}, (details) => {
        return { ...details, ...names, photo: user?.photo ?? details.photo } as DetailedUser;
      });
      refresh("GetDetailedUser");
    },
  },
  SaveContact: { settle: () => refresh("GetDetailedUser") },
  SaveNewEquipment: ofItem,
  SaveEditEquipment: ofItem,
  SaveBatteryProfile: ofItem,
  QuickCharge: ofPacks,
  QuickStore: ofPacks,
  Undo: ofPacks,
  SnoozeBattery: ofPacks,
  SaveReminder: { settle: (reminder) => reminder && updateCached("GetReminder", {}, () => reminder) },
  SaveBatterySet: { ...ofPacks, ifGone: "anew" },
  DeleteBatterySet: ofPacks,
  SaveJob: ofJobs,
  DeleteJob: ofJobs,
  CompleteJob: ofJobs,
  SkipJob: ofJobs,
  PutOffJob: ofJobs,
  PauseJob: ofJobs,
  DeleteJobRun: ofJobs,
  SaveBatteryReading: { ...ofPacks, ifGone: "anew" },
  EditBatteryReading: ofPacks,
  DeleteBatteryReading: ofPacks,
  SavePriorFlights: {
    settle: (prior, { dpfId }) => {
      if (prior && !dpfId) updateCached("GetPriorFlights", {}, () => prior);
      refresh("GetLogbookPreview");
      if (dpfId) return refreshEquipment();
    },
    failed: refreshEquipment,
  },
  SaveSticker: {},
  DeactivateEquipment: ofItem,
  ActivateEquipment: ofItem,
  MoveEquipment: ofShared,
  FreeEquipment: ofShared,
  SaveSpace: ofSpaces,
  LeaveSpace: ofShared,
  DissolveSpace: ofShared,
  AcceptSpaceInvitation: ofShared,
  SaveMember: ofSpaces,
  RemoveMember: ofSpaces,
  DeleteInvitation: ofSpaces,
  SaveCharging: { settle: setCachedCharging, failed: refreshEquipment },
  CreateFlight: { settle: (dpfId) => dpfId && flightStarted(dpfId), failed: flightNotStarted },
  AddFlight: { settle: flightAdded, failed: refreshEquipment },
  SaveFlight: {
    settle: setCachedFlight,
    failed: (error, { flight }) => flightNotSaved(error, flight.dpfId),
    ifGone: ({ flight }) => fetchFlight(flight.dpfId),
  },
  DeleteFlight: { settle: (_, { dpfId }) => flightDeleted(dpfId) },
  SaveEquipmentLog: ofNewLog,
  SaveFlightLog: ofNewLog,
  EditLog: {
    settle: (log) => {
      setCachedLog(log);
      refreshLogs();
    },
    failed: refreshLogsLater,
  },
  DeleteLog: { settle: refreshLogs, failed: refreshLogsLater },
  UploadImageForFlight: {
    settle: (images, { flight }) => setCachedImages(flight, images ?? []),
    // A cancelled or lost upload may still have arrived.
    failed: (_, { flight }) => refreshFlight(flight),
  },
  DeleteImage: {
    settle: (images, { flight }) => setCachedImages(flight, images ?? []),
    failed: (_, { flight }) => refreshFlight(flight),
  },
  UploadUserDocument: {
    settle: () => void refreshDocuments(),
    failed: () => void refreshDocuments(),
    ifGone: "anew",
  },
  EditUserDocument: {
    settle: (document) => {
      setCachedDocument(document);
      refreshDocuments();
    },
    failed: () => void refreshDocuments(),
  },
  DeleteUserDocument: { settle: refreshDocuments, failed: () => void refreshDocuments() },
  AddProof: { ...ofProofs, ifGone: "anew" },
  SaveProof: ofProofs,
  SaveProofPages: ofProofs,
  DeleteProof: ofProofs,
  UploadImport: {
    settle: (found) => {
      if (found) setCachedImport(found);
      refreshImportList();
    },
    failed: refreshImportList,
    // The import was accepted or discarded: evaluate the files again.
    ifGone: "anew",
    standstillMs: evaluationMs,
  },
  MapImportColumns: {
    settle: (mapped, { dpfId }) => setCachedMapping(mapped, dpfId),
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
  // The only page with this call updates the cache itself.
  MendVoltages: {},
  DiscardImport: { settle: refreshImportList, failed: refreshImportList },
};

function refreshAccessTokens(): void {
  refresh("GetAccessTokens");
}

function refreshSessions(): Promise<void> {
  return refresh("GetSessions");
}
