// The outbox of one account in IndexedDB: what is pressed, and the queue. Each change is one transaction, whichever tab
// makes it.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { PressedWrite, QueuedWrite } from "./queuedWrites";
import { databaseName, releasedKey } from "./queueState";

/** The bytes, not the File: some browsers lose what a stored File refers to. */
type StoredPicture = { name: string; type: string; bytes: ArrayBuffer };

interface Schema extends DBSchema {
  queue: { key: number; value: QueuedWrite };
  lease: { key: string; value: { holder: string; until: number } };
  /** Pictures of a write, by its `object`. */
  pictures: { key: string; value: StoredPicture[] };
  pressed: { key: string; value: PressedWrite };
}

/** What comes and goes with a change of the queue. */
type Along = {
  /** Pictures of a new write. */
  added?: { object: string; pictures: StoredPicture[] } | undefined;
  /** Request id of a pressed write that joins the queue. */
  joined?: string;
};

export type Store = Awaited<ReturnType<typeof openStore>>;

export async function openStore(account: string, onClosed: () => void = () => {}) {
  const database: IDBPDatabase<Schema> = await openDB<Schema>(databaseName(account), 3, {
    upgrade(db, before) {
      if (before < 1) {
        db.createObjectStore("queue", { keyPath: "seq" });
        db.createObjectStore("lease");
      }
      if (before < 2) db.createObjectStore("pictures");
      db.createObjectStore("pressed", { keyPath: "requestId" });
    },
    // Another tab deletes the database: the pilot has logged out there.
    blocking() {
      database.close();
      onClosed();
    },
  });

  /** Whether this tab has taken the lease and not released it. */
  let isHolder = false;

  return {
    isKept: true,
    read: () => database.getAll("queue"),

    /**
     * Replaces the queue by what `change` makes of it, and returns it. Nothing is stored when `change` throws. Pictures
     * are deleted with their write.
     */
    async change(
      change: (entries: QueuedWrite[]) => QueuedWrite[],
      { added, joined }: Along = {},
    ): Promise<QueuedWrite[]> {
      const transaction = database.transaction(["queue", "pictures", "pressed"], "readwrite");
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
      const unchanged = new Set(before);
      const writes: Promise<unknown>[] = [
        ...before.filter(({ seq }) => !kept.has(seq)).map(({ seq }) => queue.delete(seq)),
        ...after.filter((entry) => !unchanged.has(entry)).map((entry) => queue.put(entry)),
        ...objectsWithoutWrite(before, after).map((object) => pictures.delete(object)),
      ];
      if (added) writes.push(pictures.put(added.pictures, added.object));
      if (joined !== undefined) writes.push(transaction.objectStore("pressed").delete(joined));
      await Promise.all([...writes, transaction.done]);
      return after;
    },

    /** The pictures of a write; null if the browser has lost them. */
    async pictures(object: string): Promise<File[] | null> {
      return filesOf(await database.get("pictures", object));
    },

    pressed: () => database.getAll("pressed"),

    /** Commits at once: the browser keeps the write even if the page ends before the answer. */
    async press(write: PressedWrite): Promise<void> {
      const transaction = database.transaction("pressed", "readwrite");
      const put = transaction.store.put(write);
      transaction.commit();
      await Promise.all([put, transaction.done]);
    },

    async forget(requestId: string): Promise<void> {
      await database.delete("pressed", requestId);
    },

    /** Takes or renews the lease for sending. False: another tab has it. */
    async lease(holder: string, now: number, ms: number): Promise<boolean> {
      if (localStorage.getItem(releasedKey) === holder) localStorage.removeItem(releasedKey);
      const transaction = database.transaction("lease", "readwrite");
      const held = await transaction.store.get("sender");
      const isOver = held === undefined || held.until < now || held.until > now + ms;
      const isFree = isOver || held.holder === holder || held.holder === localStorage.getItem(releasedKey);
      if (isFree) await transaction.store.put({ holder, until: now + ms }, "sender");
      await transaction.done;
      isHolder = isFree;
      return isFree;
    },

    async release(holder: string): Promise<void> {
      if (!isHolder) return;
      isHolder = false;
      localStorage.setItem(releasedKey, holder);
      const transaction = database.transaction("lease", "readwrite");
      if ((await transaction.store.get("sender"))?.holder === holder)
        await transaction.store.delete("sender");
      await transaction.done;
      localStorage.removeItem(releasedKey);
    },

    close: () => database.close(),
  };
}

/** The outbox of a browser that stores nothing: it lives as long as the page. */
export function memoryStore(): Store {
  let entries: QueuedWrite[] = [];
  const pressed = new Map<string, PressedWrite>();
  const pictures = new Map<string, StoredPicture[]>();
  return {
    isKept: false,
    read: async () => entries,
    async change(change, { added, joined = "" } = {}) {
      const before = entries;
      entries = change([...before]);
      for (const object of objectsWithoutWrite(before, entries)) pictures.delete(object);
      if (added) pictures.set(added.object, added.pictures);
      pressed.delete(joined);
      return entries;
    },
    pictures: async (object) => filesOf(pictures.get(object)),
    pressed: async () => [...pressed.values()],
    press: async (write) => void pressed.set(write.requestId, write),
    forget: async (requestId) => void pressed.delete(requestId),
    lease: async () => true,
    release: async () => {},
    close: () => {},
  };
}

/** The objects whose pictures aren't needed any more. */
function objectsWithoutWrite(before: readonly QueuedWrite[], after: readonly QueuedWrite[]): string[] {
  const objects = new Set(after.map(({ object }) => object));
  return before
    .filter(({ pictures, object }) => pictures && !objects.has(object))
    .map(({ object }) => object);
}

function filesOf(stored: StoredPicture[] | undefined): File[] | null {
  return stored?.map(({ name, type, bytes }) => new File([bytes], name, { type })) ?? null;
}
