// A pilot with two devices over a bad line, in other zones than the server and with clocks that are wrong and are set:
// whatever they do and whenever a tab is closed, the server has each thing once, with what was typed last, nothing
// stays behind, and a flight lasts as long as it lasted.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Flight } from "../api/generated/Flight";
import { type Moment, recordServerTime } from "../lib/clock";
import { msSinceStart, type OwnStart } from "../lib/flightClock";
import { editedFields } from "./edits";
import { atTime, timeOf } from "./instants";
import { follows, targetOf } from "./order";
import { flightsCreatedHere, flightWithQueued } from "./overlay";
import {
  add,
  asFinishedFlight,
  asNewRequest,
  type Failure,
  removed,
  replaced,
  resetInterrupted,
} from "./queue";
import type { NewQueuedWrite, QueueableWrite, QueuedWrite } from "./queuedWrites";
import { createSender } from "./sender";
import { withFields } from "./values";

class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(String(status));
    this.status = status;
  }
}
/** No answer. */
class Lost extends Error {}

type Kept = { id: string; count: number; text: string };

/** The rules of the real one, as its tests show them. */
class Server {
  flights = new Map<string, Flight>();
  logs = new Map<string, Kept>();
  chargings = new Map<string, Kept>();
  pictures = new Map<string, Kept>();
  spent = new Set<string>();
  requests = new Map<string, unknown>();
  /** The true time, in ms. */
  time = Date.UTC(2026, 10, 24, 12);
  clock = new WrongClock(this);

  open(): Flight | undefined {
    return [...this.flights.values()].find(({ open }) => open);
  }

  /** Once for each request. */
  take(entry: QueuedWrite): unknown {
    const { call, requestId } = entry;
    if (call === "CreateFlight" || call === "AddFlight") return this.begin(entry);
    if (!this.requests.has(requestId)) this.requests.set(requestId, this.act(entry));
    return this.flights.get(entry.object) ?? this.requests.get(requestId);
  }

  begin(entry: QueuedWrite): unknown {
    if (entry.call !== "CreateFlight" && entry.call !== "AddFlight") throw new Error("no new flight");
    if (this.spent.has(entry.object)) throw new Refusal(403);
    const { startInstant = null } = entry.fields;
    const isFuture = startInstant !== null && Date.parse(startInstant) > this.clock.now() + aheadMs;
    const there = this.flights.get(entry.object);
    if (entry.call === "CreateFlight") {
      if (there) return entry.object;
      if (isFuture) throw new Refusal(400);
      if (this.open()) throw new Refusal(409);
      const { flight, startTime } = entry.fields;
      const started = made(entry.object, { ...flight, startTime: startTime ?? "" }, true);
      this.flights.set(entry.object, { ...started, startInstant });
      return entry.object;
    }
    if (there && !there.open) return there;
    if (isFuture) throw new Refusal(400);
    const before = there ?? { ...made(entry.object, {}, false), startInstant };
    const flight = { ...withFields(before, entry.fields.flight), open: false };
    this.flights.set(entry.object, flight);
    return flight;
  }

  act(entry: QueuedWrite): unknown {
    switch (entry.call) {
      case "SaveFlight": {
        const there = this.find(entry.object);
        if (entry.fields.endFlight && !there.open) throw new Refusal(409);
        const open = there.open && !entry.fields.endFlight;
        this.flights.set(entry.object, { ...withFields(there, entry.fields.flight), open });
        return undefined;
      }
      case "DeleteFlight":
        this.find(entry.object);
        this.flights.delete(entry.object);
        this.spent.add(entry.object);
        for (const [id, { text }] of this.logs) if (text.startsWith(`${entry.object} `)) this.logs.delete(id);
        for (const [id, { text }] of this.pictures) if (text === entry.object) this.pictures.delete(id);
        return undefined;
      case "UploadImageForFlight":
        this.find(entry.subject);
        return this.count(this.pictures, entry.fields.images?.[0] ?? "", entry.subject);
      case "SaveFlightLog":
        this.find(entry.subject);
        return this.count(this.logs, entry.object, `${entry.subject} ${entry.fields.info}`);
      case "EditLog": {
        const log = this.logs.get(entry.object);
        if (!log) throw new Refusal(403);
        log.text = `${log.text.split(" ")[0]} ${entry.fields.info}`;
        return undefined;
      }
      case "SaveCharging":
        return this.count(
          this.chargings,
          entry.object,
          String(entry.fields.charged ?? ""),
          !!entry.fields.dpfId,
        );
      default:
        throw new Refusal(400);
    }
  }

  /** What an edit is compared with. */
  stored({ call, object }: QueuedWrite): object | null {
    if (call === "SaveFlight") return this.find(object);
    const kept = this.logs.get(object) ?? this.chargings.get(object);
    return kept ? { charged: kept.text, info: kept.text.split(" ").at(-1), time: "" } : null;
  }

  all(): Map<string, object> {
    const edits = { SaveFlight: this.flights, EditLog: this.logs, SaveCharging: this.chargings };
    const all = Object.entries(edits).flatMap(([call, of]) =>
      [...of.keys()].map((object) => [object, this.stored({ call, object } as QueuedWrite) ?? {}] as const),
    );
    return structuredClone(new Map(all));
  }

  find(dpfId: string): Flight {
    const flight = this.flights.get(dpfId);
    if (!flight) throw new Refusal(403);
    return flight;
  }

  count(into: Map<string, Kept>, id: string, text: string, isEdit = false): void {
    const before = into.get(id);
    if (isEdit && !before) throw new Refusal(403);
    into.set(id, { id, count: (before?.count ?? 0) + (isEdit ? 0 : 1), text });
  }
}

function made(dpfId: string, fields: object, open: boolean): Flight {
  const texts = { location: "", notes: "", purpose: "", weatherConditions: "", startTime: "" };
  const nothing = {
    images: [],
    equipments: [],
    payloads: [],
    flightMode: "0",
    speed: null,
    maximumDistance: null,
  };
  return withFields(
    { dpfId, ...texts, ...nothing, open, copter: { dpfId: "c1" } } as unknown as Flight,
    fields,
  );
}

/** The server accepts what lies this much in its future. */
const aheadMs = 5 * 60_000;

/** A clock that is off from the true time. */
class WrongClock {
  off = 0;
  /** How often it was set. */
  sets = 0;
  readonly #world: { time: number };

  constructor(world: { time: number }) {
    this.#world = world;
  }

  now(): number {
    return this.#world.time + this.off;
  }

  set(off: number): void {
    this.off = off;
    this.sets += 1;
  }
}

function instantOf({ call, fields }: QueueableWrite): string | null {
  return call === "CreateFlight" || call === "AddFlight" ? (fields.startInstant ?? null) : null;
}

/** What the line does to a request. */
type Luck = "arrives" | "request lost" | "answer lost" | "tab closed";

/** One browser: its stored queue outlives its tabs. */
class Device {
  entries: QueuedWrite[] = [];
  /** What it last heard of what it may edit. */
  known = new Map<string, object>();
  isOnline = true;
  tab = 0;
  clock: WrongClock;
  /** How far it believes its clock to be ahead of the server's, and what it has heard that from. */
  ahead = 0;
  heard = "";
  own: OwnStart | null = null;
  readonly zone: number;
  #luck: Luck[] = [];
  readonly #server: Server;

  constructor(server: Server, { zone, off }: { zone: number; off: number }) {
    this.#server = server;
    this.clock = new WrongClock(server);
    this.zone = zone;
    this.clock.off = off;
    this.#hear();
  }

  #hear(): void {
    this.ahead = this.clock.now() - this.#server.clock.now();
    this.heard = this.clocks();
  }

  /** Identifies the state of both clocks. */
  clocks(): string {
    return `${this.clock.sets} ${this.#server.clock.sets}`;
  }

  moment(): Moment {
    return { device: this.clock.now(), server: this.clock.now() - this.ahead };
  }

  /** The wall clock in the device's zone. */
  wallTime(): string {
    const shown = new Date(this.moment().server + this.zone * 3_600_000);
    const [date, time] = shown.toISOString().split("T");
    return `${date?.split("-").reverse().join(".")} ${time?.slice(0, 5)}`;
  }

  prepare(luck: readonly Luck[]): void {
    this.#luck = [...luck];
  }

  /** One request over the line. */
  async #ask<Answer>(work: () => Answer): Promise<Answer> {
    await Promise.resolve();
    const luck = this.isOnline ? (this.#luck.shift() ?? "arrives") : "request lost";
    if (luck === "request lost") throw new Lost();
    const answer = work();
    if (luck === "tab closed") this.tab += 1;
    if (luck !== "arrives") throw new Lost();
    this.#hear();
    const now = this.clock.now();
    recordServerTime(new Date(this.#server.clock.now()).toUTCString(), now, now);
    this.known = this.#server.all();
    return structuredClone(answer);
  }

  #sender() {
    const { tab } = this;
    const store = {
      change: async (how: (entries: QueuedWrite[]) => QueuedWrite[]) => {
        // A tab that was closed changes nothing any more.
        if (tab !== this.tab) throw new Lost();
        this.entries = structuredClone(how(this.entries));
        return this.entries;
      },
      lease: async () => tab === this.tab,
      release: async () => {},
    };
    return createSender({
      store,
      isAllowed: () => this.#ask(() => true),
      post: (entry) => this.#ask(() => this.#server.take(entry)),
      getStored: (entry) => this.#ask(() => this.#server.stored(entry)),
      failureOf: (error): Failure => ({
        status: error instanceof Refusal ? error.status : null,
        text: "",
        field: error instanceof Refusal && error.status === 400 ? "startTime" : null,
      }),
      onDone: () => {},
      onFailed: () => {},
      onChange: () => {},
      onSending: () => {},
      now: () => this.clock.now(),
    });
  }

  async drain(): Promise<void> {
    this.#server.time += 1_000;
    // A clock that was set back doesn't prolong a pause: the page tries again.
    this.entries = this.entries.map((entry) => ({ ...entry, retryAt: 0 }));
    const sender = this.#sender();
    await sender.drain();
    sender.stop();
  }

  /** A tab is closed while something is being sent; the next one goes on. */
  reload(): void {
    this.tab += 1;
    this.entries = resetInterrupted(this.entries);
  }

  /** As the door of all writes: sent at once, or kept. */
  async write(queued: QueueableWrite): Promise<void> {
    const { subject, object } = targetOf(queued, crypto.randomUUID());
    const base = this.known.get(object);
    const typed = editedFields(queued) ?? {};
    const more = {
      ...{ version: 1, requestId: crypto.randomUUID(), subject, object, about: "", tries: 0 },
      madeAt: this.clock.now(),
      ...{ isMaybeThere: false, retryAt: 0, state: "waiting", problem: null },
      flight:
        queued.call.endsWith("eFlight") || queued.call === "AddFlight"
          ? { ...made(object, { startTime: timeOf(queued)?.time }, true), startInstant: instantOf(queued) }
          : null,
      base: base ? Object.fromEntries(Object.entries(base).filter(([name]) => name in typed)) : {},
    } as const;
    const entry = { ...queued, ...more } as NewQueuedWrite;
    const mustWait = !this.isOnline || this.entries.some((earlier) => follows(entry, earlier));
    if (!mustWait) {
      try {
        await this.#ask(() => this.#server.take({ ...entry, seq: 0 } as QueuedWrite));
        return;
      } catch (error) {
        // A refusal is shown at the form, and the pilot leaves it.
        if (error instanceof Refusal) throw error;
        entry.tries = 1;
      }
    }
    this.entries = structuredClone(add(this.entries, entry));
  }

  /** The flights that this device would show. */
  shown(): Flight[] {
    const there = [...this.#server.flights.values()].map((flight) => flightWithQueued(flight, this.entries));
    const here = flightsCreatedHere(this.entries).filter(({ dpfId }) => !this.#server.flights.has(dpfId));
    const gone = new Set(
      this.entries.filter(({ call }) => call === "DeleteFlight").map(({ object }) => object),
    );
    return [...there, ...here].filter(({ dpfId }) => !gone.has(dpfId));
  }

  /** The pilot decides what only a pilot can. */
  decide(diary: Diary): void {
    for (const entry of this.entries.filter(({ state }) => state === "stuck")) {
      const { problem } = entry;
      if (problem?.kind === "open" && entry.call === "CreateFlight") {
        this.entries = replaced(this.entries, entry, asNewRequest(entry, asFinishedFlight(entry, {})));
      } else if (problem?.kind === "clash") {
        // Nobody is asked about what they have typed themselves.
        for (const { field } of problem.clashes) {
          const typed = diary.flights.get(entry.object)?.[field] ?? {};
          expect(Object.keys(typed), `${entry.call} ${field}`).toHaveLength(2);
        }
        const base = Object.fromEntries(problem.clashes.map(({ field, there }) => [field, there]));
        this.entries = replaced(this.entries, entry, { ...asNewRequest(entry), base });
      } else if (problem?.kind === "refused" && problem.field === "startTime") {
        const instant = new Date(this.moment().server).toISOString();
        const entryNow = atTime(entry, this.wallTime(), instant);
        this.entries = replaced(this.entries, entry, asNewRequest(entryNow));
      } else if (problem?.kind === "gone") this.entries = removed(this.entries, entry);
      else throw new Error(`stuck: ${JSON.stringify(entry)}`);
    }
  }
}

const fields = ["location", "purpose", "speed"] as const;
const luck = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Luck>("arrives") },
    fc.constantFrom<Luck>("request lost", "answer lost", "tab closed"),
  ),
  { maxLength: 6 },
);
const action = fc.record({
  device: fc.nat(1),
  what: fc.constantFrom(
    "start",
    "start",
    "finish",
    "finish",
    "edit",
    "add",
    "delete",
    "charge",
    "charged",
    "log",
    "edit log",
    "pictures",
    "set clock",
    "set server's clock",
  ),
  which: fc.nat(9),
  /** Clocks are set by more than a flight takes. */
  off: fc.constantFrom(0, 20, -20, 600, -4_320, 4_320).map((minutes) => minutes * 60_000),
  lasting: fc.integer({ min: 0, max: 30_000 }),
  field: fc.constantFrom(...fields),
  afterwards: fc.constantFrom("nothing", "send", "send", "reload", "off", "on"),
  luck,
});
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

/** What the pilot expects. */
class Diary {
  flights = new Map<string, Record<string, Record<string, string>>>();
  deleted = new Set<string>();
  logs = new Map<string, { flight: string; texts: string[] }>();
  chargings = new Map<string, string[]>();
  /** The flight of each. */
  pictures = new Map<string, string>();
  begun = new Map<string, Begun>();
  #typed = 0;

  next(): string {
    this.#typed += 1;
    return String(this.#typed);
  }

  /** The last value of each device. */
  type(flight: string, field: string, owner: string): Record<string, string> {
    const value = this.next();
    const known = this.flights.get(flight) ?? {};
    this.flights.set(flight, { ...known, [field]: { ...known[field], [owner]: value } });
    return { [field]: value };
  }
}

/** When a flight truly began, and how often each clock had been set by then. */
type Begun = { time: number; owner: string; sets: number; serverSets: number; isHeard: boolean };

/** Whether the device can know how long the flight lasted: it has heard of the one clock that was set meanwhile. */
function isKnowable(device: Device, server: Server, begun: Begun, owner: string): boolean {
  const isHeard = device.heard === device.clocks();
  const serverSets = server.clock.sets - begun.serverSets;
  if (owner !== begun.owner) return serverSets === 0 && begun.isHeard && isHeard;
  const sets = device.clock.sets - begun.sets;
  // A change that the device had not heard of at the start reaches it during the flight.
  const unheard = begun.isHeard ? 0 : 1;
  return sets + serverSets + unheard <= 1 && (sets === 0 || isHeard);
}

/** The minutes that a device proposes at the end of a flight. */
function minutesOf(device: Device, server: Server, diary: Diary, open: Flight, owner: string) {
  const ms = msSinceStart(open, device.moment(), device.own);
  const begun = diary.begun.get(open.dpfId);
  if (begun && isKnowable(device, server, begun, owner)) {
    expect(Math.abs((ms ?? Number.NaN) - (server.time - begun.time)), JSON.stringify(begun)).toBeLessThan(
      4_000,
    );
  }
  const flightTime = String(Number(((ms ?? 0) / 60_000).toFixed(3)));
  const known = diary.flights.get(open.dpfId) ?? {};
  diary.flights.set(open.dpfId, { ...known, flightTime: { ...known.flightTime, [owner]: flightTime } });
  return { flightTime };
}

async function act(
  device: Device,
  server: Server,
  diary: Diary,
  { what, which, field, off }: Action,
  owner: string,
): Promise<void> {
  const config = { copter: "c1", equipments: [], payloads: [] };
  const shown = device.shown();
  const open = shown.find((flight) => flight.open);
  const one = shown[which % Math.max(shown.length, 1)];
  const id = `${owner}${diary.next()}`;
  if (what === "start" && !open) {
    const flight = diary.type(id, field, owner);
    const isHeard = device.heard === device.clocks();
    const sets = { sets: device.clock.sets, serverSets: server.clock.sets };
    diary.begun.set(id, { time: server.time, owner, isHeard, ...sets });
    device.own = { dpfId: id, ...device.moment() };
    const startInstant = new Date(device.own.server).toISOString();
    await device.write({
      call: "CreateFlight",
      fields: { config, flight, startTime: device.wallTime(), startInstant, dpfId: id },
    });
  } else if (what === "add") {
    const flight = { startTime: "24.11.2020 14:05", ...diary.type(id, field, owner) };
    await device.write({ call: "AddFlight", fields: { config, flight, dpfId: id } });
  } else if (what === "finish" && open) {
    const minutes = minutesOf(device, server, diary, open, owner);
    const flight = { ...diary.type(open.dpfId, field, owner), ...minutes, dpfId: open.dpfId };
    await device.write({ call: "SaveFlight", fields: { flight, endFlight: true } });
  } else if (what === "set clock") {
    device.clock.set(off);
  } else if (what === "set server's clock") {
    server.clock.set(off);
  } else if (what === "edit" && one) {
    const flight = { ...diary.type(one.dpfId, field, owner), dpfId: one.dpfId };
    await device.write({ call: "SaveFlight", fields: { flight, endFlight: false } });
  } else if (what === "delete" && one && which > 6) {
    diary.deleted.add(one.dpfId);
    await device.write({ call: "DeleteFlight", fields: { dpfId: one.dpfId } });
  } else if (what === "charge") {
    diary.chargings.set(id, [""]);
    await device.write({ call: "SaveCharging", fields: { battery: id, charging: id } });
  } else if (what === "charged") {
    const mine = [...diary.chargings.keys()].filter((charging) => charging.startsWith(owner));
    const charging = mine[which % Math.max(mine.length, 1)];
    if (charging === undefined) return;
    const charged = diary.next();
    diary.chargings.get(charging)?.push(charged);
    await device.write({ call: "SaveCharging", fields: { battery: charging, dpfId: charging, charged } });
  } else if (what === "log" && one) {
    diary.logs.set(id, { flight: one.dpfId, texts: [id] });
    await device.write({ call: "SaveFlightLog", fields: { dpfId: one.dpfId, log: id, info: id, time: "" } });
  } else if (what === "pictures" && one) {
    diary.pictures.set(id, one.dpfId);
    await device.write({
      call: "UploadImageForFlight",
      fields: { flight: one.dpfId, images: [id], files: [] },
    });
  } else if (what === "edit log") {
    const mine = [...diary.logs.keys()].filter((log) => log.startsWith(owner));
    const log = mine[which % Math.max(mine.length, 1)];
    if (log === undefined) return;
    const info = diary.next();
    diary.logs.get(log)?.texts.push(info);
    await device.write({ call: "EditLog", fields: { dpfId: log, info, time: "" } });
  }
}

async function settle(devices: readonly Device[], diary: Diary): Promise<void> {
  for (let round = 0; round < 12; round++) {
    for (const device of devices) {
      device.isOnline = true;
      device.prepare([]);
      await device.drain();
      device.decide(diary);
    }
  }
}

/** A refusal that the form shows at once: what was typed isn't expected then. */
async function acted(work: () => Promise<void>, undo: () => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    undo();
  }
}

/** 100 days take two seconds, and longer on a busy machine. */
const limitMs = 300_000;

test(
  "after a day on a bad line the server has each thing once, with what was typed last",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), async (day) => {
        const server = new Server();
        const devices = [
          new Device(server, { zone: 2, off: 20 * 60_000 }),
          new Device(server, { zone: -5, off: 0 }),
        ];
        const diary = new Diary();
        for (const one of day) {
          const device = devices[one.device] as Device;
          device.prepare(one.luck);
          server.time += one.lasting;
          const before = structuredClone({ ...diary, flights: diary.flights });
          await acted(
            () => act(device, server, diary, one, "ab"[one.device] ?? ""),
            () => Object.assign(diary, before),
          );
          if (one.afterwards === "off" || one.afterwards === "on") device.isOnline = one.afterwards === "on";
          if (one.afterwards === "reload") device.reload();
          if (one.afterwards === "send") await device.drain();
        }
        await settle(devices, diary);
        for (const device of devices) expect(device.entries).toEqual([]);
        for (const [dpfId, typed] of diary.flights) {
          const flight = server.flights.get(dpfId);
          if (diary.deleted.has(dpfId)) continue;
          expect(flight, dpfId).toBeDefined();
          for (const [field, values] of Object.entries(typed)) {
            // Where both devices have typed, the last value of one of them holds.
            expect(Object.values(values)).toContain(String(flight?.[field as keyof Flight] ?? ""));
          }
        }
        const kept = [...server.logs.values(), ...server.chargings.values(), ...server.pictures.values()];
        for (const { count } of kept) expect(count).toBe(1);
        for (const [id, flight] of diary.pictures) {
          if (!diary.deleted.has(flight)) expect(server.pictures.get(id)?.text).toBe(flight);
        }
        for (const [id, texts] of diary.chargings) expect(server.chargings.get(id)?.text).toBe(texts.at(-1));
        for (const [id, { flight, texts }] of diary.logs) {
          if (diary.deleted.has(flight)) continue;
          expect(server.logs.get(id)?.text).toBe(`${flight} ${texts.at(-1)}`);
        }
      }),
      {
        numRuns: Number(process.env.FLUGLOG_DAYS ?? 100),
        // Each run has equal days; other seeds search for more.
        seed: Number(process.env.FLUGLOG_SEED ?? 41),
      },
    );
  },
  limitMs,
);
