import { expect, test } from "vitest";
import type { Equipment } from "../../../api/generated/Equipment";
import type { FlightRow } from "../../../api/generated/FlightRow";
import type { Import } from "../../../api/generated/Import";
import { Kind } from "../../../api/generated/Kind";
import type { Proposal } from "../../../api/generated/Proposal";
import { found as foundIn, importFile, proposal as proposalOf } from "../../../test/objects";
import {
  alikeOf,
  assetsText,
  byDay,
  type Changes,
  changeOf,
  choicesOf,
  dayText,
  figuresText,
  firstInFile,
  formatShift,
  hasPicture,
  noChanges,
  originText,
  packsToCreate,
  parseShift,
  rowsForNewCopters,
  rowsForShifts,
  rowsOf,
  startParts,
  summaryOf,
  unreadColumnsOf,
  withChange,
  withCopter,
  withNewPacks,
  withNoon,
  withoutClock,
  withoutFile,
  withoutPack,
  withPacksAssigned,
  withShift,
} from "./review";

const proposal = (key: string, fields: Partial<Proposal> = {}) =>
  proposalOf(key, {
    notes: "Aus Datei a.csv (EdgeTX/OpenTX).",
    copter: "c1",
    copterName: "Quad",
    ...fields,
  });

const found = (...proposals: Proposal[]) => foundIn([], proposals);

const item = (dpfId: string, type: Kind, deactivateTime = "") =>
  ({ dpfId, type, deactivateTime }) as unknown as Equipment;
const items = [
  item("c1", Kind.Copter),
  item("c2", Kind.Copter),
  item("old", Kind.Copter, "01.06.2026 12:00"),
  item("b1", Kind.Battery),
  item("g1", Kind.Goggles),
];
const changed = (flights: Changes["flights"]): Changes => ({ ...noChanges, flights });
const twin = (kind: string) => ({ kind, dpfId: "f1", key: null, text: "" });

test("what the server proposes is taken over as it is", () => {
  const rows = rowsOf(
    found(proposal("0-0", { equipments: ["b1"] }), proposal("0-1", { ticked: false })),
    noChanges,
    items,
  );
  expect(choicesOf(found(), rows, noChanges)).toEqual([
    { key: "0-0", action: "create", copter: "c1", equipments: ["b1"], shiftMinutes: 0, keepFile: false },
    { key: "0-1", action: "skip" },
  ]);
});

test("of what was changed only the difference is sent", () => {
  const one = proposal("0-0", { distance: 2.5, speed: 30 });
  const [row] = rowsOf(found(one), noChanges, items);
  if (!row) throw new Error("no row");
  const typed = { ...row.values, speed: "31,5", notes: "", startTime: "09.05.2026 10:05" };
  const changes = {
    ...changed({ "0-0": changeOf(row, { ...typed, copter: "c2", equipments: ["g1"] }) }),
    keepsFiles: true,
  };
  expect(choicesOf(found(one), rowsOf(found(one), changes, items), changes)).toEqual([
    {
      key: "0-0",
      action: "create",
      copter: "c2",
      equipments: ["g1"],
      shiftMinutes: 0,
      keepFile: true,
      startTime: "09.05.2026 10:05",
      flight: { speed: "31,5", notes: "" },
    },
  ]);
  const [again] = rowsOf(found(one), changes, items);
  expect(again && figuresText(again, false)).toBe("2,5\u00a0km · 31,5\u00a0km/h");
});

test("a flight that is to be created needs a copter in use and a start, others need neither", () => {
  const needs = (...proposals: Proposal[]) =>
    rowsOf(found(...proposals), noChanges, items).map(({ need }) => need);
  expect(
    needs(
      proposal("0-0"),
      proposal("0-1", { copter: null }),
      proposal("0-2", { copter: "gone" }),
      proposal("0-3", { copter: null, ticked: false }),
      proposal("0-4", { startTime: "" }),
      proposal("0-5", { copter: "old" }),
      proposal("0-6", { copter: "old", startTime: "02.06.2026 10:00" }),
    ),
  ).toEqual([null, "copter", "copter", null, "startTime", null, "copter"]);
  const fill = changed({ "0-0": { isTicked: true } });
  const [row] = rowsOf(
    found(proposal("0-0", { copter: null, twin: twin("time"), ticked: false })),
    fill,
    items,
  );
  expect([row?.action, row?.need]).toEqual(["fill", null]);
});

test("a duplicate completes the existing flight, unless its pilot wants another one", () => {
  const one = found(proposal("0-0", { twin: twin("digest"), ticked: false }));
  const choice = (change: Changes["flights"][string]) =>
    choicesOf(one, rowsOf(one, changed({ "0-0": change }), items), noChanges)[0]?.action;
  expect([choice({}), choice({ isTicked: true }), choice({ isTicked: true, action: "create" })]).toEqual([
    "skip",
    "fill",
    "create",
  ]);
  const ofUpload = found(proposal("0-0", { twin: { ...twin("upload"), dpfId: null, key: "1-0" } }));
  expect(rowsOf(ofUpload, noChanges, items)[0]?.action).toBe("create");
});

test("the open flight is finished by one flight, the first unless its pilot chooses another", () => {
  const two = found(proposal("0-0", { open: true }), proposal("0-1", { open: true }));
  const actions = (changes: Changes) => rowsOf(two, changes, items).map(({ action }) => action);
  expect(actions(noChanges)).toEqual(["finish", "create"]);
  const chosen = withChange(noChanges, "0-1", { action: "finish" });
  expect(actions(chosen)).toEqual(["create", "finish"]);
  expect(actions(withChange(chosen, "0-0", { action: "finish" }))).toEqual(["finish", "create"]);
});

test("a copter is for all flights of its model, with the gear of its last flight", () => {
  const unknown = { copter: null };
  const all = found(
    proposal("0-0", { ...unknown, equipments: ["b1"] }),
    proposal("0-1", unknown),
    proposal("1-0", { ...unknown, copterName: "Adler" }),
    proposal("2-0", { ...unknown, copterName: "" }),
    proposal("2-1", { ...unknown, copterName: "" }),
    proposal("3-0"),
  );
  const flown = [
    {
      open: false,
      copter: { dpfId: "c2" },
      equipments: [
        { dpfId: "g1", type: Kind.Goggles },
        { dpfId: "b9", type: Kind.Battery },
      ],
    },
  ] as unknown as FlightRow[];
  const rows = rowsOf(all, noChanges, items);
  const changes = withCopter(noChanges, "0-0", "c2", rows, items, flown);
  const after = rowsOf(all, changes, items);
  expect(after.map(({ copter }) => copter)).toEqual(["c2", "c2", "", "", "", "c1"]);
  expect(after.map(({ equipments }) => equipments)).toEqual([["b1", "g1"], ["g1"], [], [], [], []]);
  const ofFile = withCopter(noChanges, "2-0", "c1", rows, items, flown);
  const [, , , first] = rowsOf(all, ofFile, items);
  expect(first && alikeOf(first, rowsOf(all, ofFile, items))).toEqual({
    keys: ["2-1"],
    text: "Für alle 2 Flüge dieser Datei wählen",
  });
  expect([...rowsForNewCopters(rows)].map(({ proposal: { key } }) => key)).toEqual(["0-0", "1-0", "2-0"]);
});

test("the start is shown as the pilot's clock and as the file's", () => {
  const shown = (fields: Partial<Proposal>, typed?: string) => {
    const change: Changes["flights"] = typed === undefined ? {} : { "0-0": { startTime: typed } };
    const [row] = rowsOf(found(proposal("0-0", fields)), changed(change), items);
    const { start = "", inFile = "" } = row ? startParts(row) : {};
    return `${start} ${inFile}`.trim();
  };
  expect(shown({})).toBe("10:02");
  expect(shown({ startTime: "17.07.2026 18:10", startTimeFile: "16:10 UTC" })).toBe(
    "18:10 (Datei: 16:10 UTC)",
  );
  expect(shown({ startTimeFile: "09.05.2026 11:32" })).toBe("10:02 (Datei: 11:32)");
  expect(shown({ startTimeFile: "10.05.2026 00:10" })).toBe("10:02 (Datei: 10.05.2026 00:10)");
  const wrong = { startTime: "", startTimeFile: "01.01.2003 10:00" };
  expect(shown(wrong)).toBe("Ohne Startzeit (Datei: 01.01.2003 10:00)");
  expect(shown(wrong, "03.05.2026 11:15")).toBe("03.05.2026 11:15 (Datei: 01.01.2003 10:00)");
});

test("flights stand by day, the oldest first, those without a start last", () => {
  const rows = rowsOf(
    found(
      proposal("0-0", { startTime: "" }),
      proposal("0-1", { startTime: "10.05.2026 09:00" }),
      proposal("0-2", { startTime: "09.05.2026 18:00" }),
      proposal("0-3", { startTime: "09.05.2026 10:00" }),
    ),
    noChanges,
    items,
  );
  expect(
    byDay(rows).map(({ day, rows: own }) => [dayText(day), own.map(({ proposal: { key } }) => key)]),
  ).toEqual([
    ["Sa, 09.05.2026", ["0-3", "0-2"]],
    ["So, 10.05.2026", ["0-1"]],
    ["Ohne Startzeit", ["0-0"]],
  ]);
});

test.each([
  ["+1:30", 90],
  ["1", 60],
  ["2:05", 125],
  ["-0:30", -30],
  ["−1:00", -60],
  ["+204825:15", 12_289_515],
  ["", null],
  ["1:60", null],
  ["eine Stunde", null],
])("%j moves the time by %j minutes", (text, minutes) => {
  expect(parseShift(text)).toBe(minutes);
  if (minutes !== null) expect(parseShift(formatShift(minutes))).toBe(minutes);
});

test("a file's time moves from where the file has it, and starts that were typed follow", () => {
  const wrong = { startTime: "", startTimeFile: "01.01.2003 10:00" };
  const all = found(
    proposal("0-0", { ...wrong, startTimeFile: "01.01.2003 11:00" }),
    proposal("0-1", wrong),
    proposal("1-0", { startTime: "09.05.2026 08:32", startTimeFile: "09.05.2026 10:02", shiftMinutes: -90 }),
    proposal("2-0", { startTime: "", startTimeFile: "16:10 UTC" }),
  );
  expect([0, 1, 2].map((file) => firstInFile(file, all))).toEqual([
    "01.01.2003 10:00",
    "09.05.2026 10:02",
    null,
  ]);
  expect([...rowsForShifts(rowsOf(all, noChanges, items))].map(({ proposal: { key } }) => key)).toEqual([
    "0-0",
  ]);
  const typed = changed({
    "0-0": { startTime: "03.05.2026 10:00", isTicked: true },
    "1-0": { startTime: "x" },
  });
  expect(withShift(typed, 0, 60)).toEqual({
    flights: { "0-0": { isTicked: true }, "1-0": { startTime: "x" } },
    shifts: { 0: 60 },
    keepsFiles: false,
  });
  expect(Object.keys(withoutFile(typed, 0).flights)).toEqual(["1-0"]);
});

test("the summary counts what was found, what is there and what was left out", () => {
  const all = found(
    proposal("0-0"),
    proposal("0-1", { twin: twin("time") }),
    proposal("0-2", { twin: twin("zone") }),
  );
  const said = (one: Import) => summaryOf(one, rowsOf(one, noChanges, items));
  expect(said(all)).toBe("3 Flüge erkannt · 1 schon vorhanden");
  const left = { file: 0, part: "", reason: "Nicht scharf geschaltet." };
  expect(said({ ...found(proposal("0-0")), omitted: [left, left] })).toBe(
    "1 Flug erkannt · 2 Abschnitte ausgelassen",
  );
  expect(said(found(proposal("0-0"), proposal("0-1", { startTime: "" })))).toBe(
    "2 Flüge erkannt · 1 ohne Startzeit",
  );
});

test("an estimate is marked as one, and voltages stand as a pair", () => {
  const fields = {
    distance: 1.8,
    batteryStartVoltage: 16.69,
    batteryEndVoltage: 14.51,
    consumedCapacity: 1450,
  };
  const [row] = rowsOf(found(proposal("0-0", fields)), noChanges, items);
  expect(row && figuresText(row, true)).toBe("≈ 1,8\u00a0km · 16,69 → 14,51\u00a0V · 1.450\u00a0mAh");
});

test("items of another Fluglog are chosen as own ones, and its words stay", () => {
  const strange = proposal("0-0", { copter: "there", equipments: ["pack"], purpose: "Übung" });
  const newItems = [item("there", Kind.Copter), item("pack", Kind.Battery, "01.06.2026 12:00")];
  const rows = rowsOf(found(strange), noChanges, [...items, ...newItems]);
  expect(rows[0]).toMatchObject({ copter: "there", equipments: ["pack"], need: null });
  expect(rows[0]?.values.purpose).toBe("Übung");
  expect(choicesOf(found(), rows, noChanges)[0]).toMatchObject({ copter: "there", equipments: ["pack"] });
  expect(choicesOf(found(), rows, noChanges)[0]).not.toHaveProperty("flight");
});

test("What another Fluglog has beside flights comes along unless it is unticked", () => {
  const counts = {
    items: 0,
    chargings: 2,
    readings: 1,
    sets: 0,
    logs: 1,
    documents: 0,
    images: 3,
    jobs: 2,
    prior: 1,
  };
  const belongings = { key: "0-belongings", file: 0, left: 0, ...counts };
  const one = { ...found(), belongings: [belongings] };
  expect(assetsText(belongings)).toBe(
    "2 Ladevorgänge, 1 Messung, 1 Log, 3 Bilder, 2 Wartungen und die Flüge von vor Fluglog",
  );
  expect(choicesOf(one, [], noChanges)).toEqual([{ key: "0-belongings", action: "create" }]);
  const not = changed({ "0-belongings": { isTicked: false } });
  expect(choicesOf(one, [], not)).toEqual([{ key: "0-belongings", action: "skip" }]);
});

test("A copter is offered to the flights of its model, else to those whose copter nobody knows", () => {
  const mini = { copterName: "Adler", copterModel: "Mini 4 Pro" };
  const unknown = { copterName: "", copter: null };
  const all = found(
    proposal("0-0", { ...mini, copter: "c2" }),
    proposal("1-0", mini),
    proposal("2-0", { ...unknown, copter: "c2" }),
    proposal("3-0", unknown),
    proposal("4-0", unknown),
    proposal("5-0", unknown),
    proposal("6-0", { ...unknown, ticked: false }),
  );
  const rows = rowsOf(all, changed({ "3-0": { copter: "c2" }, "4-0": { copter: "c2" } }), items);
  const [first, , byFile, third, fourth] = rows.map((row) => alikeOf(row, rows));
  expect([byFile?.keys, fourth?.keys]).toEqual([[], []]);
  expect(first).toEqual({ keys: ["1-0"], text: "Für alle 2 Flüge mit „Mini 4 Pro“ wählen" });
  expect(third).toEqual({ keys: ["5-0"], text: "Auch für den Flug ohne Copter wählen" });
});

test("A flight says which file it is of, and the model that its copter doesn't say already", () => {
  const two = [{ name: "Whoop-1.csv" }, { name: "DJIFlightRecord.txt" }] as Import["files"];
  const own = [{ ...item("c1", Kind.Copter), name: "Drohne", model: "Mini 4 Pro" }] as Equipment[];
  const said = (fields: Partial<Proposal>, files = two) => {
    const one = { ...found(proposal("1-0", fields)), files };
    const [row] = rowsOf(one, noChanges, own);
    return row && originText(row, one, own);
  };
  const mini = { copterName: "", copterModel: "Mini 4 Pro" };
  expect(said({ ...mini, copter: null })).toBe("DJIFlightRecord.txt · Mini 4 Pro");
  expect(said({ ...mini, copter: "c1" })).toBe("DJIFlightRecord.txt");
  expect(said({ file: 0, copterName: "Whoop", copter: null })).toBe("Whoop-1.csv");
  expect(said({ ...mini, copter: null }, two.slice(1))).toBe("Mini 4 Pro");
});

test("Packs are dealt as they were charged, to the flights without one that they fit", () => {
  const pack = (dpfId: string, lastChargeTime: string, cells: number | null) =>
    ({ ...item(dpfId, Kind.Battery), lastChargeTime, cells }) as Equipment;
  const own = [
    item("c1", Kind.Copter),
    pack("never", "", 4),
    pack("late", "08.05.2026 20:00", 4),
    pack("early", "08.05.2026 18:00", 4),
    pack("small", "08.05.2026 17:00", 2),
  ];
  const flown = (key: string, startTime: string, batteryStartVoltage: number | null, packs: string[] = []) =>
    proposal(key, { startTime: `09.05.2026 ${startTime}`, batteryStartVoltage, equipments: packs });
  const all = found(
    flown("0-3", "13:00", 16.6),
    flown("0-0", "10:00", 16.7),
    flown("0-1", "11:00", 16.5, ["late"]),
    flown("0-2", "12:00", 8.3),
    flown("0-4", "14:00", 16.4),
    flown("0-5", "15:00", 16.4),
    flown("0-6", "16:00", 25),
  );
  const rows = rowsOf(all, noChanges, own);
  expect(withoutPack(rows, own).map((row) => row.proposal.key)).toEqual(["0-0", "0-2", "0-3", "0-4", "0-5"]);
  const after = rowsOf(all, withPacksAssigned(noChanges, rows, own), own);
  const byKey = Object.fromEntries(after.map((row) => [row.proposal.key, row.equipments]));
  expect(byKey).toEqual({
    "0-0": ["early"],
    "0-1": ["late"],
    "0-2": ["small"],
    "0-3": ["late"],
    "0-4": ["never"],
    "0-5": ["early"],
    "0-6": [],
  });
});

test("A model is the same however its name is written", () => {
  const names = ["Mavic 2 Pro", " mavic  2 pro", "MAVIC-2_Pro", "Mini 2"];
  const all = found(
    ...names.map((copterName, at) => proposal(`0-${at}`, { copterName, copter: null })),
    proposal("0-4", { copterName: "", copter: null }),
  );
  expect([...rowsForNewCopters(rowsOf(all, noChanges, items))].map(({ proposal: { key } }) => key)).toEqual([
    "0-0",
    "0-3",
    "0-4",
  ]);
  const chosen = withCopter(noChanges, "0-0", "c1", rowsOf(all, noChanges, items), items, []);
  const rows = rowsOf(all, chosen, items);
  expect(rows.map(({ copter }) => copter)).toEqual(["c1", "c1", "c1", "", ""]);
  const [first] = rows;
  expect(first && alikeOf(first, rows), "not to flights whose file names another copter").toEqual({
    keys: ["0-4"],
    text: "Auch für den Flug ohne Copter wählen",
  });
});

test("A pack that the pilot doesn't have is said once, and goes to all flights that name it", () => {
  const own = [...items.filter(({ dpfId }) => dpfId !== "b1"), { ...item("b1", Kind.Battery), name: "A 2" }];
  const all = found(
    proposal("0-0", { unknownPacks: ["A1"], equipments: ["g1"] }),
    proposal("0-1", { unknownPacks: ["a1", "A3"] }),
    // Created since the server was asked.
    proposal("0-2", { unknownPacks: ["A2"] }),
  );
  const rows = rowsOf(all, noChanges, own);
  expect(packsToCreate(rows, own)).toEqual(["A1", "A3"]);
  expect(rows.map((row) => originText(row, all, own))).toEqual([
    "Quad · Akku A1",
    "Quad · Akku a1, A3",
    "Quad",
  ]);
  expect(
    withoutPack(rows, own).map(({ proposal: { key } }) => key),
    "no other pack is dealt to them",
  ).toEqual(["0-2"]);
  const pack = { ...item("b7", Kind.Battery), name: "A1" };
  const after = rowsOf(all, withNewPacks(noChanges, [pack], rows), [...own, pack]);
  expect(after.map(({ equipments }) => equipments)).toEqual([["g1", "b7"], ["b7"], []]);
});

test("Flights of which only the day is known can all start at noon", () => {
  const all = found(
    proposal("0-0", { startTime: "", startTimeFile: "02.05.2024", ticked: false }),
    proposal("0-1", { startTime: "", startTimeFile: "01.01.2003 10:00", ticked: false }),
    proposal("0-2"),
  );
  const rows = rowsOf(all, noChanges, items);
  expect(withoutClock(rows).map(({ proposal: { key } }) => key)).toEqual(["0-0"]);
  const after = rowsOf(all, withNoon(noChanges, rows), items);
  expect(after.map(({ startTime, isTicked }) => [startTime, isTicked])).toEqual([
    ["02.05.2024 12:00", true],
    ["", false],
    ["09.05.2026 10:02", true],
  ]);
  expect(withoutClock(after)).toEqual([]);
});

test("A column with values but without a meaning wasn't read", () => {
  const column = (name: string, guess: string, ...examples: string[]) =>
    ({ name, guess, examples, unit: "", decimal: "" }) as const;
  const columns = [
    column("Datum", "date", "03.03.2024"),
    column("Helfer", "", "Otto"),
    column("leer", ""),
    column("", "", "x"),
  ].map((one) => ({ ...one, examples: [...one.examples] }));
  expect(unreadColumnsOf(importFile("alt.csv", { columns }))).toEqual(["Helfer", "Spalte 4"]);
  expect(unreadColumnsOf(importFile("radio.csv"))).toEqual([]);
});

test("A flight of which a file says nothing but its time has no picture", () => {
  const nothing = { maximumDistance: null, maximumAltitude: null, track: [] };
  expect(hasPicture(proposal("0-0", nothing))).toBe(false);
  expect(hasPicture(proposal("0-0", { ...nothing, maximumAltitude: 12 }))).toBe(true);
  const track = [
    [53.1, 10.1],
    [53.2, 10.2],
  ] as Proposal["track"];
  expect(hasPicture(proposal("0-0", { ...nothing, track }))).toBe(true);
});
