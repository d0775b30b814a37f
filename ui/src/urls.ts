// Every address in the application: screens (relative to the base path), calls, files of the server, external links.
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
  packsByAttention: `/equipments/${Kind.Battery}?sortierung=aufmerksamkeit`,
  retiredEquipments: (type: Kind) => `/equipments/${type}?${retiredParameter}=true`,
  newEquipment: (type: Kind) => `/equipments/${type}/editor`,
  equipment: (type: Kind, dpfId: string) => `/equipments/${type}/editor/${dpfId}`,
  item: (type: Kind, dpfId: string) => `/equipments/${type}/${dpfId}`,
  itemHistory: (dpfId: string) => `/equipments/${Kind.Battery}/${dpfId}?${historyParameter}=${dpfId}`,
  passport: (dpfId: string) => `/equipments/${Kind.Battery}/passport/${dpfId}`,
  reading: (battery: string, reading = "new") => `/equipments/${Kind.Battery}/passport/${battery}/${reading}`,
  review: "/review",
  flights: "/flights",
  reviewOf: (parameters: URLSearchParams) => `/review?${parameters}`,
  /** Those whose day, place and so on have these words. */
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
  sticker: (code: string) => `/s/${code}`,
  numberPad: "/number",
  number: (number: string) => `/number/${number}`,
  labels: "/equipments/labels",
  /** For an item, or all of a kind. */
  labelsOf: (what: string | Kind) => `/equipments/labels?${itemParameter}=${what}`,
  finishOpenFlight: "/flights/finish",
  waiting: "/waiting",
  admin: "/admin",
  adminPart: (part: string) => `/admin?${adminParameter}=${part}`,
};

/** In the address of the admin's page: the part that is open. */
export const adminParameter = "bereich";

/** In the address of an equipment list: shows the retired items. */
export const retiredParameter = "ausgemustert";

/** In the address of the list of batteries or of one: the one whose charging history is open. */
export const historyParameter = "verlauf";

/** In the address of a flight: the item whose flights are beside it. In that of the labels: what they are for. */
export const itemParameter = "equipment";

/** In the address of an item: shows all its flights. */
export const allFlightsParameter = "alleFluege";

export const workerUrl = `${basePath}/sw.js`;

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

/** An archive of everything on the server as a file. */
export const downloadBackupUrl = callUrl("DownloadBackup");

/** A document in a window of its own. */
export function documentUrl(dpfId: string): string {
  return `${callUrl("GetDocument")}?dpfId=${dpfId}`;
}

/** All data of the pilot as a file. */
export function exportUrl({ withoutFiles }: { withoutFiles: boolean }): string {
  return callUrl("GetExport") + (withoutFiles ? "?withoutFiles=true" : "");
}

export function legalTextUrl(name: string): string {
  return `${basePath}/legal/${name}.txt`;
}

/** The start of the site, outside of the application's own routing. */
export const siteRoot = "/";

export function mapUrl(latitude: number, longitude: number): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
}

/** A map without a place, to look for one. */
export const mapStartUrl = "https://www.openstreetmap.org/";
