// The review of imported flights: the server's proposals, the pilot's changes, and the choices that follow. Pure
// functions: no React, no server.

import { numberFields } from "../../../api/flightFields";
import type { Belongings } from "../../../api/generated/Belongings";
import type { Equipment } from "../../../api/generated/Equipment";
import type { FlightRow } from "../../../api/generated/FlightRow";
import type { Import } from "../../../api/generated/Import";
import type { ImportFile } from "../../../api/generated/ImportFile";
import { Kind } from "../../../api/generated/Kind";
import type { Proposal } from "../../../api/generated/Proposal";
import type { Shifts } from "../../../api/imports";
import type { PicturedFlight } from "../../../components/FlightPicture";
import { usableAt } from "../../../components/start/readyFlight";
import {
  addMinutes,
  formatDateTime,
  minutesBetween,
  parseDateTime,
  sortableTime,
  utcOf,
  weekday,
} from "../../../lib/dates";
import { differing, isSame } from "../../../lib/drafts";
import type { Coordinates } from "../../../lib/gps";
import { formatNumber, formatQuantity, parseNumber } from "../../../lib/numbers";
import { pathThrough } from "../../../lib/sketch";
import { changedFields, type FlightValues, toValues } from "../flightForm";
import { imports, missing, questions } from "./texts";

/** What the import does with a ticked flight. */
export type Action = "create" | "fill" | "finish";

/** The pilot's changes of a proposal. */
export type Change = {
  isTicked?: boolean;
  action?: Action;
  copter?: string;
  equipments?: string[];
  startTime?: string;
  values?: Partial<FlightValues>;
};

/**
 * The pilot's changes of an import. Keys of `flights` are those of proposals, and of what an export has besides
 * flights.
 */
export type Changes = { flights: Record<string, Change>; shifts: Shifts; keepsFiles: boolean };

export const noChanges: Changes = { flights: {}, shifts: {}, keepsFiles: false };

/** A missing value of a flight to be created. */
type Need = "copter" | "startTime";

/** A proposal with the pilot's changes applied. */
export type Row = {
  proposal: Proposal;
  isTicked: boolean;
  action: Action;
  /** "" if unknown. */
  copter: string;
  equipments: string[];
  startTime: string;
  values: FlightValues;
  need: Need | null;
};

/** Returns the actions for a flight that may exist already; with a single one there is only the tick. */
export function actionsOf({ twin, open }: Proposal): Action[] {
  const actions: Action[] = [];
  if (open) actions.push("finish");
  if (twin?.dpfId) actions.push("fill");
  return [...actions, "create"];
}

/** Returns the rows of an import. `items`: all items of the pilot, retired ones included. */
export function rowsOf({ proposals }: Import, { flights }: Changes, items: readonly Equipment[]): Row[] {
  const chosen = proposals.find(({ key }) => flights[key]?.action === "finish");
  const finishes =
    chosen ?? proposals.find(({ key, open, ticked }) => open && ticked && !flights[key]?.action);
  return proposals.map((proposal) =>
    rowOf(proposal, flights[proposal.key] ?? {}, proposal === finishes, items),
  );
}

function rowOf(proposal: Proposal, change: Change, finishes: boolean, items: readonly Equipment[]): Row {
  const actions = actionsOf(proposal);
  const wanted = finishes ? "finish" : (change.action ?? actions.find((action) => action !== "finish"));
  const action = actions.find((one) => one === wanted) ?? "create";
  const isTicked = change.isTicked ?? proposal.ticked;
  const startTime = change.startTime ?? proposal.startTime;
  const usable = new Set(usableItems(startTime, items).map(({ dpfId }) => dpfId));
  const copter = change.copter ?? proposal.copter ?? "";
  const row = {
    proposal,
    isTicked,
    action,
    copter: usable.has(copter) ? copter : "",
    equipments: (change.equipments ?? proposal.equipments).filter((dpfId) => usable.has(dpfId)),
    startTime,
    values: { ...toValues(proposal), ...change.values, startTime },
  };
  return { ...row, need: needOf(row) };
}

function needOf({ isTicked, action, copter, startTime }: Omit<Row, "need">): Need | null {
  if (!isTicked || action !== "create") return null;
  if (startTime === "") return "startTime";
  return copter === "" ? "copter" : null;
}

/** Returns the items in use at this time; without a time, all items. */
function usableItems(startTime: string, items: readonly Equipment[]): Equipment[] {
  const active = items.filter(({ deactivateTime }) => deactivateTime === "");
  return usableAt(
    startTime,
    active,
    items.filter(({ deactivateTime }) => deactivateTime !== ""),
  );
}

export function itemsOf(kind: Kind, startTime: string, items: readonly Equipment[]): Equipment[] {
  return usableItems(startTime, items).filter(({ type }) => type === kind);
}

export function trackOf({ track }: Proposal): Coordinates[] {
  return track.map(([latitude = 0, longitude = 0]) => ({ latitude, longitude }));
}

/** What the picture of a flight is made of. */
export function pictureOf(proposal: Proposal): PicturedFlight {
  const { maximumDistance, maximumAltitude } = proposal;
  return { firstImage: null, path: pathThrough(trackOf(proposal)), maximumDistance, maximumAltitude };
}

/** Whether a file says more of a flight than its time, so that a drawing of it shows something. */
export function hasPicture(proposal: Proposal): boolean {
  const { maximumDistance, maximumAltitude } = proposal;
  return (maximumDistance ?? 0) > 0 || (maximumAltitude ?? 0) > 0 || trackOf(proposal).length > 1;
}

type Choice = { key: string; action: Action | "skip" } & Record<string, unknown>;

/** Encodes the choices for the server, one for each proposal. */
export function choicesOf({ belongings }: Import, rows: readonly Row[], changes: Changes): Choice[] {
  const { flights, keepsFiles } = changes;
  const along = belongings.map(
    (one): Choice => ({ key: one.key, action: importsAssets(one, changes) ? "create" : "skip" }),
  );
  const ofFlights = rows.map(({ proposal, isTicked, action, copter, equipments }): Choice => {
    const { key, shiftMinutes } = proposal;
    if (!isTicked) return { key, action: "skip" };
    const { startTime, values } = flights[key] ?? {};
    const changed = values && changedFields({ ...toValues(proposal), ...values }, proposal, "edit");
    const { startTime: _, ...flight } = changed ?? {};
    return {
      key,
      action,
      ...(action === "create" && { copter, equipments }),
      shiftMinutes,
      keepFile: keepsFiles,
      ...(startTime !== undefined && { startTime }),
      ...(Object.keys(flight).length > 0 && { flight }),
    };
  });
  return [...ofFlights, ...along];
}

/** Whether everything an export has besides flights is imported; the default is yes. */
export function importsAssets({ key }: Belongings, { flights }: Changes): boolean {
  return flights[key]?.isTicked ?? true;
}

/** Formats "2 Ladevorgänge, 1 Log und 3 Bilder"; "" for nothing. */
export function assetsText(counts: Partial<Record<keyof typeof imports.belongings, number>>): string {
  const kinds = Object.keys(imports.belongings) as (keyof typeof imports.belongings)[];
  const parts = kinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [imports.belongings[kind](count)] : [];
  });
  return new Intl.ListFormat("de").format(parts);
}

/** Returns the changes that the details make to a row: the values that differ from the proposal. */
export function changeOf(
  row: Row,
  { copter, equipments, ...values }: FlightValues & Pick<Row, "copter" | "equipments">,
): Change {
  const proposed = toValues(row.proposal);
  const { startTime, ...others } = differing(values, proposed, numberFields) as Partial<FlightValues>;
  return {
    copter,
    equipments,
    values: others,
    ...((startTime ?? row.startTime) !== row.proposal.startTime && { startTime: values.startTime }),
    ...(row.startTime === "" && startTime !== undefined && { isTicked: true }),
  };
}

/** Adds a change to a flight. Only one flight can finish the open one. */
export function withChange(changes: Changes, key: string, change: Change): Changes {
  const flights = { ...changes.flights };
  if (change.action === "finish") {
    for (const [other, before] of Object.entries(flights)) {
      if (before.action === "finish") flights[other] = { ...before, action: "create" };
    }
  }
  flights[key] = { ...flights[key], ...change };
  return { ...changes, flights };
}

/**
 * Sets the copter of a flight, and its last equipment except for packs. Other flights of the same model without a known
 * copter get it, too.
 */
export function withCopter(
  changes: Changes,
  key: string,
  copter: string,
  rows: readonly Row[],
  items: readonly Equipment[],
  flown: readonly FlightRow[],
): Changes {
  const own = rows.find(({ proposal }) => proposal.key === key)?.proposal;
  const alike = rows.filter(
    ({ proposal, copter: known }) =>
      proposal.key === key || (known === "" && own !== undefined && isSameModel(own, proposal)),
  );
  return alike.reduce(
    (all, row) =>
      withChange(all, row.proposal.key, { copter, equipments: equipmentLike(copter, row, items, flown) }),
    changes,
  );
}

function isNamed({ copterName, copterModel }: Proposal): boolean {
  return copterName !== "" || copterModel !== "";
}

/** A name for comparison, as the server compares it: case, blanks, hyphens and underscores don't count. */
export function normalized(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

/** The model that a file names, for comparison. */
function modelOf({ copterName, copterModel }: Proposal): string {
  return [copterName, copterModel].map(normalized).join("\n");
}

function isSameModel(one: Proposal, other: Proposal): boolean {
  return isNamed(one) && modelOf(one) === modelOf(other);
}

/**
 * Returns the rows that offer to create a copter: the first of each unknown model, and the first of each file without
 * model names.
 */
export function rowsForNewCopters(inOrder: readonly Row[]): Set<Row> {
  const offering = new Map<string, Row>();
  for (const row of inOrder.filter(({ need }) => need === "copter")) {
    const model = isNamed(row.proposal) ? modelOf(row.proposal) : String(row.proposal.file);
    if (!offering.has(model)) offering.set(model, row);
  }
  return new Set(offering.values());
}

/**
 * Returns the rows that offer to shift their file's times: the first without a start in each file whose clock is known.
 */
export function rowsForShifts(inOrder: readonly Row[]): Set<Row> {
  const offering = new Map<number, Row>();
  for (const row of inOrder) {
    const { startTime, startTimeFile, file } = row.proposal;
    const hasClock = startTime === "" && parseDateTime(startTimeFile) !== null;
    if (hasClock && !offering.has(file)) offering.set(file, row);
  }
  return new Set(offering.values());
}

function equipmentLike(
  copter: string,
  { equipments }: Row,
  items: readonly Equipment[],
  flown: readonly FlightRow[],
): string[] {
  const isPack = (dpfId: string) => items.some((item) => item.dpfId === dpfId && item.type === Kind.Battery);
  const last = flown.find((row) => !row.open && row.copter.dpfId === copter);
  const along = (last?.equipments ?? []).filter(({ type }) => type !== Kind.Battery);
  return [...equipments.filter(isPack), ...along.map(({ dpfId }) => dpfId)];
}

/**
 * Whether a file is the export of another Fluglog: its flights have items of their own, and are either imported already
 * or not.
 */
export function isExport({ files }: Import, file: number): boolean {
  return files[file]?.format === "fluglog";
}

/** Whether a flight was imported from the same file before and isn't ticked. */
export function isImported({ proposal, isTicked }: Row): boolean {
  return proposal.twin?.kind === "digest" && !isTicked;
}

/** Whether a file has more than the server accepts in one import. */
export function hasMore({ files, belongings }: Import): boolean {
  return files.some(({ surplus }) => surplus > 0) || belongings.some(({ left }) => left > 0);
}

/** Flights that probably have the copter of another one, and the text of the offer; no keys without an offer. */
type Alike = { keys: string[]; text: string };

/**
 * Returns the other ticked flights that would be created with a different copter: those of the row's model; if its file
 * names no model, those of the file; else those without a known copter whose file names none either.
 */
export function alikeOf(row: Row, rows: readonly Row[]): Alike {
  const { proposal } = row;
  const others = rows.filter(
    ({ isTicked, action, copter }) => isTicked && action === "create" && copter !== row.copter,
  );
  const kin = others.filter((other) =>
    isNamed(proposal)
      ? isSameModel(proposal, other.proposal)
      : !isNamed(other.proposal) && other.proposal.file === proposal.file,
  );
  const keysOf = (of: readonly Row[]) => of.map((other) => other.proposal.key);
  if (kin.length > 0) {
    const model = proposal.copterModel || proposal.copterName;
    const count = kin.length + 1;
    return { keys: keysOf(kin), text: model === "" ? imports.forAll(count) : imports.forModel(count, model) };
  }
  // Offered once, beside the first flight whose copter the pilot chose.
  const isChosen = (one: Row) => one.copter === row.copter && one.copter !== one.proposal.copter;
  const first = rows.find(isChosen)?.proposal.key;
  const unknown = others.filter(
    (other) => other.copter === "" && !isNamed(other.proposal) && first === proposal.key,
  );
  return { keys: keysOf(unknown), text: imports.forUnknown(unknown.length) };
}

/**
 * Formats "Whoop-3.csv · Mini 4 Pro · Akku A1": the file, if there are several, the copter that it names, and the packs
 * that the pilot doesn't have.
 */
export function originText(row: Row, { files }: Import, items: readonly Equipment[]): string {
  const { file, copterName, copterModel } = row.proposal;
  const name = files.length > 1 ? (files[file]?.name ?? "") : "";
  const copter = items.find(({ dpfId }) => dpfId === row.copter);
  const searched = [name, copter?.name ?? "", copter?.model ?? ""].map((text) => text.toLowerCase());
  const isNew = (text: string) =>
    text !== "" && !searched.some((known) => known.includes(text.toLowerCase()));
  const model = [copterModel, copterName].find(isNew) ?? "";
  const packs = unknownPacksOf(row, items);
  return joined([name, model, packs.length === 0 ? "" : imports.packs(packs.join(", "))]);
}

/** Returns the packs that a flight's file names and the pilot doesn't have. */
function unknownPacksOf({ proposal }: Row, items: readonly Equipment[]): string[] {
  if (proposal.unknownPacks.length === 0) return [];
  const own = items.filter(({ type }) => type === Kind.Battery).map(({ name }) => normalized(name));
  return proposal.unknownPacks.filter((name) => !own.includes(normalized(name)));
}

/** Returns the packs that new flights were flown with and the pilot doesn't have, each once. */
export function packsToCreate(rows: readonly Row[], items: readonly Equipment[]): string[] {
  const names = new Map<string, string>();
  for (const row of rows.filter(({ action }) => action === "create")) {
    for (const name of unknownPacksOf(row, items)) {
      if (!names.has(normalized(name))) names.set(normalized(name), name);
    }
  }
  return [...names.values()];
}

/** Adds new packs to the flights whose file names them. */
export function withNewPacks(changes: Changes, packs: readonly Equipment[], rows: readonly Row[]): Changes {
  return rows.reduce((all, { proposal, equipments }) => {
    const named = proposal.unknownPacks.map(normalized);
    const own = packs.filter(({ name }) => named.includes(normalized(name)));
    if (own.length === 0) return all;
    return withChange(all, proposal.key, { equipments: [...equipments, ...own.map(({ dpfId }) => dpfId)] });
  }, changes);
}

/** Returns the day of a flight whose time of day its file doesn't say; "" for another flight. */
export function dayOnlyOf({ startTime, startTimeFile }: Proposal): string {
  return startTime === "" && /^\d\d\.\d\d\.\d{4}$/.test(startTimeFile) ? startTimeFile : "";
}

/** Returns the flights of which only the day is known. */
export function withoutClock(rows: readonly Row[]): Row[] {
  return rows.filter(({ proposal, startTime }) => startTime === "" && dayOnlyOf(proposal) !== "");
}

/** Ticks the flights of which only the day is known, and lets them start at noon. */
export function withNoon(changes: Changes, rows: readonly Row[]): Changes {
  return withoutClock(rows).reduce((all, { proposal }) => {
    const startTime = `${dayOnlyOf(proposal)} ${imports.noon}`;
    return withChange(all, proposal.key, { startTime, isTicked: true });
  }, changes);
}

/** Returns the names of a table's columns that have values but no meaning. */
export function unreadColumnsOf({ columns }: ImportFile): string[] {
  return (columns ?? []).flatMap(({ name, examples, guess }, at) =>
    guess === "" && examples.some((cell) => cell !== "") ? [name || imports.columnName(at + 1)] : [],
  );
}

/**
 * Returns the ticked new flights without a pack for which one of the pilot's packs fits, oldest first; not those whose
 * file names a pack.
 */
export function withoutPack(rows: readonly Row[], items: readonly Equipment[]): Row[] {
  const lacking = rows.filter(
    (row) =>
      row.isTicked &&
      row.action === "create" &&
      packsOf(row, items).length === 0 &&
      unknownPacksOf(row, items).length === 0 &&
      fittingPacks(row, items).length > 0,
  );
  return byDay(lacking).flatMap((day) => day.rows);
}

function packsOf({ equipments }: Row, items: readonly Equipment[]): string[] {
  const isPack = (dpfId: string) => items.some((item) => item.dpfId === dpfId && item.type === Kind.Battery);
  return equipments.filter(isPack);
}

/** Volts per cell of a pack at the start of a flight. */
const fullCell = { least: 3.5, most: 4.37 };

/** Returns the packs whose number of cells fits a flight's voltage, in the order in which they were charged. */
function fittingPacks({ startTime, values }: Row, items: readonly Equipment[]): Equipment[] {
  const volts = parseNumber(values.batteryStartVoltage);
  const fits = ({ cells }: Equipment) => {
    if (volts === null || cells === null) return true;
    return volts / cells >= fullCell.least && volts / cells <= fullCell.most;
  };
  const charged = ({ lastChargeTime }: Equipment) => sortableTime(lastChargeTime) || Number.MAX_SAFE_INTEGER;
  return itemsOf(Kind.Battery, startTime, items)
    .filter(fits)
    .toSorted((one, other) => charged(one) - charged(other));
}

/**
 * Assigns packs to the flights without one, in the order in which they were charged; after the last comes the first.
 */
export function withPacksAssigned(
  changes: Changes,
  rows: readonly Row[],
  items: readonly Equipment[],
): Changes {
  const dealt = new Map<string, number>();
  const times = ({ dpfId }: Equipment) => dealt.get(dpfId) ?? 0;
  return withoutPack(rows, items).reduce((all, row) => {
    const [next] = fittingPacks(row, items).toSorted((one, other) => times(one) - times(other));
    if (next === undefined) return all;
    dealt.set(next.dpfId, times(next) + 1);
    return withChange(all, row.proposal.key, { equipments: [next.dpfId, ...row.equipments] });
  }, changes);
}

/** Shifts the times of a file; start times that were typed before follow the file again. */
export function withShift(changes: Changes, file: number, minutes: number): Changes {
  const flights = Object.entries(changes.flights).map(([key, { startTime, ...others }]) =>
    isOfFile(key, file) || startTime === undefined ? [key, others] : [key, { ...others, startTime }],
  );
  return {
    ...changes,
    flights: Object.fromEntries(flights),
    shifts: { ...changes.shifts, [file]: minutes },
  };
}

function isOfFile(key: string, file: number): boolean {
  return key.startsWith(`${file}-`);
}

/** Drops the changes of a file's flights, which were read anew. */
export function withoutFile(changes: Changes, file: number): Changes {
  const flights = Object.entries(changes.flights).filter(([key]) => !isOfFile(key, file));
  return { ...changes, flights: Object.fromEntries(flights) };
}

/** Whether two rows look the same. */
export function isSameRow(one: Row, other: Row): boolean {
  const { proposal, ...own } = one;
  const { proposal: others, ...rest } = other;
  return proposal === others && isSame(own, rest);
}

/** Groups the flights by the day that the server knows of each, oldest first; flights without a day come last. */
export function byDay(rows: readonly Row[]): { day: string; rows: Row[] }[] {
  const days = new Map<string, Row[]>();
  const key = ({ proposal }: Row) =>
    proposal.startTime.replace(/^(..)\.(..)\.(....) (.*)$/, "$3$2$1 $4") || "9";
  for (const row of rows.toSorted((one, other) => key(one).localeCompare(key(other)))) {
    const day = row.proposal.startTime.slice(0, 10);
    const others = days.get(day);
    if (others) others.push(row);
    else days.set(day, [row]);
  }
  return [...days].map(([day, own]) => ({ day, rows: own }));
}

/** The first flight, in the order of the page, that lacks a value, and a sentence about all that lack the same. */
export function firstLacking(rows: readonly Row[]): { key: string; sentence: string } | undefined {
  const lacking = byDay(rows).flatMap((day) => day.rows.filter(({ need }) => need !== null));
  const [first] = lacking;
  if (!first) return undefined;
  const count = lacking.filter(({ need }) => need === first.need).length;
  const sentence = first.need === "copter" ? missing.copter(count) : missing.startTime(count);
  return { key: first.proposal.key, sentence };
}

/** Formats "Sa, 09.05.2026". */
export function dayText(day: string): string {
  const date = parseDateTime(`${day} 00:00`);
  return date ? `${weekday(date)}, ${day}` : imports.noStart;
}

/** Formats "18:10" and "(Datei: 16:10 UTC)": the pilot's time, and the file's if it differs. */
export function startParts({ proposal, startTime }: Row): { start: string; inFile: string } {
  const { startTimeFile } = proposal;
  const day = proposal.startTime.slice(0, 10);
  const onDay = (time: string) => (day !== "" && time.startsWith(day) ? time.slice(11) : time);
  return {
    start: startTime === "" ? imports.noStart : onDay(startTime),
    inFile: startTimeFile === "" ? "" : imports.inFile(onDay(startTimeFile)),
  };
}

/** Formats the values in one line. `isEstimated`: the distance is the app's own estimate. */
export function figuresText({ values }: Row, isEstimated: boolean): string {
  const far = quantity(values.distance, "km");
  return joined([
    isEstimated && far !== "" ? imports.estimated(far) : far,
    quantity(values.maximumDistance, "m", imports.far),
    quantity(values.maximumAltitude, "m", imports.high),
    quantity(values.speed, "km/h"),
    voltagesText(values.batteryStartVoltage, values.batteryEndVoltage),
    quantity(values.consumedCapacity, "mAh"),
  ]);
}

function quantity(text: string, unit: string, as = (shown: string) => shown): string {
  const value = parseNumber(text);
  return value === null ? "" : as(formatQuantity(value, unit));
}

/** Formats "16,7 → 14,5 V". */
function voltagesText(from: string, to: string): string {
  const [start, end] = [parseNumber(from), parseNumber(to)];
  if (start === null || end === null) return quantity(from || to, "V");
  return imports.voltages(formatNumber(start), formatQuantity(end, "V"));
}

function joined(parts: string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}

/** Formats "3 Flüge erkannt · 1 ohne Startzeit · 1 schon vorhanden · 2 Abschnitte ausgelassen". */
export function summaryOf({ files, proposals, omitted }: Import, rows: readonly Row[]): string {
  // Before the list is read, no number says anything about it.
  if (proposals.length === 0 && files.some((file) => file.questions.length > 0)) return questions.open;
  const there = proposals.filter(({ twin }) => twin?.dpfId && twin.kind !== "zone").length;
  const lacking = rows.filter(({ startTime }) => startTime === "").length;
  return joined([
    imports.found(proposals.length),
    lacking > 0 ? imports.lackingStart(lacking) : "",
    there > 0 ? imports.there(there) : "",
    omitted.length > 0 ? imports.omitted(omitted.length) : "",
  ]);
}

/** Parses "+1:30", "-0:05" or "2" as whole minutes; null for anything else. */
export function parseShift(text: string): number | null {
  const [, sign = "", hours = "", minutes = "0"] =
    /^([+\-−]?)\s*(\d{1,7})(?::([0-5]\d))?$/.exec(text.trim()) ?? [];
  if (hours === "") return null;
  const total = Number(hours) * 60 + Number(minutes);
  return sign === "" || sign === "+" ? total : -total + 0;
}

/** Formats "+1:30". */
export function formatShift(minutes: number): string {
  const total = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
}

/** Returns the start of a file's first flight by the file's clock; null if it is only partly known. */
export function firstInFile(file: number, { proposals }: Import): string | null {
  const starts = proposals
    .filter((proposal) => proposal.file === file)
    .map(({ startTime, startTimeFile, shiftMinutes }) => {
      const inFile = parseDateTime(startTimeFile);
      const start = parseDateTime(startTime);
      return inFile ?? (start && addMinutes(start, -shiftMinutes));
    })
    .filter((start) => start !== null);
  const [first] = starts.toSorted((one, other) => utcOf(one) - utcOf(other));
  return first ? formatDateTime(first) : null;
}

/** Returns the minutes between two dates given as text; null if either is invalid. */
export function shiftBetween(from: string, to: string): number | null {
  const [start, end] = [parseDateTime(from), parseDateTime(to)];
  return start && end ? minutesBetween(start, end) : null;
}

/** Adds minutes to a date given as text; "" if it is invalid. */
export function shifted(text: string, minutes: number): string {
  const start = parseDateTime(text);
  return start ? formatDateTime(addMinutes(start, minutes)) : "";
}
