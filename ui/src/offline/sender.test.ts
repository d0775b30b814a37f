import { expect, test, vi } from "vitest";
import { add } from "./queue";
import type { QueuedWrite } from "./queuedWrites";
import { createSender } from "./sender";

const write = {
  ...{ version: 1, requestId: "r1", call: "QuickCharge", fields: { battery: "b1" } },
  ...{
    subject: "b1",
    object: "b1",
    flight: null,
    list: null,
    pictures: null,
    about: "",
    base: {},
    madeAt: 0,
  },
  ...{ tries: 0, isMaybeThere: false, retryAt: 0, state: "waiting", problem: null },
} as unknown as QueuedWrite;

test("A retry that is asked for while a failed try is written down is made at once", async () => {
  let entries = add([], write);
  let isServerFound = false;
  const post = vi.fn(async () => {
    if (!isServerFound) throw new Error("no answer");
    return "";
  });
  const sender = createSender({
    store: {
      change: async (how) => {
        entries = how(entries);
        return entries;
      },
      lease: async () => true,
      // The last step of a run: the server is found again before it is over.
      release: async () => {
        if (isServerFound) return;
        isServerFound = true;
        await sender.change((all) => all.map((entry) => ({ ...entry, retryAt: 0 })));
        sender.drain();
      },
    },
    isAllowed: async () => true,
    post,
    getStored: async () => null,
    failureOf: () => ({ status: null, text: "" }),
    onDone: () => {},
    onFailed: () => {},
    onChange: () => {},
    onSending: () => {},
    now: () => 1_000_000,
  });
  await sender.drain();
  expect(post).toHaveBeenCalledTimes(2);
  expect(entries).toEqual([]);
  sender.stop();
});
