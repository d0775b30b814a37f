// The queue of the account that is logged in, put together: stored, sent, and shown in all its tabs.
import { refresh } from "../api/answers";
import { cache, endSessionOn401 } from "../api/cache";
import { ApiError, call, type Fields } from "../api/client";
import { askFlight } from "../api/flights";
import type { AllEquipments } from "../api/generated/AllEquipments";
import type { Charging } from "../api/generated/Charging";
import type { Equipment } from "../api/generated/Equipment";
import type { Flight } from "../api/generated/Flight";
import type { FlightItem } from "../api/generated/FlightItem";
import type { Log } from "../api/generated/Log";
import { isReachable, onReachabilityChange } from "../api/reachability";
import { fail, send, settle } from "../api/send";
import { formatDateTime, wallClock } from "../lib/dates";
import { newId } from "../lib/ids";
import { typedIn } from "./edits";
import type { Entry, LogList, Queued } from "./entries";
import { objectOf } from "./order";
import * as overlay from "./overlay";
import { add, type Failure, type NewEntry, PicturesFull, QueueFull } from "./queue";
import { makeSender } from "./sender";
import { openStore } from "./store";
import { type ChargingFields, chargingValues } from "./values";
import { know, knowSending, onForget, waiting } from "./waiting";

export type Machine = Awaited<ReturnType<typeof open>>;

let current: { account: string; machine: Promise<Machine> } | null = null;

/** The queue of this account; another one is closed. */
export function machineOf(account: string, nickname: string): Promise<Machine> {
  if (current?.account === account) return current.machine;
  current?.machine.then((machine) => machine.close()).catch(() => {});
  const machine = open(account, nickname);
  current = { account, machine };
  machine.catch(() => {
    if (current?.machine === machine) current = null;
  });
  return machine;
}

onForget((account) => {
  if (current?.account !== account) return;
  current.machine.then(
    (machine) => machine.close(),
    () => {},
  );
  current = null;
});

function failureOf(error: unknown): Failure {
  return error instanceof ApiError ? error : { status: null, text: "" };
}

async function open(account: string, nickname: string) {
  const channel = new BroadcastChannel(`fluglog-${account}`);
  let isClosed = false;
  const store = await openStore(account, close);
  function show(entries: Entry[]): void {
    if (!isClosed) know(account, nickname, entries, overlay);
  }
  let seen = JSON.stringify(await store.read());
  const sender = makeSender({
    store,
    isAllowed: async () => {
      try {
        return (await call("CheckSession")).account === account;
      } catch (error) {
        endSessionOn401(error);
        if (failureOf(error).status === 401) return false;
        throw error;
      }
    },
    post: (entry) =>
      entry.call === "UploadImageForFlight"
        ? sendPictures(entry)
        : send(entry.call, entry.fields, entry.requestId, { standstillMs: answerMs }),
    getStored: storedOf,
    failureOf,
    onDone: (entry, answer) => {
      if (answer === null) cache.invalidateQueries();
      else settle(entry.call, answer as never, entry.fields as never);
      // Before, nobody could be asked about it.
      if (entry.call === "CreateFlight" || entry.call === "AddFlight")
        refresh("GetFlightLogs", "GetFlightTrack");
    },
    onFailed: (entry, error) => {
      endSessionOn401(error);
      if (entry.state === "stuck") fail(entry.call, error, entry.fields as never);
    },
    onChange: (entries) => {
      show(entries);
      const now = JSON.stringify(entries);
      if (now !== seen && !isClosed) channel.postMessage("changed");
      seen = now;
    },
    onSending: knowSending,
    now: Date.now,
  });
  channel.onmessage = async () => {
    const before = waiting().entries.length;
    const entries = await store.read();
    seen = JSON.stringify(entries);
    show(entries);
    if (entries.length < before) cache.invalidateQueries();
  };
  const wake = () => {
    if (waiting().entries.length > 0) sender.drain();
  };
  const onVisible = () => document.visibilityState === "visible" && wake();
  const stopFollowing = onReachabilityChange(() => isReachable() && retryNow());
  document.addEventListener("visibilitychange", onVisible);
  window.addEventListener("online", retryNow);
  window.addEventListener("pagehide", sender.yield);

  /** Without the pause after a failure. */
  async function retryNow(): Promise<void> {
    if (isClosed || waiting().entries.length === 0) return;
    await sender.change((entries) =>
      entries.map((entry) => (entry.retryAt > 0 ? { ...entry, retryAt: 0 } : entry)),
    );
    await sender.drain();
  }
  function close(): void {
    if (isClosed) return;
    isClosed = true;
    sender.stop();
    stopFollowing();
    document.removeEventListener("visibilitychange", onVisible);
    window.removeEventListener("online", retryNow);
    window.removeEventListener("pagehide", sender.yield);
    channel.close();
    store.close();
  }
  async function sendPictures(entry: Extract<Entry, { call: "UploadImageForFlight" }>) {
    const files = await store.pictures(entry.object);
    if (files === null) throw new ApiError(410, "Die Bilder sind nicht mehr auf diesem Gerät.", null);
    return send(entry.call, { ...entry.fields, files }, entry.requestId);
  }
  async function keep(queued: Queued, requestId: string, isSent: boolean): Promise<object> {
    const entry = entryOf(queued, requestId, isSent);
    let entries: Entry[];
    try {
      const pictures = queued.call === "UploadImageForFlight" ? await bytesOf(queued.fields.files) : null;
      entries = await sender.change(
        (all) => add(all, entry),
        pictures ? { object: entry.object, pictures } : undefined,
      );
    } catch (error) {
      throw fullness(error);
    }
    // A browser that is asked doesn't delete it when space gets scarce. Missing on plain http.
    if (entries.length === 1) navigator.storage?.persist?.().catch(() => {});
    sender.drain();
    return answerTo(entry);
  }

  show(await store.read());
  retryNow();
  return { keep, retryNow, change: sender.change, close, store };
}

const answerMs = 20_000;

/** The sentence for a device without room for more. */
function fullness(error: unknown): unknown {
  if (error instanceof PicturesFull) {
    const text =
      "Ohne Netz warten höchstens 50 MB. Bilder bitte später hochladen, sie bleiben auf dem Gerät.";
    return new ApiError(507, text, null);
  }
  if (error instanceof QueueFull || (error as Error)?.name === "QuotaExceededError") {
    return new ApiError(507, "Der Speicher des Geräts ist voll. Bitte Einträge übertragen.", null);
  }
  return error;
}

function bytesOf(files: readonly File[]) {
  const read = async (file: File) => ({ name: file.name, type: file.type, bytes: await file.arrayBuffer() });
  return Promise.all(files.map(read));
}

/** The values that are on the server now of what an entry edits. */
async function storedOf(entry: Entry): Promise<object | null> {
  if (entry.call === "SaveFlight") return askFlight(entry.object);
  if (entry.call === "SaveCharging") {
    const { chargings } = await call("GetChargings", { battery: entry.subject });
    return chargingOf(chargings, entry.object);
  }
  if (!entry.list) return null;
  const { logs } = await call(entry.list.call, { dpfId: entry.list.dpfId });
  return logs.find(({ dpfId }) => dpfId === entry.object) ?? null;
}

function chargingOf(chargings: readonly Charging[], id: string): ChargingFields | null {
  const charging = chargings.find(({ dpfId }) => dpfId === id);
  return charging ? chargingValues(charging, "") : null;
}

/** What the server would answer. */
function answerTo(entry: NewEntry): object {
  const { entries } = waiting();
  const { call, object, flight } = entry;
  if ((call === "SaveFlight" || call === "AddFlight") && flight) return overlay.flightShown(flight, entries);
  if (entry.call === "SaveCharging") {
    const { battery } = entry.fields;
    const history = { equipmentName: "", chargings: knownChargings(battery) };
    const shown = overlay.shown("GetChargings", { battery }, history, entries) as typeof history;
    return shown.chargings.find(({ dpfId }) => dpfId === object) ?? { dpfId: object };
  }
  return { dpfId: object };
}

function knownChargings(battery: string): Charging[] {
  const history = cache.getQueryData<{ chargings: Charging[] }>(["GetChargings", { battery }]);
  if (history) return history.chargings;
  const { lastCharging } = knownItems().get(battery) ?? {};
  return lastCharging ? [lastCharging] : [];
}

function entryOf(queued: Queued, requestId: string, isSent: boolean): NewEntry {
  const write = withTime(queued);
  const { subject, object } = objectOf(write, requestId);
  const flight = flightOf(write);
  const list = write.call === "EditLog" || write.call === "DeleteLog" ? listOf(object) : null;
  return {
    ...withoutFiles(write),
    ...{ version: 1, requestId, subject, object, flight, list, pictures: picturesOf(write) },
    about: aboutOf(write, flight, list),
    base: baseOf(write, knownValues(write, flight, list)),
    madeAt: Date.now(),
    tries: isSent ? 1 : 0,
    isMaybeThere: false,
    retryAt: 0,
    state: "waiting",
    problem: null,
  } as NewEntry;
}

/** It was done when the pilot pressed, not when the server hears of it. */
function withTime(queued: Queued): Queued {
  const now = formatDateTime(wallClock());
  switch (queued.call) {
    case "CreateFlight": {
      const { dpfId, startTime } = queued.fields;
      const fields = { ...queued.fields, dpfId: dpfId ?? newId(), startTime: startTime ?? now };
      return { call: "CreateFlight", fields };
    }
    case "QuickCharge":
    case "QuickStore":
      return { call: queued.call, fields: { ...queued.fields, time: queued.fields.time ?? now } };
    case "SaveBatteryReading": {
      const { reading, time } = queued.fields;
      const fields = { ...queued.fields, reading: reading ?? newId(), time: time ?? now };
      return { call: "SaveBatteryReading", fields };
    }
    default:
      return queued;
  }
}

/** Pictures are stored beside the queue. */
function withoutFiles(queued: Queued): Queued {
  if (queued.call !== "UploadImageForFlight") return queued;
  return { call: queued.call, fields: { ...queued.fields, files: [] } };
}

function picturesOf({ call, fields }: Queued): Entry["pictures"] {
  if (call !== "UploadImageForFlight") return null;
  return { count: fields.files.length, bytes: fields.files.reduce((sum, { size }) => sum + size, 0) };
}

function baseOf(queued: Queued, known: object | null): Entry["base"] {
  const typed = typedIn(queued) ?? {};
  return Object.fromEntries(Object.entries(known ?? {}).filter(([name]) => name in typed));
}

/** The server's values of what is edited, as far as this device knows. */
function knownValues(queued: Queued, flight: Flight | null, list: LogList | null): object | null {
  if (queued.call === "SaveFlight") return flight;
  if (queued.call === "SaveCharging")
    return chargingOf(knownChargings(queued.fields.battery), queued.fields.dpfId ?? "");
  if (queued.call !== "EditLog" || list === null) return null;
  return knownLogs(list)?.logs.find(({ dpfId }) => dpfId === queued.fields.dpfId) ?? null;
}

function knownLogs({ call, dpfId }: LogList) {
  return cache.getQueryData<{ name: string; logs: Log[] }>([call, { dpfId }]);
}

/** The list in which this device knows a log. */
function listOf(log: string): LogList | null {
  const lists = (["GetEquipmentLogs", "GetFlightLogs"] as const).flatMap((call) =>
    cache
      .getQueriesData({ queryKey: [call] })
      .map(([key]) => ({ call, dpfId: (key[1] as { dpfId: string }).dpfId })),
  );
  return lists.find((list) => knownLogs(list)?.logs.some(({ dpfId }) => dpfId === log)) ?? null;
}

/** The flight as it is without this write: the server's, or what is known of a new one. */
function flightOf(queued: Queued): Flight | null {
  switch (queued.call) {
    case "CreateFlight":
      return newFlight(queued.fields.dpfId ?? "", queued.fields.config, queued.fields.startTime ?? "");
    case "AddFlight":
      return newFlight(queued.fields.dpfId ?? "", queued.fields.config, queued.fields.flight.startTime);
    case "SaveFlight":
      return knownFlight(queued.fields.flight.dpfId);
    case "DeleteFlight":
      return knownFlight(queued.fields.dpfId ?? "");
    default:
      return null;
  }
}

function knownFlight(dpfId: string): Flight | null {
  const there = cache.getQueryData<Flight>(["GetFlight", { dpfId }]);
  return there ?? waiting().entries.find(({ object, flight }) => object === dpfId && flight)?.flight ?? null;
}

function newFlight(dpfId: string, config: Fields<"AddFlight">["config"], startTime: string): Flight {
  const items = knownItems();
  const part = (id: string): FlightItem => {
    const { type = 0, name = "?", model = "", weight = null } = items.get(id) ?? {};
    return { dpfId: id, type, name, model, weight };
  };
  const payloads = (config.payloads ?? []).map(({ name, weight }) => ({ name, weight: Number(weight) }));
  const copter = part(config.copter);
  const equipments = (config.equipments ?? []).map(part);
  const weights = [copter, ...equipments, ...payloads].map(({ weight }) => weight ?? 0);
  return {
    ...{ dpfId, startTime, copter, equipments, payloads, images: [], open: true },
    weight: weights.reduce((sum, weight) => sum + weight, 0),
    ...{ location: "", weatherConditions: "", purpose: "", notes: "", flightMode: "0" },
    ...{ startLatitude: null, startLongitude: null, endLatitude: null, endLongitude: null },
    ...{ flightTime: null, maximumAltitude: null, distance: null, maximumDistance: null, maxDistance: null },
    ...{ speed: null, batteryStartVoltage: null, batteryEndVoltage: null, consumedCapacity: null },
  };
}

function knownItems(): Map<string, Equipment> {
  const all = cache.getQueryData<AllEquipments>(["GetAllEquipments", {}]);
  const lists = cache.getQueriesData<Equipment[]>({ queryKey: ["GetEquipments"] });
  const ones = cache.getQueriesData<Equipment>({ queryKey: ["GetEquipment"] });
  const listed = [...lists, ...ones].flatMap(([, answer]) => answer ?? []);
  const items = [...listed, ...Object.values(all ?? {}).flat()];
  return new Map(items.map((item) => [item.dpfId, item]));
}

/** "Brummer · Akku 5"; "" when nobody knows. */
function aboutOf(queued: Queued, flight: Flight | null, list: LogList | null): string {
  const packs = (of: Flight) => of.equipments.filter(({ type }) => type === 1).map(({ name }) => name);
  if (flight) return [flight.copter.name, ...packs(flight)].join(" · ");
  if (list) return knownItems().get(list.dpfId)?.name ?? knownLogs(list)?.name ?? "";
  if ("battery" in queued.fields) return namesOf(queued.fields.battery);
  if (queued.call === "UploadImageForFlight") return knownFlight(queued.fields.flight)?.copter.name ?? "";
  if (queued.call === "SaveEquipmentLog") return knownItems().get(queued.fields.dpfId)?.name ?? "";
  return queued.call === "SaveFlightLog" ? (knownFlight(queued.fields.dpfId)?.copter.name ?? "") : "";
}

/** Of packs with `;` between. */
function namesOf(packs: string): string {
  const items = knownItems();
  const names = packs.split(";").map((id) => items.get(id)?.name ?? "");
  return names.filter((name) => name !== "").join(" · ");
}
