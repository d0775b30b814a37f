// The queue of one account in IndexedDB. Each change is one transaction, whichever tab makes it.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { QueuedWrite } from "./queuedWrites";
import { databaseName } from "./queueState";

/** The bytes, not the File: some browsers lose what a stored File refers to. */
type StoredPicture = { name: string; type: string; bytes: ArrayBuffer };

interface Schema extends DBSchema {
  queue: { key: number; value: QueuedWrite };
  lease: { key: string; value: { holder: string; until: number } };
  /** Pictures of a write, by its `object`. */
  pictures: { key: string; value: StoredPicture[] };
}

export type Store = Awaited<ReturnType<typeof openStore>>;

export async function openStore(account: string, onClosed: () => void = () => {}) {
  const database: IDBPDatabase<Schema> = await openDB<Schema>(databaseName(account), 2, {
    upgrade(db, before) {
      if (before < 1) {
        db.createObjectStore("queue", { keyPath: "seq" });
        db.createObjectStore("lease");
      }
      db.createObjectStore("pictures");
    },
    // Another tab deletes the database: the pilot has logged out there.
    blocking() {
      database.close();
      onClosed();
    },
  });

  return {
    read: () => database.getAll("queue"),

    /**
     * Replaces the queue by what `change` makes of it, and returns it; `added` are pictures of a new write. Nothing is
     * stored when `change` throws. Pictures are deleted with their write.
     */
    async change(
      change: (entries: QueuedWrite[]) => QueuedWrite[],
      added?: { object: string; pictures: StoredPicture[] },
    ): Promise<QueuedWrite[]> {
      const transaction = database.transaction(["queue", "pictures"], "readwrite");
      const [queue, pictures] = [transaction.objectStore("queue"), transaction.objectStore("pictures")];
      const before = await queue.getAll();
      let after: QueuedWrite[];
      try {
        after = change(before);
      } catch (error) {
        transaction.abort();
        await transaction.done.catch(() => {});
        throw error;
      }
      const kept = new Set(after.map(({ seq }) => seq));
      const objects = new Set(after.map(({ object }) => object));
      const unchanged = new Set(before);
      const writes: Promise<unknown>[] = [
        ...before.filter(({ seq }) => !kept.has(seq)).map(({ seq }) => queue.delete(seq)),
        ...after.filter((entry) => !unchanged.has(entry)).map((entry) => queue.put(entry)),
        ...before
          .filter((entry) => entry.pictures && !objects.has(entry.object))
          .map(({ object }) => pictures.delete(object)),
      ];
      if (added) writes.push(pictures.put(added.pictures, added.object));
      await Promise.all([...writes, transaction.done]);
      return after;
    },

    /** The pictures of a write; null if the browser has lost them. */
    async pictures(object: string): Promise<File[] | null> {
      const stored = await database.get("pictures", object);
      return stored?.map(({ name, type, bytes }) => new File([bytes], name, { type })) ?? null;
    },

    /** Takes or renews the lease for sending. False: another tab has it. */
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
