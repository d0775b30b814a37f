// What this device knows of the pilot who stays logged in: the newest answers of a few calls, kept in the browser's
// database, to open the app with when nobody answers. Of one pilot at a time, and only where the app opens at all
// without a server.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { cache, type Session, sessionKey } from "../api/cache";
import type { Fields } from "../api/client";
import { markStale } from "../api/fallback";
import { isReachable } from "../api/reachability";
import { deleteSharedFiles } from "../lib/sharedFiles";
import {
  deleteQueue,
  deleteSnapshot,
  hasQueuedWrites,
  queueAccounts,
  queueState,
  snapshotName,
} from "./queueState";

/** `key` is the cache's, and `id` its text. */
export type SnapshotAnswer = {
  id: string;
  account: string;
  key: readonly unknown[];
  answer: unknown;
  at: number;
};

interface Schema extends DBSchema {
  answers: { key: string; value: SnapshotAnswer };
}

const maxFlights = 60;

/** The session counts as one of the answers. */
const persistedCalls: { [name: string]: (fields: never) => boolean } = {
  [sessionKey[0]]: () => true,
  GetAllEquipments: () => true,
  GetStatistics: () => true,
  GetFlightMonths: () => true,
  GetLoginWays: () => true,
  GetFlight: () => true,
  GetFlights: ({ limit, equipment, before, after }: Fields<"GetFlights">) =>
    Boolean(limit) && !equipment && !before && !after && Number(limit) > 1,
};

/** Without a worker the app doesn't open, and on a device for a while nothing stays. */
function persistedAccount(): string | null {
  const session = cache.getQueryData<Session>(sessionKey);
  const isKept = session?.isRemembered === true && Boolean(navigator.serviceWorker?.controller);
  return isKept ? (session.user?.account ?? null) : null;
}

/** Keeps every answer from now on, and those that are there. */
export function persistAnswers(): void {
  const queries = cache.getQueryCache();
  const keepAll = () => {
    for (const query of queries.getAll()) persistIfWanted(query.queryKey, query.state);
  };
  keepAll();
  queries.subscribe((event) => {
    if (event.type === "updated" && event.action.type === "success")
      persistIfWanted(event.query.queryKey, event.query.state);
  });
  // The first worker is there a moment after the first page.
  navigator.serviceWorker?.addEventListener("controllerchange", keepAll);
}

function persistIfWanted(
  key: readonly unknown[],
  { data, dataUpdatedAt }: { data: unknown; dataUpdatedAt: number },
): void {
  if (data === undefined) return;
  if (key[0] === sessionKey[0]) deleteForOthers(data as Session);
  const account = persistedAccount();
  // Without an answer it is known from other answers.
  const isWanted = isReachable() && persistedCalls[String(key[0])]?.(key[1] as never);
  if (account === null || !isWanted) return;
  // Full or forbidden storage only means that less is known later.
  persist({ id: JSON.stringify(key), account, key, answer: firstPageOf(data), at: dataUpdatedAt }).catch(
    () => {},
  );
}

/** Of a list in pages the first. */
function firstPageOf(data: unknown): unknown {
  const { pages, pageParams } = data as { pages?: unknown[]; pageParams?: unknown[] };
  return pages && pageParams ? { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) } : data;
}

/** The pilot has left, or isn't to be remembered. */
function deleteForOthers({ user, isRemembered }: Session): void {
  if (user === null || !isRemembered) deleteSnapshot();
  if (user !== null) return;
  deleteSharedFiles();
  deleteEmptyQueues();
}

/** What waits is locked until its pilot comes back; where nothing waits nothing is left. */
async function deleteEmptyQueues(): Promise<void> {
  const { account } = queueState();
  if (account !== "" && !hasQueuedWrites(account)) deleteQueue(account);
  const names = (await indexedDB.databases().catch(() => [])).map(({ name = "" }) => name);
  for (const other of queueAccounts(names)) if (!hasQueuedWrites(other)) deleteQueue(other);
}

function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>(snapshotName, 1, {
    upgrade: (database) => database.createObjectStore("answers", { keyPath: "id" }),
    blocking: (_old, _new, event) => (event.target as IDBDatabase).close(),
  });
}

async function persist(kept: SnapshotAnswer): Promise<void> {
  const database = await open();
  try {
    // Left meanwhile.
    if (persistedAccount() !== kept.account) return;
    const { store, done } = database.transaction("answers", "readwrite");
    const all = await store.getAll();
    const writes = outdated(all, kept).map(({ id }) => store.delete(id));
    await Promise.all([...writes, store.put(kept), done]);
  } finally {
    database.close();
  }
}

/** What goes with a new answer: what is known of another pilot, and the flights that were seen the longest ago. */
export function outdated(all: readonly SnapshotAnswer[], added: SnapshotAnswer): SnapshotAnswer[] {
  const flights = [added, ...all.filter(({ id }) => id !== added.id)].filter(
    ({ key: [name] }) => name === "GetFlight",
  );
  const oldest = flights.toSorted((one, other) => other.at - one.at).slice(maxFlights);
  return all.filter((one) => one.account !== added.account || oldest.includes(one));
}

/** Fills the cache with what is known, and gives the session of its pilot; null when nothing is. */
export async function restoreSnapshot(): Promise<Session | null> {
  const database = await open().catch(() => null);
  if (database === null) return null;
  const all = await database.getAll("answers").finally(() => database.close());
  const session = all.find(({ key: [name] }) => name === sessionKey[0]);
  if (session === undefined) {
    deleteSnapshot();
    return null;
  }
  for (const { account, key, answer, at } of all) {
    if (account === session.account && key[0] !== sessionKey[0])
      cache.setQueryData(key, answer, { updatedAt: at });
  }
  markStale();
  return { ...(session.answer as Session), knownAt: session.at };
}
