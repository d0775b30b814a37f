import { expect, test, vi } from "vitest";
import { outboxOf } from "./outbox";

// Another tab deletes the database while it is read for the first time.
vi.mock("./store", async (original) => {
  const { memoryStore } = await original<typeof import("./store")>();
  const openStore = async (_account: string, onClosed: () => void) => {
    const store = memoryStore();
    const read = () => {
      onClosed();
      return store.read();
    };
    return { ...store, read };
  };
  return { memoryStore, openStore };
});

test("a logout in another tab while the outbox opens closes the outbox", async () => {
  const outbox = await outboxOf("account", "Pilotin");
  expect(outbox.pressed()).toEqual([]);
});
