// The rules of the queue: what becomes one, what is sent next, and what becomes of an answer.
import { expect, test } from "vitest";
import type { Flight } from "../api/generated/Flight";
import { largestUploadBytes } from "../lib/fileKinds";
import { targetOf } from "./order";
import {
  add,
  afterAnswer,
  afterFailure,
  asStuck,
  PicturesFull,
  QueueFull,
  removed,
  resetInterrupted,
  writesToSend,
} from "./queue";
import {
  isQueueable,
  maxQueuedWrites,
  type NewQueuedWrite,
  type QueueableWrite,
  type QueuedWrite,
} from "./queuedWrites";

let made = 0;

function entry(queued: QueueableWrite, more: Partial<QueuedWrite> = {}): NewQueuedWrite {
  made += 1;
  const requestId = `r${made}`;
  const { subject, object } = targetOf(queued, requestId);
  return {
    ...queued,
    ...{
      version: 1,
      requestId,
      subject,
      object,
      about: "",
      flight: null,
      base: {},
      madeAt: made,
    },
    ...{ tries: 0, isMaybeThere: false, retryAt: 0, state: "waiting", problem: null },
    ...more,
  } as NewQueuedWrite;
}

const config = { copter: "c1", equipments: ["b1"], payloads: [] };
const startTime = "24.11.2026 14:05";
const start = (dpfId: string, more?: Partial<QueuedWrite>) =>
  entry({ call: "CreateFlight", fields: { config, flight: { location: "Wiese" }, startTime, dpfId } }, more);
const save = (dpfId: string, fields: object, endFlight = false, more?: Partial<QueuedWrite>) =>
  entry({ call: "SaveFlight", fields: { flight: { dpfId, ...fields }, endFlight } }, more);
const remove = (dpfId: string) => entry({ call: "DeleteFlight", fields: { dpfId } });
const log = (dpfId: string, id: string, info = "Prop neu") =>
  entry({ call: "SaveFlightLog", fields: { dpfId, log: id, info, time: startTime } });
const charge = (battery: string, charging: string) =>
  entry({
    call: "SaveCharging",
    fields: { battery, charging, chargeStartTime: startTime, fromVoltage: "22,2" },
  });

const queueOf = (...entries: NewQueuedWrite[]) =>
  entries.reduce<QueuedWrite[]>((queue, one) => add(queue, one), []);
const callsOf = (entries: QueuedWrite[]) => entries.map(({ call, object }) => `${call} ${object}`);
const fieldsOf = (entries: QueuedWrite[]) => entries.map(({ fields }) => fields);

test("a flight that is started, edited and finished here is one finished flight with what was typed last", () => {
  const queue = queueOf(
    start("f1"),
    save("f1", { location: "Deich", notes: "böig" }),
    save("f1", { batteryEndVoltage: "21,4" }, true),
    save("f1", { notes: "windstill" }),
  );
  expect(callsOf(queue)).toEqual(["AddFlight f1"]);
  const flight = { startTime, location: "Deich", notes: "windstill", batteryEndVoltage: "21,4" };
  expect(fieldsOf(queue)).toEqual([{ config, dpfId: "f1", flight }]);
});

test("the start of a flight that was edited before it was sent is the edited one", () => {
  const queue = queueOf(start("f1"), save("f1", { startTime: "24.11.2026 14:00" }));
  expect(fieldsOf(queue)).toMatchObject([{ startTime: "24.11.2026 14:00" }]);
});

test("a flight that was made and deleted here vanishes with its logs", () => {
  expect(queueOf(start("f1"), log("f1", "l1"), remove("f1"))).toEqual([]);
  expect(callsOf(queueOf(start("f1", { tries: 1 }), log("f1", "l1"), remove("f1")))).toEqual([
    "DeleteFlight f1",
  ]);
});

test("what was sent without an answer isn't changed: an edit follows it", () => {
  const sent = queueOf(save("f1", { notes: "a" }, false, { tries: 1 }), save("f1", { notes: "b" }));
  expect(callsOf(sent)).toEqual(["SaveFlight f1", "SaveFlight f1"]);
  const started = queueOf(start("f1", { tries: 1 }), save("f1", { notes: "b" }));
  expect(callsOf(started)).toEqual(["CreateFlight f1", "SaveFlight f1"]);
});

test("the end of a flight whose start may have arrived is one call that ends it there", () => {
  const queue = queueOf(
    start("f1", { tries: 1 }),
    save("f1", { notes: "b" }),
    save("f1", { speed: "40" }, true),
  );
  expect(callsOf(queue)).toEqual(["AddFlight f1"]);
  expect(queue[0]).toMatchObject({ isMaybeThere: true, fields: { flight: { notes: "b", speed: "40" } } });
});

test("a log that is edited or deleted before it was sent is one log, or none", () => {
  const edit = entry({ call: "EditLog", fields: { dpfId: "l1", info: "Motor neu", time: startTime } });
  expect(fieldsOf(queueOf(log("f1", "l1"), edit))).toMatchObject([{ log: "l1", info: "Motor neu" }]);
  const deleted = entry({ call: "DeleteLog", fields: { dpfId: "l1" } });
  expect(queueOf(log("f1", "l1"), deleted)).toEqual([]);
});

test("a flight that starts after another one waits for its end, and nothing else waits for what is stuck", () => {
  const ending = save("f0", {}, true, { tries: 1, retryAt: 100 });
  const queue = queueOf(ending, start("f1"), charge("b1", "ch1"));
  expect(writesToSend(queue, 0)[0]?.call).toBe("SaveCharging");
  expect(writesToSend(queue, 100)[0]?.object).toBe("f0");
  const refused = queue.map((one) =>
    one.object === "f0" ? asStuck(one, { kind: "refused", text: "Nein." }) : one,
  );
  expect(writesToSend(refused, 0)[0]?.object).toBe("f1");
  const more = add(refused, save("f0", { notes: "c" }));
  expect(writesToSend(more, 0)[0]?.object).toBe("f0");
});

test("editing what was refused sends it anew, as another request", () => {
  const [refused] = queueOf(save("f1", { speed: "-1" })).map((one) =>
    asStuck(one, { kind: "refused", text: "Nein." }),
  );
  const queue = add(refused ? [refused] : [], save("f1", { speed: "40" }));
  expect(queue).toMatchObject([{ state: "waiting", problem: null, fields: { flight: { speed: "40" } } }]);
  expect(queue[0]?.requestId).not.toBe(refused?.requestId);
});

test("500 entries are the most; what joins another one still finds room", () => {
  let queue: QueuedWrite[] = [];
  for (let count = 0; count < maxQueuedWrites; count++) queue = add(queue, charge(`b${count}`, `ch${count}`));
  expect(() => add(queue, charge("b", "ch"))).toThrow(QueueFull);
  queue = queue.toSpliced(0, 1);
  queue = add(queue, start("f1"));
  expect(callsOf(add(queue, save("f1", {}, true))).at(-1)).toBe("AddFlight f1");
});

test("without an answer an entry waits longer each time; a refusal is for the pilot", () => {
  const [one] = queueOf(charge("b1", "ch1"));
  if (!one) throw new Error("nothing was added");
  const failed = (status: number | null, tries = 1) =>
    afterFailure({ ...one, tries }, { status, text: "Nein." }, 0);
  expect([1, 2, 3, 4, 9].map((tries) => failed(null, tries)?.retryAt)).toEqual([
    5e3, 15e3, 60e3, 300e3, 300e3,
  ]);
  for (const status of [429, 500, 502, 503, 504, 507]) expect(failed(status)?.state).toBe("waiting");
  expect(failed(401)).toMatchObject({ state: "waiting", retryAt: 0 });
  expect(failed(409)).toMatchObject({ state: "stuck", problem: { kind: "refused", text: "Nein." } });
  expect(failed(403)).toMatchObject({ state: "stuck", problem: { kind: "gone" } });
});

test("a lost right is explained in the server's words, and so is an item that somebody else flies", () => {
  const [charged] = queueOf(charge("b1", "ch1"));
  const [begin] = queueOf(start("f1"));
  if (!charged || !begin) throw new Error("nothing was added");
  for (const text of ["Dafür fehlt Ihnen das Recht.", "Sie sind nicht mehr Mitglied dieses Bereichs."]) {
    const told = afterFailure(charged, { status: 403, text }, 0);
    expect(told).toMatchObject({ state: "stuck", problem: { kind: "refused", text } });
  }
  const text = "Dieser Copter ist gerade in einem offenen Flug (Luftikus, seit 14:05).";
  const refused = afterFailure(begin, { status: 409, text }, 0);
  expect(refused).toMatchObject({ state: "stuck", problem: { kind: "refused", text } });
});

test("a flight that was finished elsewhere takes what was typed here as an edit; a deleted one is deleted", () => {
  const [end] = queueOf(save("f1", { notes: "b" }, true));
  const [begin] = queueOf(start("f1"));
  const [away] = queueOf(remove("f1"));
  if (!end || !begin || !away) throw new Error("nothing was added");
  const conflict = { status: 409, text: "Nein." };
  expect(afterFailure(end, conflict, 0)).toMatchObject({ state: "waiting", fields: { endFlight: false } });
  expect(afterFailure(begin, conflict, 0)).toMatchObject({ state: "stuck", problem: { kind: "open" } });
  expect(afterFailure(away, { status: 403, text: "Nein." }, 0)).toBeNull();
});

const there = {
  dpfId: "f1",
  location: "Platz",
  notes: "dort",
  batteryEndVoltage: 21.4,
  speed: null,
} as Flight;

test("a flight that was there already, and was finished elsewhere, gets what was typed here as an edit", () => {
  const [added] = queueOf(
    start("f1", { tries: 1 }),
    save("f1", { location: "Wiese", batteryEndVoltage: "21,4" }, true),
  );
  if (!added) throw new Error("nothing was added");
  const stored = { ...there, startTime } as Flight;
  expect(afterAnswer(added, stored)).toMatchObject({
    call: "SaveFlight",
    fields: { flight: { dpfId: "f1", location: "Wiese" }, endFlight: false },
  });
  expect(afterAnswer(added, { ...stored, location: "Wiese" })).toBeNull();
});

test("what was being sent when its tab was closed waits again; a flight that is discarded takes its logs along", () => {
  const queue = queueOf(start("f1"), log("f1", "l1"), charge("b1", "ch1"));
  const [first] = queue;
  if (!first) throw new Error("nothing was added");
  expect(resetInterrupted([{ ...first, state: "sending" }])).toEqual([first]);
  expect(callsOf(removed(queue, first))).toEqual(["SaveCharging ch1"]);
});

const said = (battery: string, requestId: string, more?: Partial<QueuedWrite>) =>
  entry(
    { call: "QuickCharge", fields: { battery, time: startTime } },
    { requestId, object: requestId, ...more },
  );
const undo = (request: string) => entry({ call: "Undo", fields: { undo: request } });
const measured = (battery: string, reading: string, more?: Partial<QueuedWrite>) =>
  entry({ call: "SaveBatteryReading", fields: { battery, reading, time: startTime, voltage: "22,1" } }, more);
const unmeasured = (battery: string, dpfId: string) =>
  entry({ call: "DeleteBatteryReading", fields: { battery, dpfId } });

test("an entry about a pack that is taken back before it was sent leaves the queue", () => {
  expect(queueOf(said("b1", "r1"), undo("r1"))).toEqual([]);
  expect(queueOf(measured("b1", "m1"), unmeasured("b1", "m1"))).toEqual([]);
});

test("what may have arrived is taken back after it, and what isn't there needs no taking back", () => {
  const queue = queueOf(said("b1", "r1", { tries: 1 }), undo("r1"), measured("b2", "m1", { tries: 1 }));
  expect(callsOf(add(queue, unmeasured("b2", "m1")))).toEqual([
    "QuickCharge r1",
    "Undo r1",
    "SaveBatteryReading m1",
    "DeleteBatteryReading m1",
  ]);
  expect(queue.map((one) => writesToSend([one], 0)[0]?.call)).toEqual([
    "QuickCharge",
    "Undo",
    "SaveBatteryReading",
  ]);
  const [, taking] = queue;
  if (!taking) throw new Error("nothing was added");
  expect(afterFailure(taking, { status: 403, text: "Nein." }, 0)).toBeNull();
  expect(afterFailure(taking, { status: 409, text: "Zu spät." }, 0)).toMatchObject({ state: "stuck" });
});

test("a pack waits for entries about it and others, and no other pack does", () => {
  const queue = queueOf(said("b1;b2", "r1", { retryAt: 100 }), charge("b2", "ch1"), charge("b3", "ch2"));
  expect(writesToSend(queue, 0)[0]?.object).toBe("ch2");
  expect(writesToSend(queue, 100)[0]?.object).toBe("r1");
});

test("an undo can wait by itself, a deletion only behind what it deletes", () => {
  const queue = queueOf(
    entry({ call: "SaveBatteryReading", fields: { battery: "b1", reading: "m1", voltage: 22 } }),
  );
  const remove = (dpfId: string) => ({ call: "DeleteBatteryReading", fields: { battery: "b9", dpfId } });
  expect(isQueueable({ call: "Undo", fields: { undo: "r1" } }, [])).toBe(true);
  expect(isQueueable(remove("m1"), queue)).toBe(true);
  expect(isQueueable(remove("m2"), queue)).toBe(false);
});

test("a write that a tab has queued already isn't queued again", () => {
  const write = said("b1", "r1");
  expect(queueOf(write, write)).toHaveLength(1);
});

const pictures = (flight: string, requestId: string, bytes = 1_000_000) =>
  entry(
    { call: "UploadImageForFlight", fields: { flight, files: [] } },
    { requestId, object: requestId, pictures: { count: 1, bytes } },
  );

test("pictures are sent when nothing else waits, after their flight and one after the other", () => {
  const queue = queueOf(
    start("f1"),
    pictures("f1", "p1"),
    pictures("f1", "p2"),
    log("f1", "l1"),
    charge("b1", "ch1"),
  );
  expect(sentOf(queue)).toEqual(["CreateFlight f1", "SaveFlightLog l1", "SaveCharging ch1", ...both]);
  expect(sentOf(add(queue, save("f1", { notes: "böig" }, true)))).toEqual([
    "AddFlight f1",
    "SaveFlightLog l1",
    "SaveCharging ch1",
    ...both,
  ]);
});
const both = ["UploadImageForFlight p1", "UploadImageForFlight p2"];

/** The calls in the order in which they are sent, if each arrives. */
function sentOf(entries: QueuedWrite[]): string[] {
  const [one] = writesToSend(entries, 0);
  return one === undefined
    ? []
    : [`${one.call} ${one.object}`, ...sentOf(entries.filter((other) => other !== one))];
}

test("pictures that can't be sent hold up nothing of their flight, and go with it", () => {
  const stuckOnes = queueOf(pictures("f1", "p1")).map((one) =>
    asStuck(one, { kind: "refused", text: "Nein." }),
  );
  const queue = add(stuckOnes, save("f1", { notes: "böig" }));
  expect(writesToSend(queue, 0)[0]?.call).toBe("SaveFlight");
  expect(isQueueable(remove("f1"), stuckOnes)).toBe(true);
  expect(callsOf(add(queue, remove("f1")))).toEqual(["DeleteFlight f1"]);
  expect(queueOf(start("f2"), pictures("f2", "p2"), remove("f2"))).toEqual([]);
});

test("of pictures at most 50 MB wait, and other writes go on", () => {
  const queue = queueOf(pictures("f1", "p1", largestUploadBytes - 1), pictures("f2", "p2", 1));
  expect(() => add(queue, pictures("f3", "p3", 1))).toThrow(PicturesFull);
  expect(add(queue, charge("b1", "ch1"))).toHaveLength(3);
});
