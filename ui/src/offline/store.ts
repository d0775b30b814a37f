// The queue of one account in this browser's database: changed in one transaction, whichever tab asks.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Entry } from "./entries";
import { databaseName } from "./waiting";

interface Schema extends DBSchema {
  queue: { key: number; value: Entry };
  lease: { key: string; value: { holder: string; until: number } };
}

export type Store = Awaited<ReturnType<typeof openStore>>;

export async function openStore(account: string, onClosed: () => void = () => {}) {
  const database: IDBPDatabase<Schema> = await openDB<Schema>(databaseName(account), 1, {
    upgrade(db) {
      db.createObjectStore("queue", { keyPath: "seq" });
      db.createObjectStore("lease");
    },
    // Another tab deletes it: the pilot has logged out there.
    blocking() {
      database.close();
      onClosed();
    },
  });

  return {
    read: () => database.getAll("queue"),

    /** Stores what becomes of the queue, and returns it. Nothing changes when `change` throws. */
    async change(change: (entries: Entry[]) => Entry[]): Promise<Entry[]> {
      const transaction = database.transaction("queue", "readwrite");
      const before = await transaction.store.getAll();
      let after: Entry[];
      try {
        after = change(before);
      } catch (error) {
        transaction.abort();
        await transaction.done.catch(() => {});
        throw error;
      }
      const kept = new Set(after.map(({ seq }) => seq));
      const unchanged = new Set(before);
      const writes = [
        ...before.filter(({ seq }) => !kept.has(seq)).map(({ seq }) => transaction.store.delete(seq)),
        ...after.filter((entry) => !unchanged.has(entry)).map((entry) => transaction.store.put(entry)),
      ];
      await Promise.all([...writes, transaction.done]);
      return after;
    },

    /** Whether this tab may send until then: one does at a time. */
    async lease(holder: string, now: number, ms: number): Promise<boolean> {
      const transaction = database.transaction("lease", "readwrite");
      const held = await transaction.store.get("sender");
      const isFree =
        held === undefined || held.holder === holder || held.until < now || held.until > now + ms;
      if (isFree) await transaction.store.put({ holder, until: now + ms }, "sender");
      await transaction.done;
      return isFree;
    },

    async release(holder: string): Promise<void> {
      const transaction = database.transaction("lease", "readwrite");
      if ((await transaction.store.get("sender"))?.holder === holder)
        await transaction.store.delete("sender");
      await transaction.done;
    },

    close: () => database.close(),
  };
}
