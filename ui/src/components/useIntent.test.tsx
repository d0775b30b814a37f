// Every change is sent with a request id, and with the same one after a lost answer.
import { act, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cache } from "../api/cache";
import { type Fields, NetworkFailure } from "../api/client";
import { answers, calls, callsOf, logIn, standingAnswers, withFakeServer, wrapper } from "../api/fakeServer";
import { perform, press, requestIdOf } from "../api/perform";
import { reportReachability } from "../api/reachability";
import { currentUser } from "../api/session";
import { useUndoImport } from "../api/undoImport";
import { useWrite } from "../api/useWrite";
import { type WriteCall, writes } from "../api/writes";
import { isQueueable } from "../offline/queuedWrites";
import { queueState, wasQueued } from "../offline/queueState";
import { useIntent } from "./useIntent";

withFakeServer();
beforeEach(() => {
  logIn();
  reportReachability("reachable");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Values = Record<string, unknown>;
type Send = (typed: Values) => Promise<unknown>;

const file = new File(["1"], "a.txt");
const log = { info: "Propeller", time: "01.03.2026 10:00", file };
const config = { copter: "c1", equipments: [], payloads: [] };

/** A form: what was typed, what was typed in its place, and the call's fields of either. */
type OfForm<Name extends WriteCall> = {
  typed: Values;
  corrected: Values;
  fields: (typed: Values, object: string) => Fields<Name>;
  /** The calls after those with the lost answers: how the object becomes what was corrected. */
  after: { call: WriteCall; has: (object: string) => Values }[];
};

const again = <Name extends WriteCall>(call: Name, has: Values) => [{ call, has: () => has }];

/** Calls of forms. */
const ofForms: { [Name in WriteCall]?: OfForm<Name> } = {
  SendFeedback: {
    typed: { message: "Gut" },
    corrected: { message: "Sehr gut" },
    fields: ({ message }) => ({ message, rate: "5", version: "1" }) as never,
    after: again("SendFeedback", { message: "Sehr gut" }),
  },
  SaveNewEquipment: {
    typed: { type: 1, name: "Adlr" },
    corrected: { type: 1, name: "Adler" },
    fields: (equipment, dpfId) => ({ dpfId, equipment }) as never,
    after: [
      {
        call: "SaveEditEquipment",
        has: (dpfId) => ({ equipment: JSON.stringify({ type: 1, name: "Adler", dpfId }) }),
      },
    ],
  },
  SaveEditEquipment: {
    typed: { type: 1, name: "Adlr" },
    corrected: { type: 1, name: "Adler" },
    fields: (typed) => ({ equipment: { ...typed, dpfId: "e1" } }) as never,
    after: again("SaveEditEquipment", { equipment: '{"type":1,"name":"Adler","dpfId":"e1"}' }),
  },
  DeactivateEquipment: {
    typed: { info: "Defkt" },
    corrected: { info: "Defekt" },
    fields: (typed) => ({ dpfId: "e1", ...typed }) as never,
    after: [
      ...again("ActivateEquipment", { dpfId: "e1" }),
      ...again("DeactivateEquipment", { dpfId: "e1", info: "Defekt" }),
    ],
  },
  SaveBatteryReading: {
    typed: { voltage: "22,8" },
    corrected: { voltage: "22,9" },
    fields: (entries, reading) => ({ battery: "e1", reading, ...entries }) as never,
    after: [{ call: "EditBatteryReading", has: (dpfId) => ({ dpfId, battery: "e1", voltage: "22,9" }) }],
  },
  EditBatteryReading: {
    typed: { voltage: "22,8" },
    corrected: { voltage: "22,9" },
    fields: (entries) => ({ battery: "e1", dpfId: "r1", ...entries }) as never,
    after: again("EditBatteryReading", { voltage: "22,9" }),
  },
  SaveSpace: {
    typed: { name: "Familie" },
    corrected: { name: "Unsere Familie" },
    fields: (entries, dpfId) => ({ dpfId, kind: 1, ...entries }) as never,
    after: [{ call: "SaveSpace", has: (space) => ({ space, name: "Unsere Familie" }) }],
  },
  SaveBatterySet: {
    typed: { name: "Lang" },
    corrected: { name: "Kurz" },
    fields: (entries, dpfId) => ({ dpfId, members: "e1;e2", ...entries }) as never,
    after: [{ call: "SaveBatterySet", has: (set) => ({ set, members: "e1;e2", name: "Kurz" }) }],
  },
  SaveCharging: {
    typed: { fromVoltage: "21" },
    corrected: { fromVoltage: "22" },
    fields: (typed, charging) => ({ battery: "e1", charging, chargeStartTime: "01.03.2026 10:00", ...typed }),
    after: [{ call: "SaveCharging", has: (dpfId) => ({ dpfId, battery: "e1", fromVoltage: "22" }) }],
  },
  AddFlight: {
    typed: { flight: { startTime: "01.03.2026 10:00", notes: "Böig" }, config },
    corrected: { flight: { startTime: "01.03.2026 11:00" }, config },
    fields: (typed, dpfId) => ({ dpfId, ...typed }) as never,
    after: [
      {
        call: "SaveFlight",
        has: (dpfId) => ({
          flight: JSON.stringify({ startTime: "01.03.2026 11:00", notes: "", dpfId }),
        }),
      },
    ],
  },
  SaveFlight: {
    typed: { notes: "Boig", endFlight: true },
    corrected: { notes: "Böig", endFlight: true },
    fields: ({ endFlight, ...typed }) => ({ flight: { ...typed, dpfId: "f1" }, endFlight }) as never,
    after: again("SaveFlight", { flight: '{"notes":"Böig","dpfId":"f1"}', endFlight: "false" }),
  },
  SaveProfile: {
    typed: { firstname: "Ana" },
    corrected: { firstname: "Anna" },
    fields: (typed) => ({ ...typed, photo: null, removePhoto: null }),
    after: again("SaveProfile", { firstname: "Anna" }),
  },
  UploadUserDocument: {
    typed: { file, description: "Anleitng" },
    corrected: { file, description: "Anleitung" },
    fields: (typed, dpfId) => ({ dpfId, ...typed }) as never,
    after: [{ call: "EditUserDocument", has: (dpfId) => ({ dpfId, description: "Anleitung" }) }],
  },
  EditUserDocument: {
    typed: { description: "Anleitng" },
    corrected: { description: "Anleitung" },
    fields: (typed) => ({ dpfId: "d1", ...typed }) as never,
    after: again("EditUserDocument", { dpfId: "d1", description: "Anleitung" }),
  },
  AddProof: {
    typed: { description: "A2", proof: { kind: 1 }, files: [file] },
    corrected: { description: "A1/A3", proof: { kind: 0 }, files: [file] },
    fields: (typed, dpfId) => ({ dpfId, ...typed }) as never,
    after: [
      { call: "DeleteUserDocument", has: (dpfId) => ({ dpfId }) },
      ...again("AddProof", { description: "A1/A3", proof: '{"kind":0}' }),
    ],
  },
  SaveProof: {
    typed: { kind: 1 },
    corrected: { kind: 0 },
    fields: (typed) => ({ proof: { dpfId: "d1", ...typed } }) as never,
    after: again("SaveProof", { proof: '{"dpfId":"d1","kind":0}' }),
  },
  SaveProofPages: {
    typed: { files: [file] },
    corrected: { files: [new File(["22"], "b.png")] },
    fields: (typed) => ({ dpfId: "d1", ...typed }) as never,
    after: again("SaveProofPages", { dpfId: "d1" }),
  },
  SaveEquipmentLog: {
    typed: log,
    corrected: { ...log, info: "Motor", file: null },
    fields: (typed, of) => ({ dpfId: "e1", log: of, ...typed }) as never,
    after: [{ call: "EditLog", has: (dpfId) => ({ dpfId, info: "Motor", removeDocument: "true" }) }],
  },
  SaveFlightLog: {
    typed: log,
    corrected: { ...log, info: "Motor" },
    fields: (typed, of) => ({ dpfId: "f1", log: of, ...typed }) as never,
    after: [{ call: "EditLog", has: (dpfId) => ({ dpfId, info: "Motor" }) }],
  },
  SaveJob: {
    typed: { title: "Propeller" },
    corrected: { title: "Propeller wechseln" },
    fields: (job, newJobId) => ({ dpfId: "c1", newJobId, job }) as never,
    after: [
      { call: "SaveJob", has: (jobId) => ({ jobId, job: JSON.stringify({ title: "Propeller wechseln" }) }) },
    ],
  },
  // The server asks whether a job is done again.
  CompleteJob: {
    typed: log,
    corrected: { ...log, info: "Motor" },
    fields: (typed) => ({ dpfId: "c1", jobId: "j1", ...typed }) as never,
    after: again("CompleteJob", { jobId: "j1", info: "Motor" }),
  },
  SkipJob: {
    typed: { info: "Neu" },
    corrected: { info: "Noch neu" },
    fields: (typed) => ({ dpfId: "c1", jobId: "j1", ...typed }) as never,
    after: again("SkipJob", { jobId: "j1", info: "Noch neu" }),
  },
  PutOffJob: {
    typed: { days: 7 },
    corrected: { flights: 5 },
    fields: (typed) => ({ dpfId: "c1", jobId: "j1", ...typed }) as never,
    after: again("PutOffJob", { jobId: "j1", flights: "5" }),
  },
  EditLog: {
    typed: log,
    corrected: { ...log, info: "Motor" },
    fields: (typed) => ({ dpfId: "l1", ...typed, removeDocument: null }) as never,
    after: again("EditLog", { dpfId: "l1", info: "Motor" }),
  },
  SavePriorFlights: {
    typed: { flights: "900" },
    corrected: { flights: "901" },
    fields: (prior) => ({ dpfId: "c1", prior }) as never,
    after: again("SavePriorFlights", { prior: '{"flights":"901"}' }),
  },
  SaveContact: {
    typed: { text: "Anna" },
    corrected: { text: "Anna, 0170" },
    fields: (typed) => typed as never,
    after: again("SaveContact", { text: "Anna, 0170" }),
  },
  UploadImageForFlight: {
    typed: { files: [file] },
    corrected: { files: [new File(["22"], "b.png")] },
    fields: (typed) => ({ flight: "f1", ...typed }) as never,
    after: again("UploadImageForFlight", { flight: "f1" }),
  },
  UploadImport: {
    typed: { files: [file] },
    corrected: { files: [new File(["22"], "b.csv")] },
    fields: (typed) => typed as never,
    after: again("UploadImport", {}),
  },
  MapImportColumns: {
    typed: { file: 0, mapping: "{}" },
    corrected: { file: 0, mapping: '{"a":1}' },
    fields: (typed) => ({ dpfId: "i1", ...typed }) as never,
    after: again("MapImportColumns", { mapping: '{"a":1}' }),
  },
  AcceptImport: {
    typed: { choices: "[]" },
    corrected: { choices: "[1]" },
    fields: (typed) => ({ dpfId: "i1", ...typed }) as never,
    after: again("AcceptImport", { choices: "[1]" }),
  },
};

/** Calls by one press. */
const ofTaps: { [Name in WriteCall]?: (subject: string) => Fields<Name> } = {
  ActivateEquipment: (dpfId) => ({ dpfId }),
  DeleteFlight: (dpfId) => ({ dpfId }),
  DeleteUserDocument: (dpfId) => ({ dpfId }),
  DeleteProof: (dpfId) => ({ dpfId }),
  DeleteLog: (dpfId) => ({ dpfId }),
  DeleteImage: (uuid) => ({ uuid, flight: "f1" }),
  EndSession: (dpfId) => ({ dpfId }),
  EndAccessToken: (dpfId) => ({ dpfId }),
  DiscardImport: (dpfId) => ({ dpfId }),
  QuickCharge: (battery) => ({ battery }),
  QuickStore: (battery) => ({ battery }),
  Undo: (undo) => ({ undo }),
  SnoozeBattery: (dpfId) => ({ dpfId, days: 3 }),
  MendVoltages: (keep) => ({ keep }),
  SaveReminder: (subject) => ({ on: subject === "a" }),
  DeleteJob: (jobId) => ({ dpfId: "c1", jobId }),
  PauseJob: (jobId) => ({ dpfId: "c1", jobId, on: true }),
  DeleteJobRun: (run) => ({ dpfId: "c1", jobId: "j1", run }),
  DeleteBatterySet: (set) => ({ set }),
  DeleteBatteryReading: (dpfId) => ({ battery: "e1", dpfId }),
  SaveSticker: (dpfId) => ({ dpfId }),
  MoveEquipment: (dpfId) => ({ dpfId, space: "s1" }),
  FreeEquipment: (dpfId) => ({ dpfId }),
  LeaveSpace: (space) => ({ space }),
  DissolveSpace: (space) => ({ space }),
  AcceptSpaceInvitation: (token) => ({ token }),
  SaveMember: (member) => ({ space: "s1", member, role: 2 }),
  RemoveMember: (member) => ({ space: "s1", member }),
  DeleteInvitation: (dpfId) => ({ space: "s1", dpfId }),
  SaveBatteryProfile: (battery) => ({ battery, profile: { cells: 6 } }),
};

/** What leaves open whether the server did it. A write that may wait is queued after a lost answer. */
function noAnswer(call: WriteCall): "lost" | { status: number; body: string } {
  return isQueueable({ call, fields: {} }, []) ? { status: 500, body: "Interner Fehler." } : "lost";
}

const flown = { startTime: "01.03.2026 10:00", notes: "Böig" };
const body = { ...flown, dpfId: "x", lastCharging: null, images: [], completed: [], type: 0, flight: null };
const done = { status: 200, body };

/** Opens the form; opened again it is as after a reload. */
function open(name: WriteCall): Send {
  const { fields } = ofForms[name] as OfForm<WriteCall>;
  const { result } = renderHook(() => useIntent("form", "new"), { wrapper });
  return (typed) => act(() => result.current.send(name, typed, (object) => fields(typed, object)));
}
const requestsOf = () => calls.filter(({ fields }) => fields.has("requestId"));

test("every call that changes something is tested here", () => {
  const source = import.meta.glob<string>("../api/generated/Calls.ts", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const list = Object.values(source).join("");
  const changing = [...list.matchAll(/^ {2}(\w+): .*requestId\?/gm)].map(([, name]) => name);
  const own = ["CreateFlight"];
  expect(Object.keys(writes).concat("StopShareDocument").sort()).toEqual(changing.sort());
  expect([...Object.keys(ofForms), ...Object.keys(ofTaps), ...own].sort()).toEqual(
    Object.keys(writes).sort(),
  );
});

const forms = Object.entries(ofForms) as [WriteCall, OfForm<WriteCall>][];

test.each(forms)(
  "%s is the same request again after a lost answer, and from a form opened anew",
  async (name, { typed }) => {
    answers[name] = [noAnswer(name), noAnswer(name), done];
    const send = open(name);
    await expect(send(typed)).rejects.toThrow();
    await expect(send(typed)).rejects.toThrow();
    await open(name)(typed);
    const sent = callsOf(name).map((fields) => Object.fromEntries(fields));
    expect(sent).toHaveLength(3);
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[2]).toEqual(sent[0]);
  },
);

test.each(forms)(
  "%s, done and corrected, changes what it made",
  async (name, { typed, corrected, after: steps }) => {
    answers[name] = [noAnswer(name), done, done];
    for (const { call } of steps) if (call !== name) answers[call] = [done];
    const send = open(name);
    await expect(send(typed)).rejects.toThrow();
    await send(corrected);
    const [lost, repeated, ...after] = requestsOf();
    expect(repeated?.name).toBe(name);
    const withoutFiles = [...(lost?.fields ?? [])].filter(([, value]) => !(value instanceof File));
    expect(Object.fromEntries(repeated?.fields ?? [])).toEqual(Object.fromEntries(withoutFiles));
    const object = String(lost?.fields.get("requestId"));
    expect(after.map(({ name }) => name)).toEqual(steps.map(({ call }) => call));
    steps.forEach(({ has }, at) => {
      expect(Object.fromEntries(after[at]?.fields ?? [])).toMatchObject(has(object));
    });
    const ids = [lost, ...after].map((call) => call?.fields.get("requestId"));
    expect(new Set(ids).size).toBe(ids.length);
  },
);

test.each(forms)("%s, refused and corrected, is sent anew", async (name, { typed, corrected }) => {
  answers[name] = [noAnswer(name), { status: 400, body: "Nein." }, done];
  const send = open(name);
  await expect(send(typed)).rejects.toThrow();
  await send(corrected);
  expect(requestsOf().map((call) => call.name)).toEqual([name, name, name]);
  const [lost, , anew] = callsOf(name).map((fields) => fields.get("requestId"));
  expect(anew).not.toBe(lost);
});

test("what was typed first, then otherwise and then again is sent as it was typed last", async () => {
  const send = open("SaveEditEquipment");
  answers.SaveEditEquipment = ["lost", done, "lost", done, done];
  const [x, y] = [
    { type: 1, name: "X" },
    { type: 1, name: "Y" },
  ];
  await expect(send(x)).rejects.toBeInstanceOf(NetworkFailure);
  await expect(send(y)).rejects.toBeInstanceOf(NetworkFailure);
  await send(x);
  const sent = callsOf("SaveEditEquipment");
  const names = sent.map((fields) => JSON.parse(String(fields.get("equipment"))).name);
  expect(names).toEqual(["X", "X", "Y", "Y", "X"]);
  const ids = sent.map((fields) => fields.get("requestId"));
  expect([ids[1], ids[3]]).toEqual([ids[0], ids[2]]);
  expect(new Set(ids).size).toBe(3);
});

test("a flight with another copter, or a document with another file, takes the place of the first one", async () => {
  const flight = { flight: { startTime: "01.03.2026 10:00" }, config };
  const other = { ...flight, config: { ...config, copter: "c2" } };
  answers.AddFlight = [noAnswer("AddFlight"), done, done];
  answers.DeleteFlight = ["lost", done];
  const send = open("AddFlight");
  await expect(send(flight)).rejects.toThrow();
  // The deletion's answer is lost, too.
  await expect(send(other)).rejects.toBeInstanceOf(NetworkFailure);
  await open("AddFlight")(other);
  const [first, , deleted, again, added] = requestsOf();
  expect(deleted?.fields.get("dpfId")).toBe(first?.fields.get("dpfId"));
  expect(again?.fields).toEqual(deleted?.fields);
  expect([added?.name, String(added?.fields.get("config"))]).toEqual([
    "AddFlight",
    JSON.stringify(other.config),
  ]);
  expect(added?.fields.get("dpfId")).not.toBe(first?.fields.get("dpfId"));
});

test("a log that was saved before and deleted since is saved again, as another one", async () => {
  answers.SaveEquipmentLog = [noAnswer("SaveEquipmentLog"), { status: 200, body: undefined }, done];
  const send = open("SaveEquipmentLog");
  await expect(send(log)).rejects.toThrow();
  await send(log);
  const ids = callsOf("SaveEquipmentLog").map((fields) => fields.get("log"));
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test("An acceptance is taken back flight by flight, and goes on where it stopped", async () => {
  const { result } = renderHook(useUndoImport, { wrapper });
  const moved = {
    items: 0,
    chargings: 0,
    readings: 0,
    sets: 0,
    logs: 0,
    documents: 0,
    images: 0,
    missing: 0,
  };
  const accepted = { created: ["f1", "f2"], completed: ["f3"], skipped: 0, moved };
  const undo = () => act(() => result.current.mutateAsync(accepted));
  const gone = { status: 200, body: "" };
  answers.DeleteFlight = [gone, "lost", gone];
  await expect(undo()).rejects.toBeInstanceOf(NetworkFailure);
  await undo();
  const sent = callsOf("DeleteFlight").map((call) => [call.get("dpfId"), call.get("requestId")]);
  expect(sent.map(([dpfId]) => dpfId)).toEqual(["f1", "f2", "f2"]);
  expect(sent[2]).toEqual(sent[1]);
  expect(sent[0]?.[1]).not.toBe(sent[1]?.[1]);
});

const taps = Object.entries(ofTaps) as [WriteCall, (subject: string) => Fields<WriteCall>][];

test.each(taps)("%s is the same request until it is answered, after a reload too", async (name, fields) => {
  const open = () => {
    const { result } = renderHook(() => useWrite(name), { wrapper });
    return (subject: string) => act(() => result.current.mutateAsync(fields(subject)));
  };
  const press = open();
  const failed = noAnswer(name);
  answers[name] = [failed, failed, failed, done, { status: 409, body: "Nein." }, done];
  await expect(press("a")).rejects.toThrow();
  await expect(press("a")).rejects.toThrow();
  await expect(press("b")).rejects.toThrow();
  await open()("a");
  await expect(press("a")).rejects.toThrow("Nein.");
  await press("a");
  const [lost, again, other, repeated, refused, anew] = callsOf(name).map((sent) => sent.get("requestId"));
  expect(lost).toMatch(/^[0-9a-f-]{36}$/);
  expect([again, repeated]).toEqual([lost, lost]);
  expect(new Set([lost, other, refused, anew]).size).toBe(4);
});

/** Answers by something between browser and server. */
const foreign: Record<string, { status: number; body: unknown }> = {
  "a portal's page": { status: 200, body: "<html>Willkommen</html>" },
  "an empty page": { status: 200, body: "" },
  "JSON of another program": { status: 200, body: { fremd: true } },
  "no content": { status: 204, body: "" },
  "a redirect": { status: 302, body: "<html>Willkommen</html>" },
  "a proxy's login": { status: 401, body: "<html>Willkommen</html>" },
  "a refusal": { status: 403, body: "<html>Willkommen</html>" },
  "a missing page": { status: 404, body: "<html>Willkommen</html>" },
  "a limit": { status: 413, body: "<html>Willkommen</html>" },
  "an error": { status: 500, body: "<html>Willkommen</html>" },
  "a bad gateway": { status: 502, body: "<html>Willkommen</html>" },
  "a busy proxy": { status: 503, body: "<html>Willkommen</html>" },
  "a captive network": { status: 511, body: "<html>Willkommen</html>" },
};

const startFields = { config, dpfId: "f1", flight: {} };

/** Presses what sends this call. */
function pressOf(name: WriteCall): () => Promise<unknown> {
  if (name === "CreateFlight") return () => perform(name, startFields, "f1");
  const form = ofForms[name];
  if (form) return async () => open(name)(form.typed);
  return () => press(name, ofTaps[name]?.("a") as never);
}

/** The line is good again: what waits is sent, and what doesn't is pressed again. */
async function finish(name: WriteCall, first: unknown, what: string): Promise<void> {
  reportReachability("reachable");
  if (!wasQueued(first)) {
    expect(first, what).toBeInstanceOf(Error);
    await pressOf(name)();
  }
  await waitFor(() => expect(queueState().entries, what).toEqual([]), { interval: 5 });
}

const idsOf = (name: WriteCall) =>
  callsOf(name).map((fields) => fields.get("requestId") ?? fields.get("dpfId"));

describe.each(Object.keys(writes) as WriteCall[])("%s is done once when Fluglog answers again", (name) => {
  beforeEach(() => {
    standingAnswers.CheckSession = () => ({ status: 200, body: currentUser() });
    standingAnswers.health = () => ({ status: 200, body: "ok" });
    standingAnswers.GetFlight = () => ({ status: 200, body: { dpfId: "f1", notes: "" } });
  });

  test("after an answer by something else", async () => {
    for (const [what, answer] of Object.entries(foreign)) {
      calls.length = 0;
      answers[name] = [{ ...answer, isForeign: true }, done];
      const first = await pressOf(name)().catch((error: unknown) => error);
      expect(JSON.stringify(first) + String(first), what).not.toContain("Willkommen");
      await finish(name, first, what);
      const ids = idsOf(name);
      expect(ids.length, what).toBe(2);
      // Another limit's refusal is known to have no effect.
      if (answer.status !== 413) expect(ids[1], what).toBe(ids[0]);
    }
  });

  test("after an answer that was cut", async () => {
    for (let place = 0; place < 20; place++) {
      const what = `cut after ${place} of 20 parts`;
      calls.length = 0;
      answers[name] = [{ ...done, cut: place / 20 }, done];
      const first = await pressOf(name)().catch((error: unknown) => error);
      await finish(name, first, what);
      const ids = idsOf(name);
      expect(ids, what).toEqual([ids[0], ids[0]]);
    }
  });

  test("after 40 seconds of silence", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    vi.spyOn(AbortSignal, "timeout").mockImplementation(timeoutSignal);
    const silence = new Promise<"lost">((resolve) => setTimeout(resolve, 40_000, "lost"));
    answers[name] = Array.from({ length: 9 }, () => silence);
    const first = pressOf(name)().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(3_500);
    const write = { call: name, fields: ofForms[name]?.typed ?? {} };
    const mayWait = isQueueable(write, []) && name !== "UploadImageForFlight";
    expect(queueState().entries.length).toBe(mayWait ? 1 : 0);
    await vi.advanceTimersByTimeAsync(36_500);
    answers[name] = [done];
    await finish(name, await first, "silence");
    const ids = idsOf(name);
    expect(new Set(ids).size).toBe(1);
  });
});

/** As AbortSignal.timeout, by the test's clock. */
function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException("", "TimeoutError")), ms);
  return controller.signal;
}

const pack = { dpfId: "b1", type: 1, name: "Akku", cells: null, currentCharge: null, lastCharging: null };

test("Without network a pack is charged, too, whose voltage nobody knows", async () => {
  reportReachability("unreachable");
  cache.setQueryData(["GetEquipment", { dpfId: "b1" }], pack);
  expect(wasQueued(await press("QuickCharge", { battery: "b1" }))).toBe(true);
});

test("A charging that the server has is taken back without network, too", async () => {
  answers.QuickCharge = [done];
  const request = await requestIdOf("QuickCharge", { battery: "b1" });
  await perform("QuickCharge", { battery: "b1" }, request);
  answers.Undo = ["lost", done];
  expect(wasQueued(await press("Undo", { undo: request }))).toBe(true);
  standingAnswers.CheckSession = () => ({ status: 200, body: currentUser() });
  reportReachability("reachable");
  await waitFor(() => expect(queueState().entries).toEqual([]));
  expect(callsOf("Undo").map((fields) => fields.get("undo"))).toEqual([request, request]);
});
