// Applies queued writes to the server's answers, so that the screens show both. Pure.
import type { Fields } from "../api/client";
import { type FlightsPage, withFlight } from "../api/flightLists";
import type { AllEquipments } from "../api/generated/AllEquipments";
import type { Charging } from "../api/generated/Charging";
import type { Chargings } from "../api/generated/Chargings";
import type { Equipment } from "../api/generated/Equipment";
import type { Flight } from "../api/generated/Flight";
import type { FlightRow } from "../api/generated/FlightRow";
import { Kind } from "../api/generated/Kind";
import type { Log } from "../api/generated/Log";
import type { MaintenanceJob } from "../api/generated/MaintenanceJob";
import type { ReminderLine } from "../api/generated/ReminderLine";
import type { Rule } from "../api/generated/Rule";
import { sortableTime } from "../lib/dates";
import { parseNumber } from "../lib/numbers";
import { fullVolts, stateAt } from "./cells";
import { follows, isAboutJob, targetOf } from "./order";
import type { QueueableWrite, QueuedWrite } from "./queuedWrites";
import { withFields } from "./values";

/** Whether a write may only be sent after a queued one. */
export function comesAfter(
  queued: QueueableWrite,
  requestId: string,
  entries: readonly QueuedWrite[],
): boolean {
  const ordered = { ...queued, ...targetOf(queued, requestId) };
  return entries.some((earlier) => follows(ordered, earlier));
}

/** The answer of a call with the queued writes applied. */
export function withQueued(
  name: string,
  fields: object,
  answer: unknown,
  entries: readonly QueuedWrite[],
): unknown {
  switch (name) {
    case "GetFlight":
      return flightWithQueued(answer as Flight, entries);
    case "GetFlights":
      return listWithQueued(answer as FlightRow[] | undefined, fields as Fields<"GetFlights">, entries);
    case "GetAllEquipments":
      return allWithQueued(answer as AllEquipments, entries);
    case "GetEquipments":
      return (answer as Equipment[]).map((item) => itemWithQueued(item, entries));
    case "GetEquipment":
    case "GetSticker":
      return itemWithQueued(answer as Equipment, entries);
    case "GetReminders":
      return remindersWithQueued(answer as ReminderLine[], entries);
    case "GetMaintenance":
      return (answer as MaintenanceJob[]).map((job) => jobWithQueued(job, entries));
    case "GetChargings":
      return historyWithQueued(answer as Chargings, (fields as Fields<"GetChargings">).battery, entries);
    case "GetEquipmentLogs":
    case "GetFlightLogs": {
      const list = answer as { logs: Log[] };
      return { ...list, logs: logsWithQueued(list.logs, (fields as { dpfId: string }).dpfId, entries) };
    }
    default:
      return answer;
  }
}

/** The id of the open flight, with the queued writes applied. */
export function openFlightWithQueued(
  openFlight: string | null,
  entries: readonly QueuedWrite[],
): string | null {
  let open = openFlight;
  for (const entry of entries) {
    if (entry.call === "CreateFlight" && entry.state !== "stuck") open = entry.object;
    else if (entry.object === open && isOver(entry)) open = null;
  }
  return open;
}

function isOver({ call, fields }: QueuedWrite): boolean {
  return (
    call === "AddFlight" || call === "DeleteFlight" || (call === "SaveFlight" && fields.endFlight === true)
  );
}

/** Whether the write has a conflict: until the pilot decides, the server's values are shown. */
function isUndecided({ problem }: QueuedWrite): boolean {
  return problem?.kind === "clash";
}

export function flightWithQueued(flight: Flight, entries: readonly QueuedWrite[]): Flight {
  let shownFlight = flight;
  for (const entry of entries) {
    if (entry.object !== flight.dpfId) continue;
    if (entry.call === "AddFlight") {
      const { flight: fields, endInstant = null } = entry.fields;
      shownFlight = { ...withFields(shownFlight, fields), endInstant, open: false };
    } else if (entry.call === "CreateFlight") {
      const { startTime, flight: fields } = entry.fields;
      shownFlight = withFields(shownFlight, { ...fields, startTime: startTime ?? "" });
    } else if (entry.call === "SaveFlight" && !isUndecided(entry)) {
      shownFlight = withFields(shownFlight, entry.fields.flight);
      const { endFlight, endInstant = null } = entry.fields;
      if (endFlight) shownFlight = { ...shownFlight, endInstant, open: false };
    }
  }
  return shownFlight;
}

/** Flights that were created on this device and not sent yet. */
export function flightsCreatedHere(entries: readonly QueuedWrite[]): Flight[] {
  return entries.flatMap(({ call, flight }) =>
    flight !== null && (call === "CreateFlight" || call === "AddFlight")
      ? [flightWithQueued(flight, entries)]
      : [],
  );
}

/** Rows of the changed flights; null for a deleted one. */
function changedRows(entries: readonly QueuedWrite[]): Map<string, FlightRow | null> {
  const rows = new Map<string, FlightRow | null>();
  for (const { call, object, flight } of entries) {
    if (call === "DeleteFlight") rows.set(object, null);
    else if (flight !== null) rows.set(object, rowOf(flightWithQueued(flight, entries)));
  }
  return rows;
}

function rowOf(flight: Flight): FlightRow {
  return { ...flight, firstImage: flight.images[0] ?? null, path: [] };
}

function listWithQueued(
  rows: FlightRow[] | undefined,
  { equipment, limit, before, after }: Fields<"GetFlights">,
  entries: readonly QueuedWrite[],
): FlightRow[] {
  const known = rows ?? [];
  if (before || after) return known;
  const isLast = !limit || known.length < Number(limit);
  const [page] = pagesWithQueued([{ rows: known, isLast }], equipment ?? null, entries);
  return limit ? (page?.rows ?? []).slice(0, Number(limit)) : (page?.rows ?? []);
}

/** The pages of all flights, or of those with an item. */
export function pagesWithQueued(
  pages: FlightsPage[],
  equipment: string | null,
  entries: readonly QueuedWrite[],
): FlightsPage[] {
  let all = pages;
  for (const [dpfId, row] of changedRows(entries)) {
    const isListed = row === null || equipment === null || itemsOf(row).includes(equipment);
    if (!isListed) continue;
    // The list may have a newer image than the queued flight.
    const known = pages.flatMap(({ rows }) => rows).find((other) => other.dpfId === dpfId);
    const shownRow = row && known ? { ...row, firstImage: known.firstImage } : row;
    all = withFlight(all, dpfId, shownRow);
  }
  return all;
}

function itemsOf({ copter, equipments }: Pick<Flight, "copter" | "equipments">): string[] {
  return [copter, ...equipments].map(({ dpfId }) => dpfId);
}

function allWithQueued(all: AllEquipments, entries: readonly QueuedWrite[]): AllEquipments {
  const lists = Object.entries(all).map(([kind, items]) => [
    kind,
    items.map((item) => itemWithQueued(item, entries)),
  ]);
  return Object.fromEntries(lists);
}

/** V of a cell from which a pack counts as full. */
const fullCellVolts = 4.1;

function itemWithQueued(item: Equipment, entries: readonly QueuedWrite[]): Equipment {
  let one = item;
  for (const entry of entries) {
    if (entry.call === "SaveCharging" && entry.subject === item.dpfId) {
      if (!isUndecided(entry)) one = afterCharging(one, entry);
    } else if (isPackUpdate(entry) && entry.subject.split(";").includes(item.dpfId))
      one = afterPackUpdate(one, entry);
    else if (entry.flight !== null && itemsOf(entry.flight).includes(item.dpfId))
      one = afterFlight(one, entry, entries);
  }
  return one;
}

function afterFlight(item: Equipment, entry: QueuedWrite, entries: readonly QueuedWrite[]): Equipment {
  if (entry.flight === null) return item;
  if (entry.call === "DeleteFlight") return freed(item, entry.flight.startTime);
  const { startTime, open, batteryEndVoltage } = flightWithQueued(entry.flight, entries);
  const isNewest = sortableTime(startTime) >= sortableTime(item.lastFlight);
  const left = open ? item : freed(item, startTime);
  const used = isNewest ? { ...left, lastFlight: startTime } : left;
  if (item.type !== Kind.Battery || !isNewest) return used;
  if (open) return { ...used, state: "flying", stateVoltage: null };
  // The server evaluates the voltage.
  const currentCharge = batteryEndVoltage ?? used.currentCharge;
  return { ...used, state: null, stateVoltage: null, currentCharge };
}

/** An item of a space after the own flight that began at `startTime`. */
function freed(item: Equipment, startTime: string): Equipment {
  if (item.inUse?.since !== startTime) return item;
  const { inUse: _, ...free } = item;
  return free;
}

function afterCharging(item: Equipment, entry: Extract<QueuedWrite, { call: "SaveCharging" }>): Equipment {
  const { fields } = entry;
  if (!fields.dpfId) {
    return { ...item, lastCharging: chargingOf(entry, null), state: "charging", stateVoltage: null };
  }
  if (!fields.chargeEndTime || item.lastCharging?.dpfId !== fields.dpfId) return item;
  const voltage = parseNumber(String(fields.toVoltage ?? ""));
  const isFull = voltage !== null && item.cells !== null && voltage / item.cells >= fullCellVolts;
  return {
    ...item,
    lastCharging: null,
    lastChargeTime: fields.chargeEndTime,
    currentCharge: voltage,
    chargeCount: item.chargeCount + 1,
    state: isFull ? "full" : null,
    stateVoltage: isFull ? voltage : null,
  };
}

type PackUpdate = Extract<QueuedWrite, { call: "QuickCharge" | "QuickStore" | "SaveBatteryReading" }>;

function isPackUpdate(entry: QueuedWrite): entry is PackUpdate {
  const { call } = entry;
  return call === "QuickCharge" || call === "QuickStore" || call === "SaveBatteryReading";
}

/** The pack after a quick charge, a quick store or a reading. */
function afterPackUpdate(item: Equipment, entry: PackUpdate): Equipment {
  const { time } = entry.fields;
  if (entry.call === "SaveBatteryReading") {
    const volts = parseNumber(String(entry.fields.voltage ?? ""));
    if (volts === null) return item;
    const state = stateAt(item, volts);
    return { ...item, currentCharge: volts, state, stateVoltage: volts, stateSince: time ?? "" };
  }
  const isCharged = entry.call === "QuickCharge";
  const volts = isCharged ? fullVolts(item) : item.storageVoltage;
  return {
    ...item,
    lastCharging: null,
    lastChargeTime: time ?? "",
    currentCharge: volts ?? item.currentCharge,
    stateVoltage: volts,
    chargeCount: item.chargeCount + (isCharged ? 1 : 0),
    state: isCharged ? "full" : "storage",
    stateSince: time ?? "",
  };
}

function chargingOf(
  entry: Extract<QueuedWrite, { call: "SaveCharging" }>,
  before: Charging | null,
): Charging {
  const {
    battery,
    dpfId,
    charging,
    requestId: _,
    ...typed
  } = entry.fields as typeof entry.fields & {
    requestId?: string;
  };
  const none = {
    fromVoltage: null,
    toVoltage: null,
    fromCellVoltage: null,
    toCellVoltage: null,
    charged: null,
  };
  const empty = {
    battery,
    dpfId: dpfId ?? charging ?? "",
    chargeStartTime: "",
    chargeEndTime: "",
    flight: null,
  };
  const fields = Object.entries(typed).map(([name, value]) => [
    name,
    name.endsWith("Time") ? value : parseNumber(String(value ?? "")),
  ]);
  // The author of a charging is the member who finishes it.
  const isAuthor = before === null || before.chargeEndTime === "";
  return { ...empty, ...none, ...before, ...Object.fromEntries(fields), ...(isAuthor && { mine: true }) };
}

function historyWithQueued(history: Chargings, battery: string, entries: readonly QueuedWrite[]): Chargings {
  let { chargings } = history;
  for (const entry of entries) {
    if (entry.call !== "SaveCharging" || entry.subject !== battery || isUndecided(entry)) continue;
    const before = chargings.find(({ dpfId }) => dpfId === entry.object) ?? null;
    const others = chargings.filter((other) => other !== before);
    chargings = [chargingOf(entry, before), ...others].toSorted(
      (one, other) => sortableTime(other.chargeStartTime) - sortableTime(one.chargeStartTime),
    );
  }
  return { ...history, chargings };
}

/** Whether the write is about a job and wasn't refused. */
function changesJob(entry: QueuedWrite): boolean {
  return isAboutJob(entry) && entry.state !== "stuck";
}

/** What is to be done, without jobs that are done, skipped or put off already. */
/** Rules of packs whose hint ends with a quick charge or a quick store. */
const endedByQuick: ReadonlySet<Rule | null> = new Set<Rule>(["full", "empty", "chargingOpen"]);

function remindersWithQueued(lines: ReminderLine[], entries: readonly QueuedWrite[]): ReminderLine[] {
  const jobs = new Set(entries.filter(changesJob).map(({ subject }) => subject));
  const quick = entries.filter(({ call }) => call === "QuickCharge" || call === "QuickStore");
  const packs = new Set(quick.flatMap(({ subject }) => subject.split(";")));
  const isDone = ({ jobId, rule, dpfId }: ReminderLine) =>
    jobId === null ? endedByQuick.has(rule) && packs.has(dpfId) : jobs.has(jobId);
  return lines.filter((line) => !isDone(line));
}

function jobWithQueued(job: MaintenanceJob, entries: readonly QueuedWrite[]): MaintenanceJob {
  const last = entries.findLast((entry) => changesJob(entry) && entry.subject === job.jobId);
  if (last === undefined) return job;
  if (last.call === "PutOffJob") {
    const { until, days, flights, hours } = last.fields;
    const isPutOff = [until, days, flights, hours].some((limit) => limit != null);
    return isPutOff ? { ...job, level: "grey", text: "verschoben" } : { ...job, putOff: null };
  }
  const isOver = last.call === "CompleteJob" && job.repeat === "once";
  return {
    ...job,
    ...{ rest: isOver ? null : 1, level: isOver ? "grey" : "green", archived: isOver },
    ...{ text: last.call === "SkipJob" ? "übersprungen" : "erledigt", forecast: null, putOff: null },
  };
}

function logsWithQueued(logs: Log[], subject: string, entries: readonly QueuedWrite[]): Log[] {
  let all = logs;
  for (const entry of entries) {
    const { object } = entry;
    if (entry.call === "DeleteLog") all = all.filter(({ dpfId }) => dpfId !== object);
    else if (entry.call === "EditLog" && !isUndecided(entry)) {
      const { info, time, removeDocument } = entry.fields;
      all = all.map((log) =>
        log.dpfId === object
          ? { ...log, info, time, documentObj: removeDocument ? null : log.documentObj }
          : log,
      );
    } else if (entry.call === "SaveEquipmentLog" || entry.call === "SaveFlightLog") {
      if (entry.subject !== subject) continue;
      const { info, time } = entry.fields;
      const log = { dpfId: object, info, time, createTime: time, documentObj: null, mine: true };
      all = [log, ...all.filter(({ dpfId }) => dpfId !== object)];
    }
  }
  return all.toSorted((one, other) => sortableTime(other.time) - sortableTime(one.time));
}
