// The outbox of the account that is logged in: its writes from the press to the answer, stored, sent, and shown in all
// its tabs. api/perform.ts describes the way of a write.
import { refresh } from "../api/answers";
import { cache, endSessionOn401 } from "../api/cache";
import { ApiError, call, type Fields } from "../api/client";
import { noFields } from "../api/flightFields";
import { fetchFlight } from "../api/flights";
import type { AllEquipments } from "../api/generated/AllEquipments";
import type { Charging } from "../api/generated/Charging";
import type { Equipment } from "../api/generated/Equipment";
import type { Flight } from "../api/generated/Flight";
import type { FlightItem } from "../api/generated/FlightItem";
import type { Log } from "../api/generated/Log";
import type { MaintenanceJob } from "../api/generated/MaintenanceJob";
import { withMoment } from "../api/moments";
import { isReachable, onReachabilityChange } from "../api/reachability";
import { fail, send, settle } from "../api/send";
import { newId } from "../lib/ids";
import { takeEarlierRequests } from "./earlierDrafts";
import { editedFields } from "./edits";
import { targetOf } from "./order";
import * as overlay from "./overlay";
import { add, type Failure, PicturesFull, QueueFull } from "./queue";
import {
  isQueueable,
  isUnanswered,
  type LogList,
  type NewQueuedWrite,
  type PressedWrite,
  type QueueableWrite,
  type QueuedWrite,
} from "./queuedWrites";
import { onQueueDelete, queueState, setQueue, setSending } from "./queueState";
import { createSender } from "./sender";
import { memoryStore, openStore, type Store } from "./store";
import { type ChargingFields, chargingValues } from "./values";

type Outbox = Awaited<ReturnType<typeof open>>;

let current: { account: string; outbox: Promise<Outbox> } | null = null;

/** The outbox of this account; closes the one of another account. */
export function outboxOf(account: string, nickname: string): Promise<Outbox> {
  if (current?.account === account) return current.outbox;
  current?.outbox.then((outbox) => outbox.close()).catch(() => {});
  const outbox = open(account, nickname);
  current = { account, outbox };
  outbox.catch(() => {
    if (current?.outbox === outbox) current = null;
  });
  return outbox;
}

onQueueDelete((account) => {
  if (current?.account !== account) return;
  current.outbox.then(
    (outbox) => outbox.close(),
    () => {},
  );
  current = null;
});

function failureOf(error: unknown): Failure {
  return error instanceof ApiError ? error : { status: null, text: "" };
}

async function isLoggedIn(account: string): Promise<boolean> {
  try {
    return (await call("CheckSession")).account === account;
  } catch (error) {
    endSessionOn401(error);
    if (failureOf(error).status === 401) return false;
    throw error;
  }
}

async function open(account: string, nickname: string) {
  let isClosed = false;
  const store = await openStore(account, close).catch(memoryStore);
  // Without storage no other tab has this outbox.
  const channel = store.isKept ? new BroadcastChannel(`fluglog-${account}`) : null;
  function show(entries: QueuedWrite[]): void {
    if (!isClosed) setQueue(account, nickname, entries, overlay);
  }
  let seen = "";
  const sender = createSender({
    store,
    isAllowed: () => isLoggedIn(account),
    post: (entry) =>
      entry.call === "UploadImageForFlight"
        ? sendPictures(store, entry)
        : send(entry.call, entry.fields, entry.requestId, { standstillMs: answerMs }),
    getStored: fetchStored,
    failureOf,
    onDone: (entry, answer) => {
      if (answer === null) cache.invalidateQueries();
      else settle(entry.call, answer as never, entry.fields as never);
      // Until now the server didn't know the flight.
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
      if (now !== seen && !isClosed) channel?.postMessage("changed");
      seen = now;
    },
    onSending: setSending,
    now: Date.now,
  });
  const pressed = pressedWrites({
    store,
    join: async (entry, joined) => {
      await sender.change((all) => add(all, entry), { joined });
      sender.drain();
    },
    tell: () => channel?.postMessage("changed"),
  });
  const onMessage = async () => {
    await pressed.read();
    const before = queueState().entries.length;
    const entries = await store.read();
    seen = JSON.stringify(entries);
    show(entries);
    if (entries.length < before) cache.invalidateQueries();
  };
  channel?.addEventListener("message", onMessage);
  const wake = () => {
    if (queueState().entries.length > 0) sender.drain();
  };
  const onVisible = () => {
    if (document.visibilityState !== "visible") return;
    // Another tab may have been closed while it sent something.
    pressed.resume().then(wake, wake);
  };
  const stopFollowing = onReachabilityChange(() => isReachable() && retryNow());
  document.addEventListener("visibilitychange", onVisible);
  window.addEventListener("online", retryNow);
  window.addEventListener("pagehide", sender.yield);

  /** Sends everything now, without the pause after a failure. */
  async function retryNow(): Promise<void> {
    if (isClosed || queueState().entries.length === 0) return;
    await sender.change((entries) =>
      entries.map((entry) => (entry.retryAt > 0 ? { ...entry, retryAt: 0 } : entry)),
    );
    await sender.drain();
  }
  function close(): void {
    if (isClosed) return;
    isClosed = true;
    pressed.stop();
    sender.stop();
    stopFollowing();
    document.removeEventListener("visibilitychange", onVisible);
    window.removeEventListener("online", retryNow);
    window.removeEventListener("pagehide", sender.yield);
    channel?.close();
    store.close();
  }
  async function enqueue(pressedOne: PressedWrite, isSent: boolean): Promise<object> {
    const write = pressedOne as PressedWrite & QueueableWrite;
    const entry = queuedWriteOf(write, pressedOne, isSent);
    let entries: QueuedWrite[];
    try {
      const added =
        write.call === "UploadImageForFlight"
          ? { object: entry.object, pictures: await bytesOf(write.fields.files) }
          : undefined;
      entries = await sender.change((all) => add(all, entry), { added, joined: write.requestId });
    } catch (error) {
      throw asFullError(error);
    }
    pressed.drop(write.requestId);
    // Persistent storage isn't evicted when space gets scarce. Missing on plain http.
    if (entries.length === 1) navigator.storage?.persist?.().catch(() => {});
    sender.drain();
    return answerTo(entry);
  }

  // The first wait since the store is open: from here on another tab may delete the database, which calls `close`.
  for (const earlier of takeEarlierRequests(account)) await store.press(earlier);
  const entries = await store.read();
  seen = JSON.stringify(entries);
  show(entries);
  await pressed.read();
  pressed.resume().then(retryNow, () => {});
  return { ...pressed, stamped: withMoment, enqueue, retryNow, change: sender.change, close, store };
}

const answerMs = 20_000;

async function sendPictures(store: Store, entry: Extract<QueuedWrite, { call: "UploadImageForFlight" }>) {
  const files = await store.pictures(entry.object);
  if (files === null) throw new ApiError(410, "Die Bilder sind nicht mehr auf diesem Gerät.", null);
  return send(entry.call, { ...entry.fields, files }, entry.requestId);
}

/** No tab waits for an answer that long. */
const interruptedMs = 5_000;

type PressedOptions = {
  store: Store;
  /** Queues an interrupted write. */
  join: (entry: NewQueuedWrite, requestId: string) => Promise<unknown>;
  /** Tells other tabs of a write without an answer. */
  tell: () => void;
};

/** Writes from their press to the server's answer, also in memory, so that a press waits for one transaction only. */
function pressedWrites({ store, join, tell }: PressedOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let all: PressedWrite[] = [];

  async function read(): Promise<void> {
    all = await store.pressed();
  }
  /** Forgets a write here that is answered or queued. Returns it. */
  function drop(requestId: string): PressedWrite | undefined {
    const one = all.find((write) => write.requestId === requestId);
    all = all.filter((write) => write !== one);
    return one;
  }
  async function forget(requestId: string): Promise<void> {
    const one = drop(requestId);
    await store.forget(requestId).catch(() => {});
    if (one?.isSending === false) tell();
  }
  return {
    pressed: () => all,
    read,
    drop,
    forget,
    /** Queues writes whose tab was closed while it sent them, and drops old ones. */
    async resume(): Promise<void> {
      await read();
      for (const write of all) if (!isUnanswered(write)) forget(write.requestId);
      const sending = all.filter(({ isSending, queued }) => isSending && queued);
      const interrupted = sending.filter(({ pressedAt }) => Date.now() - pressedAt > interruptedMs);
      for (const { queued, requestId } of interrupted) {
        if (queued) await join(queued, requestId);
        drop(requestId);
      }
      if (sending.length > interrupted.length)
        timer = setTimeout(() => this.resume().catch(() => {}), interruptedMs);
    },
    /** Stores a write that is about to be sent. Without space it is sent all the same. */
    async press(write: PressedWrite): Promise<void> {
      const mayWait = isQueueable(write, queueState().entries) && write.call !== "UploadImageForFlight";
      const queued = write.isSending && mayWait ? queuedWriteOf(write, write, true) : null;
      const stored = { ...withoutFiles(write), queued };
      drop(write.requestId);
      all = [...all, stored];
      await store.press(stored).catch(() => {});
      if (!write.isSending) tell();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Turns a full queue or storage into an error with a sentence for the user. */
function asFullError(error: unknown): unknown {
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

/** Fetches the server's present values of what a write edits; null when there are none. */
async function fetchStored(entry: QueuedWrite): Promise<object | null> {
  if (entry.call === "SaveFlight") return fetchFlight(entry.object);
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

/** The provisional answer, shown until the server's. */
function answerTo(entry: NewQueuedWrite): object {
  const { entries } = queueState();
  const { call, object, flight } = entry;
  if ((call === "SaveFlight" || call === "AddFlight") && flight)
    return overlay.flightWithQueued(flight, entries);
  if (entry.call === "SaveCharging") {
    const { battery } = entry.fields;
    const history = { equipmentName: "", chargings: cachedChargings(battery) };
    const shown = overlay.withQueued("GetChargings", { battery }, history, entries) as typeof history;
    return shown.chargings.find(({ dpfId }) => dpfId === object) ?? { dpfId: object };
  }
  return { dpfId: object };
}

function cachedChargings(battery: string): Charging[] {
  const history = cache.getQueryData<{ chargings: Charging[] }>(["GetChargings", { battery }]);
  if (history) return history.chargings;
  const { lastCharging } = cachedItems().get(battery) ?? {};
  return lastCharging ? [lastCharging] : [];
}

function queuedWriteOf(
  { call, fields }: QueueableWrite,
  { requestId, pressedAt }: PressedWrite,
  isSent: boolean,
): NewQueuedWrite {
  const write = withId({ call, fields } as QueueableWrite);
  const { subject, object } = targetOf(write, requestId);
  const flight = flightOf(write);
  const list = write.call === "EditLog" || write.call === "DeleteLog" ? listOf(object) : null;
  return {
    ...withoutFiles(write),
    ...{ version: 1, requestId, subject, object, flight, list, pictures: picturesOf(write) },
    about: aboutOf(write, flight, list),
    base: baseOf(write, cachedValues(write, flight, list)),
    madeAt: pressedAt,
    tries: isSent ? 1 : 0,
    isMaybeThere: false,
    retryAt: 0,
    state: "waiting",
    problem: null,
  } as NewQueuedWrite;
}

/** Adds the id of what it creates. */
function withId(queued: QueueableWrite): QueueableWrite {
  switch (queued.call) {
    case "CreateFlight":
      return { call: queued.call, fields: { ...queued.fields, dpfId: queued.fields.dpfId ?? newId() } };
    case "SaveBatteryReading":
      return { call: queued.call, fields: { ...queued.fields, reading: queued.fields.reading ?? newId() } };
    default:
      return queued;
  }
}

/** Removes the files; pictures are stored beside the queue. */
function withoutFiles<Write extends { fields: object }>(write: Write): Write {
  const isFile = (value: unknown) => value instanceof File || (Array.isArray(value) && value.some(isFile));
  const fields = Object.entries(write.fields).filter(([, value]) => !isFile(value));
  return { ...write, fields: Object.fromEntries(fields) };
}

function picturesOf({ call, fields }: QueueableWrite): QueuedWrite["pictures"] {
  if (call !== "UploadImageForFlight") return null;
  return { count: fields.files.length, bytes: fields.files.reduce((sum, { size }) => sum + size, 0) };
}

function baseOf(queued: QueueableWrite, known: object | null): QueuedWrite["base"] {
  const typed = editedFields(queued) ?? {};
  return Object.fromEntries(Object.entries(known ?? {}).filter(([name]) => name in typed));
}

/** The server's values of what is edited, as far as they are cached. */
function cachedValues(queued: QueueableWrite, flight: Flight | null, list: LogList | null): object | null {
  if (queued.call === "SaveFlight") return flight;
  if (queued.call === "SaveCharging")
    return chargingOf(cachedChargings(queued.fields.battery), queued.fields.dpfId ?? "");
  if (queued.call !== "EditLog" || list === null) return null;
  return cachedLogs(list)?.logs.find(({ dpfId }) => dpfId === queued.fields.dpfId) ?? null;
}

function cachedLogs({ call, dpfId }: LogList) {
  return cache.getQueryData<{ name: string; logs: Log[] }>([call, { dpfId }]);
}

/** The cached list that has a log. */
function listOf(log: string): LogList | null {
  const lists = (["GetEquipmentLogs", "GetFlightLogs"] as const).flatMap((call) =>
    cache
      .getQueriesData({ queryKey: [call] })
      .map(([key]) => ({ call, dpfId: (key[1] as { dpfId: string }).dpfId })),
  );
  return lists.find((list) => cachedLogs(list)?.logs.some(({ dpfId }) => dpfId === log)) ?? null;
}

/** The flight before this write: the server's, or a provisional new one. */
function flightOf(queued: QueueableWrite): Flight | null {
  switch (queued.call) {
    case "CreateFlight":
      return newFlight(queued.fields, queued.fields.startTime ?? "");
    case "AddFlight":
      return newFlight(queued.fields, queued.fields.flight.startTime);
    case "SaveFlight":
      return cachedFlight(queued.fields.flight.dpfId);
    case "DeleteFlight":
      return cachedFlight(queued.fields.dpfId ?? "");
    default:
      return null;
  }
}

function cachedFlight(dpfId: string): Flight | null {
  const there = cache.getQueryData<Flight>(["GetFlight", { dpfId }]);
  return (
    there ?? queueState().entries.find(({ object, flight }) => object === dpfId && flight)?.flight ?? null
  );
}

function newFlight(
  { dpfId, config, startInstant }: Fields<"CreateFlight"> | Fields<"AddFlight">,
  startTime: string,
): Flight {
  const items = cachedItems();
  const part = (id: string): FlightItem => {
    const { type = 0, name = "?", model = "", weight = null } = items.get(id) ?? {};
    return { dpfId: id, type, name, model, weight };
  };
  const payloads = (config.payloads ?? []).map(({ name, weight }) => ({ name, weight: Number(weight) }));
  const copter = part(config.copter);
  const equipments = (config.equipments ?? []).map(part);
  const weights = [copter, ...equipments, ...payloads].map(({ weight }) => weight ?? 0);
  return {
    ...{ dpfId: dpfId ?? "", startTime, copter, equipments, payloads, images: [], open: true },
    ...{ startInstant: startInstant ?? null, endInstant: null },
    weight: weights.reduce((sum, weight) => sum + weight, 0),
    ...noFields,
    maxDistance: null,
  };
}

function cachedItems(): Map<string, Equipment> {
  const all = cache.getQueryData<AllEquipments>(["GetAllEquipments", {}]);
  const lists = cache.getQueriesData<Equipment[]>({ queryKey: ["GetEquipments"] });
  const ones = cache.getQueriesData<Equipment>({ queryKey: ["GetEquipment"] });
  const listed = [...lists, ...ones].flatMap(([, answer]) => answer ?? []);
  const items = [...listed, ...Object.values(all ?? {}).flat()];
  return new Map(items.map((item) => [item.dpfId, item]));
}

/** What a write is about, for the pilot: "Brummer · Akku 5". "" when it isn't cached. */
function aboutOf(queued: QueueableWrite, flight: Flight | null, list: LogList | null): string {
  const packs = (of: Flight) => of.equipments.filter(({ type }) => type === 1).map(({ name }) => name);
  if (flight) return [flight.copter.name, ...packs(flight)].join(" · ");
  if (list) return cachedItems().get(list.dpfId)?.name ?? cachedLogs(list)?.name ?? "";
  if ("jobId" in queued.fields) return jobName(queued.fields.jobId);
  if ("battery" in queued.fields) return namesOf(queued.fields.battery);
  if (queued.call === "UploadImageForFlight") return cachedFlight(queued.fields.flight)?.copter.name ?? "";
  if (queued.call === "SaveEquipmentLog") return cachedItems().get(queued.fields.dpfId)?.name ?? "";
  return queued.call === "SaveFlightLog" ? (cachedFlight(queued.fields.dpfId)?.copter.name ?? "") : "";
}

/** Title and item of a job: "Propeller wechseln · Apex". */
function jobName(jobId: string): string {
  const answers = cache.getQueriesData<MaintenanceJob[]>({ queryKey: ["GetMaintenance"] });
  const job = answers.flatMap(([, jobs]) => jobs ?? []).find((one) => one.jobId === jobId);
  return job ? `${job.title} · ${job.itemName}` : "";
}

/** Names of packs whose ids are separated by `;`. */
function namesOf(packs: string): string {
  const items = cachedItems();
  const names = packs.split(";").map((id) => items.get(id)?.name ?? "");
  return names.filter((name) => name !== "").join(" · ");
}
