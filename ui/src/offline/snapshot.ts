// The newest answers of a few calls, persisted in IndexedDB, so that the app opens without the server. Only of one
// pilot, who chose to stay logged in, and only with a service worker, without which the app doesn't open offline.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { cache, type Session, sessionKey } from "../api/cache";
import type { Fields } from "../api/client";
import { markStale } from "../api/fallback";
import type { Proof } from "../api/generated/Proof";
import { isReachable } from "../api/reachability";
import { deleteSharedFiles } from "../lib/sharedFiles";
import { keepPictures } from "./proofPictures";
import { isUnanswered } from "./queuedWrites";
import {
  deleteQueue,
  deleteSnapshot,
  hasQueuedWrites,
  queueAccounts,
  queueState,
  snapshotName,
} from "./queueState";
import { openStore } from "./store";

/** An answer of the cache; `id` is `key` as text. */
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

/** Most answers of one call, where it is not 60. */
const maxAnswers: { [name: string]: number } = { GetReview: 6 };

/** Calls whose answers are persisted, and for which fields; the session is one of them. */
const persistedCalls: { [name: string]: (fields: never) => boolean } = {
  [sessionKey[0]]: () => true,
  GetAllEquipments: () => true,
  GetStatistics: () => true,
  GetFlightMonths: () => true,
  GetLoginWays: () => true,
  GetFlight: () => true,
  GetFlightLogs: () => true,
  GetEquipmentLogs: () => true,
  GetChargings: () => true,
  GetBatteryPassport: () => true,
  GetBatteryHints: () => true,
  GetReminders: () => true,
  GetMaintenance: () => true,
  GetPriorFlights: () => true,
  GetReview: () => true,
  GetUserDocuments: () => true,
  GetProofs: () => true,
  GetDetailedUser: () => true,
  GetSpaces: () => true,
  GetMembers: () => true,
  GetSharedUses: () => true,
  GetFlights: ({ limit, equipment, before, after }: Fields<"GetFlights">) =>
    Boolean(limit) && !equipment && !before && !after && Number(limit) > 1,
};

/** The account whose answers are persisted; null without a service worker, or if the login isn't remembered. */
function persistedAccount(): string | null {
  const session = cache.getQueryData<Session>(sessionKey);
  const isPersisted = session?.isRemembered === true && Boolean(navigator.serviceWorker?.controller);
  return isPersisted ? (session.user?.account ?? null) : null;
}

/** Persists the cached answers, and each new one. */
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
  // The first worker takes control a moment after the first page.
  navigator.serviceWorker?.addEventListener("controllerchange", keepAll);
}

function persistIfWanted(
  key: readonly unknown[],
  { data, dataUpdatedAt }: { data: unknown; dataUpdatedAt: number },
): void {
  if (data === undefined) return;
  if (key[0] === sessionKey[0]) deleteForOthers(data as Session);
  const account = persistedAccount();
  // Offline answers are derived from others.
  const isWanted = isReachable() && persistedCalls[String(key[0])]?.(key[1] as never);
  if (account === null || !isWanted) return;
  // Best effort: with full or forbidden storage less is available offline.
  persist({ id: JSON.stringify(key), account, key, answer: firstPageOf(data), at: dataUpdatedAt }).catch(
    () => {},
  );
  if (key[0] === "GetProofs") keepPictures(data as Proof[], () => persistedAccount() === account);
}

/** The first page of a paged list; other answers whole. */
function firstPageOf(data: unknown): unknown {
  const { pages, pageParams } = data as { pages?: unknown[]; pageParams?: unknown[] };
  return pages && pageParams ? { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) } : data;
}

/** Deletes the snapshot after a logout or for a login that isn't remembered. */
function deleteForOthers({ user, isRemembered }: Session): void {
  if (user === null || !isRemembered) deleteSnapshot();
  if (user !== null) return;
  deleteSharedFiles();
  deleteEmptyQueues();
}

/** Deletes outboxes without writes. Those with writes stay until their pilot logs in again. */
async function deleteEmptyQueues(): Promise<void> {
  const databases = await Promise.resolve()
    .then(() => indexedDB.databases())
    .catch(() => []);
  const names = databases.map(({ name = "" }) => name);
  for (const account of new Set([queueState().account, ...queueAccounts(names)])) {
    if (account !== "" && !hasQueuedWrites(account) && (await hasNoPressed(account))) deleteQueue(account);
  }
}

/** Whether no write of this account may be pressed again. */
async function hasNoPressed(account: string): Promise<boolean> {
  const store = await openStore(account).catch(() => null);
  const pressed = (await store?.pressed().finally(store.close)) ?? [];
  return !pressed.some(isUnanswered);
}

function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>(snapshotName, 1, {
    upgrade: (database) => database.createObjectStore("answers", { keyPath: "id" }),
    blocking: (_old, _new, event) => (event.target as IDBDatabase).close(),
  });
}

async function persist(added: SnapshotAnswer): Promise<void> {
  const database = await open();
  try {
    // The pilot has logged out meanwhile.
    if (persistedAccount() !== added.account) return;
    const { store, done } = database.transaction("answers", "readwrite");
    const all = await store.getAll();
    const writes = outdated(all, added).map(({ id }) => store.delete(id));
    await Promise.all([...writes, store.put(added), done]);
  } finally {
    database.close();
  }
}

/** Answers to delete when one is added: another pilot's, and those of its call that were seen the longest ago. */
export function outdated(all: readonly SnapshotAnswer[], added: SnapshotAnswer): SnapshotAnswer[] {
  const ofCall = all.filter(({ id, key: [name] }) => id !== added.id && name === added.key[0]);
  const oldest = ofCall
    .toSorted((one, other) => other.at - one.at)
    .slice((maxAnswers[String(added.key[0])] ?? 60) - 1);
  return all.filter((one) => one.account !== added.account || oldest.includes(one));
}

/** Restores the cache and returns the session; null without a snapshot. */
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
