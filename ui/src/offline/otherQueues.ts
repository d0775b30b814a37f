// Queues of accounts that aren't logged in on this device.
import { deleteQueue, keysOfStorage, summaryPrefix as prefix } from "./queueState";

export type OtherQueue = { account: string; nickname: string; count: number };

/** Time after which writes are deleted whose pilot isn't logged in here. */
const keptMs = 30 * 24 * 3_600_000;

/** Other accounts with queued writes on this device; deletes those of long ago. */
export function otherQueues(account: string): OtherQueue[] {
  const keys = keysOfStorage().filter((key) => key.startsWith(prefix) && key !== prefix + account);
  return keys.flatMap((key) => {
    const other = key.slice(prefix.length);
    const { nickname = "", count = 0, madeAt } = JSON.parse(localStorage.getItem(key) ?? "{}");
    // Stored by an earlier version: the time begins now.
    if (madeAt === undefined)
      localStorage.setItem(key, JSON.stringify({ nickname, count, madeAt: Date.now() }));
    else if (Date.now() - madeAt > keptMs) {
      deleteQueue(other);
      return [];
    }
    return [{ account: other, nickname, count }];
  });
}
