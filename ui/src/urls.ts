// All URLs of the application: screens (relative to the base path), calls, files of the server, external links.
import { Kind } from "./api/generated/Kind";

export const basePath = "/app";

export const urls = {
  start: "/",
  login: "/login",
  loginConfirmation: "/loginConfirmation",
  register: "/register",
  setup: "/setup",
  invitation: "/invitation",
  passwordReset: "/passwordReset",
  newAddress: "/newAddress",
  profile: "/myProfile",
  password: "/myProfile#password",
  contact: "/myProfile#contact",
  home: "/home",
  certificate: "/zertifikat",
  impressum: "/impressum",
  dataprivacy: "/dataprivacy",
  equipments: (type: Kind) => `/equipments/${type}`,
  retiredEquipments: (type: Kind) => `/equipments/${type}?${retiredParameter}=true`,
  newEquipment: (type: Kind) => `/equipments/${type}/editor`,
  equipment: (type: Kind, dpfId: string) => `/equipments/${type}/editor/${dpfId}`,
  item: (type: Kind, dpfId: string) => `/equipments/${type}/${dpfId}`,
  itemHistory: (dpfId: string) => `/equipments/${Kind.Battery}/${dpfId}?${historyParameter}=${dpfId}`,
  reading: (battery: string, reading = "new") => `/equipments/${Kind.Battery}/passport/${battery}/${reading}`,
  review: "/review",
  flights: "/flights",
  reviewOf: (parameters: URLSearchParams) => `/review?${parameters}`,
  /** The list of flights, filtered by words and a copter. */
  flightsWith: (words: string, copter: string) =>
    `/flights?${new URLSearchParams({ suche: words, ...(copter !== "" && { copter }) })}`,
  flightConfig: "/flights/config",
  addFlight: "/flights/add",
  importFlights: "/flights/import",
  logbook: "/flights/import/logbook",
  voltages: "/flights/voltages",
  import: (dpfId: string) => `/flights/import/${dpfId}`,
  flight: (dpfId: string) => `/flights/${dpfId}`,
  flightOfItem: (dpfId: string, item: string) => `/flights/${dpfId}?${itemParameter}=${item}`,
  newFlight: (dpfId: string) => `/flights/${dpfId}/new`,
  finishFlight: (dpfId: string) => `/flights/${dpfId}/finish`,
  editFlight: (dpfId: string) => `/flights/${dpfId}/edit`,
  equipmentLogs: (type: Kind, dpfId: string) => `/equipments/${type}/logs/${dpfId}`,
  documents: "/myDocuments",
  /** The upload of the proof that replaces this one. */
  renewedProof: (dpfId: string) => `/myDocuments?${new URLSearchParams({ [renewedParameter]: dpfId })}`,
  proofs: "/proofs",
  proof: (dpfId: string) => `/proofs/${dpfId}`,
  sticker: (code: string) => `/s/${code}`,
  numberPad: "/number",
  /** The sheet of the item with this number; of several, the one that is named. */
  number: (number: string, item = "") => `/number/${number}${item && `?${itemParameter}=${item}`}`,
  labels: "/equipments/labels",
  /** The labels of one item, or of all items of a kind. */
  labelsOf: (what: string | Kind) => `/equipments/labels?${itemParameter}=${what}`,
  finishOpenFlight: "/flights/finish",
  waiting: "/waiting",
  todo: "/todo",
  spaces: "/spaces",
  /** Creates a space, and moves an item into it. */
  shareItem: (item: string) => `/spaces?${itemParameter}=${item}`,
  space: (dpfId: string) => `/spaces/${dpfId}`,
  spacePart: (dpfId: string, part: string) => `/spaces/${dpfId}?${partParameter}=${part}`,
  spaceInvitation: "/invite",
  /** The page of an invitation after a login. */
  spaceInvitationOf: (token: string) => `/invite#${token}`,
  admin: "/admin",
  adminPart: (part: string) => `/admin?${adminParameter}=${part}`,
};

/** Query parameter of the admin's page: the open part. */
export const adminParameter = "bereich";

/** Query parameter of a space's page: the part that is shown. */
export const partParameter = "teil";

/** Query parameter of an equipment list: shows the retired items. */
export const retiredParameter = "ausgemustert";

/** Query parameter of a battery or the list of batteries: the battery whose charging history is open. */
export const historyParameter = "verlauf";

/**
 * Query parameter of a flight: the item whose flights are its neighbours. Of the labels: the item or kind to print. Of
 * what is to be done: the item.
 */
export const itemParameter = "equipment";

/** Query parameter of an item: shows all its flights. */
export const allFlightsParameter = "alleFluege";

/** Query parameter of the documents: the proof that is renewed. */
export const renewedParameter = "verlaengert";

export const workerUrl = `${basePath}/sw.js`;

/** Home, past the service worker: a captive portal or a proxy's login shows itself there. */
export const networkUrl = `${basePath}/?network`;
export const healthUrl = `${basePath}/health`;

export function callUrl(name: string): string {
  return `${basePath}/api/${name}`;
}

export function imageUrl(uuid: string): string {
  return `${callUrl("GetImage")}?uuid=${uuid}`;
}

export function imagePreviewUrl(uuid: string): string {
  return `${callUrl("GetImagePreview")}?uuid=${uuid}`;
}

/** Download of a backup archive. */
export const downloadBackupUrl = callUrl("DownloadBackup");

/** Shows a document in its own window. */
export function documentUrl(dpfId: string): string {
  return `${callUrl("GetDocument")}?dpfId=${dpfId}`;
}

/** Download of all data of the pilot, or of the equipment of a space. */
export function exportUrl({ withoutFiles, space }: { withoutFiles: boolean; space?: string }): string {
  if (space !== undefined) return `${callUrl("GetExport")}?space=${space}`;
  return callUrl("GetExport") + (withoutFiles ? "?withoutFiles=true" : "");
}

export function legalTextUrl(name: string): string {
  return `${basePath}/legal/${name}.txt`;
}

/** The root of the site, outside of the application's routes. */
export const siteRoot = "/";

export function mapUrl(latitude: number, longitude: number): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
}

/** A map without a marker, for choosing a place. */
export const mapStartUrl = "https://www.openstreetmap.org/";
