// Builders of the server's objects for unit tests: all fields as of a new object, but for those given.
import { each, noFields } from "../api/flightFields";
import type { Accepted } from "../api/generated/Accepted";
import type { BatteryPassport } from "../api/generated/BatteryPassport";
import type { BatteryReading } from "../api/generated/BatteryReading";
import type { Charging } from "../api/generated/Charging";
import type { Equipment } from "../api/generated/Equipment";
import type { Flight } from "../api/generated/Flight";
import type { FlightItem } from "../api/generated/FlightItem";
import type { FlightRow } from "../api/generated/FlightRow";
import type { Import } from "../api/generated/Import";
import type { ImportFile } from "../api/generated/ImportFile";
import { Kind } from "../api/generated/Kind";
import type { Log } from "../api/generated/Log";
import type { MaintenanceJob } from "../api/generated/MaintenanceJob";
import type { Proof } from "../api/generated/Proof";
import type { ProofRules } from "../api/generated/ProofRules";
import type { Proposal } from "../api/generated/Proposal";
import type { ReminderLine } from "../api/generated/ReminderLine";
import type { Review } from "../api/generated/Review";
import type { Statistics } from "../api/generated/Statistics";
import { emptyValues, numberFields } from "../screens/equipment/kinds";

/** What the pilot states of an item, unknown. */
const unstated = { ...emptyValues, ...each(numberFields, () => null) };

export function item(fields: Partial<Equipment> = {}): Equipment {
  return {
    ...unstated,
    dpfId: "i1",
    type: Kind.Copter,
    name: "Adler",
    deactivateTime: "",
    deactivateText: "",
    currentCharge: null,
    chargeCount: 0,
    usageTime: 0,
    lastFlight: "",
    lastChargeTime: "",
    endVoltage: null,
    lastCharging: null,
    state: null,
    stateVoltage: null,
    stateSince: "",
    light: null,
    doubtful: false,
    cycles: null,
    cyclesEstimated: false,
    cells: null,
    cellsGuessed: false,
    chemistry: null,
    fullDays: null,
    storageVoltage: null,
    set: null,
    number: null,
    sticker: "",
    ...fields,
  };
}

export function battery(fields: Partial<Equipment> = {}): Equipment {
  // The voltage of a pack whose state is known tells that state.
  const stateVoltage = fields.state ? (fields.currentCharge ?? null) : null;
  const own = { dpfId: "b1", type: Kind.Battery, name: "Akku 1", light: "green", stateVoltage } as const;
  return item({ ...own, ...fields });
}

export function flightItem(fields: Partial<FlightItem> = {}): FlightItem {
  return { dpfId: "i1", type: Kind.Copter, name: "Adler", model: "", weight: null, ...fields };
}

/** A flight that has ended. */
export function flight(fields: Partial<Flight> = {}): Flight {
  return {
    dpfId: "f1",
    startTime: "01.05.2026 10:00",
    startInstant: null,
    endInstant: null,
    maxDistance: null,
    weight: 0,
    copter: flightItem(),
    equipments: [],
    payloads: [],
    images: [],
    open: false,
    ...noFields,
    flightMode: "",
    ...fields,
  };
}

/** A flight in the list. */
export function row(of: Flight): FlightRow {
  const { dpfId, startTime, location, startLatitude, startLongitude, distance, maximumDistance } = of;
  const { maxDistance, speed, flightTime, maximumAltitude, weight, open, copter, equipments, payloads } = of;
  return {
    ...{ dpfId, startTime, location, startLatitude, startLongitude, distance, maximumDistance },
    ...{ maxDistance, speed, flightTime, maximumAltitude, weight, open, copter, equipments, payloads },
    firstImage: of.images[0] ?? null,
    path: [],
  };
}

export function charging(fields: Partial<Charging> = {}): Charging {
  return {
    dpfId: "c1",
    battery: "b1",
    chargeStartTime: "01.05.2026 10:00",
    chargeEndTime: "",
    fromVoltage: null,
    toVoltage: null,
    fromCellVoltage: null,
    toCellVoltage: null,
    charged: null,
    flight: null,
    details: null,
    ...fields,
  };
}

export function reading(fields: Partial<BatteryReading> = {}): BatteryReading {
  return {
    dpfId: "r1",
    battery: "b1",
    time: "01.05.2026 10:00",
    kind: 0,
    voltage: null,
    cellVoltages: [],
    resistances: [],
    temperature: null,
    charger: "",
    swollen: false,
    damaged: false,
    info: "",
    ofFile: false,
    ...fields,
  };
}

export function passport(fields: Partial<BatteryPassport> = {}): BatteryPassport {
  return {
    battery: battery(),
    profile: {
      ...{ chemistry: null, cells: null, parallel: null, cRate: null, connector: "", serial: "" },
      ...{ fullVoltage: null, storageVoltage: null, fullDays: null },
    },
    hints: [],
    dismissed: [],
    snoozedUntil: "",
    trend: { cycles: null, capacity: [], percent: null, line: null, forecast: "" },
    flightCount: 0,
    flights: [],
    readings: [],
    timeline: [],
    ...fields,
  };
}

export function log(fields: Partial<Log> = {}): Log {
  return {
    dpfId: "l1",
    info: "Propeller getauscht",
    time: "01.05.2026 10:00",
    createTime: "01.05.2026 10:00",
    documentObj: null,
    ...fields,
  };
}

/** The look back of a pilot without a flight. */
export const noReview: Review = {
  ...{ name: "", flights: 0, minutes: 0, distance: 0, days: [], months: [], monthsBefore: [], years: [] },
  ...{ longest: null, furthest: null, highest: null, fastest: null },
  places: { count: 0, most: [] },
  copters: { count: 0, most: [] },
  batteries: { count: 0, most: [] },
  paths: [],
};

/** The statistics of a pilot without a flight. */
export const noStatistics: Statistics = {
  totalFlightTime: "",
  totalFlightCount: "0",
  averageFlightTime: "",
  maximumFlightTime: "",
  maximumFlightTimeDate: "",
  maximumFlightTimeDpfId: "",
  totalDistance: "",
  maximumDistance: "",
  maximumDistanceDate: "",
  maximumDistanceDpfId: "",
  maximumSpeed: "",
  maximumSpeedDate: "",
  maximumSpeedDpfId: "",
  averageSpeed: "",
  maximumAltitude: "",
  maximumAltitudeDate: "",
  maximumAltitudeDpfId: "",
  averageAltitude: "",
  averagePowerConsumption: "",
};

/** A flight found in a file. */
export function proposal(key: string, fields: Partial<Proposal> = {}): Proposal {
  return {
    key,
    file: Number(key.split("-")[0]),
    startTime: "09.05.2026 10:02",
    startTimeFile: "",
    shiftMinutes: 0,
    ...noFields,
    flightTime: 5.2,
    payloads: [],
    copter: null,
    copterName: "",
    copterModel: "",
    equipments: [],
    unknownPacks: [],
    twin: null,
    open: false,
    ticked: true,
    hints: [],
    track: [],
    ...fields,
  };
}

export function importFile(name: string, fields: Partial<ImportFile> = {}): ImportFile {
  const table = { columns: null, separator: "", decimal: "", dateOrder: "", year: null, questions: [] };
  return { name, size: "1,4 KB", format: "edgetx", message: "", surplus: 0, ...table, ...fields };
}

/** What was found in these files, without anything besides flights. */
export function found(files: ImportFile[], proposals: Proposal[], fields: Partial<Import> = {}): Import {
  const others = { newItems: [], belongings: [], omitted: [] };
  return { dpfId: "i1", time: "09.05.2026 12:00", files, proposals, ...others, ...fields };
}

/** The outcome of an import that brought nothing but these flights. */
export function accepted(fields: Partial<Accepted> = {}): Accepted {
  const parts = { items: 0, chargings: 0, readings: 0, sets: 0, logs: 0, documents: 0, images: 0 };
  const moved = { ...parts, missing: 0 };
  return { created: [], completed: [], skipped: 0, moved, minutes: 0, distance: 0, paths: [], ...fields };
}

/** A job that is half used. */
export function maintenanceJob(fields: Partial<MaintenanceJob> = {}): MaintenanceJob {
  return {
    dpfId: "c1",
    itemName: "Nazgul F5",
    itemType: Kind.Copter,
    jobId: "j1",
    title: "Propeller prüfen",
    steps: [],
    limits: { hours: null, flights: 10, cycles: null, days: null, date: null },
    repeat: "done",
    warnShare: 10,
    source: "",
    template: "",
    since: "01.03.2026 09:05",
    counters: { hours: 0.5, flights: 5, flightsWithoutTime: 0, cycles: null, days: 12 },
    rest: 0.5,
    level: "green",
    text: "noch 5 Flüge (5 von 10)",
    forecast: null,
    paused: false,
    archived: false,
    putOff: null,
    lastRun: null,
    ...fields,
  };
}

/** A pack that is full for days. */
export function reminder(fields: Partial<ReminderLine> = {}): ReminderLine {
  return {
    topic: "battery",
    dpfId: "b1",
    name: "Akku 1",
    kind: Kind.Battery,
    level: "amber",
    text: "Seit 4 Tagen voll.",
    title: null,
    jobId: null,
    rule: "full",
    canDismiss: false,
    link: "/equipments/1/b1",
    ...fields,
  };
}

export function proof(fields: Partial<Proof> = {}): Proof {
  return {
    dpfId: "d1",
    name: "A2.pdf",
    description: "Zeugnis",
    kind: 1,
    kindName: "A2",
    kindLongName: "EU-Fernpilotenzeugnis A2",
    number: "DE-RP-1",
    since: "",
    until: "14.03.2031",
    endless: false,
    remind: true,
    light: "green",
    sentence: "Läuft in 4 Jahren ab.",
    daysLeft: 1567,
    pages: [],
    replaces: "",
    replacedBy: "",
    ...fields,
  };
}

export const proofKinds: ProofRules[] = [
  {
    kind: 1,
    name: "A2",
    longName: "EU-Fernpilotenzeugnis A2",
    numberName: "Fernpiloten-ID",
    proposedUntil: "28.11.2031",
    endless: false,
    steps: [180, 90, 30, 14, 7, 0],
    note: "Verlängern geht nur vor dem Ende.",
    termYears: 5,
  },
  {
    kind: 3,
    name: "e-ID",
    longName: "e-ID (UAS-Betreibernummer)",
    numberName: "e-ID",
    proposedUntil: "",
    endless: true,
    steps: [],
    note: "",
    termYears: 0,
  },
];
