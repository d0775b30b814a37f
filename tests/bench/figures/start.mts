// From starting the process to its first answer.

import { type Figure, median } from "../support/figure.mts";
import { healthy, type World, withServer } from "../support/world.mts";

export async function firstAnswer({ flights, empty }: World): Promise<Figure[]> {
  // The first start of each is a warm-up: it reads the binary and the database from the disk.
  const times: number[] = [];
  const emptyTimes: number[] = [];
  for (let round = 0; round < 10; round++) {
    times.push(await timeToHealth(flights));
    emptyTimes.push(await timeToHealth(empty));
  }
  const value = median(times.slice(1));
  const note = `empty database: ${median(emptyTimes.slice(1)).toFixed(1)} ms`;
  return [{ name: "start to first answer", value, limit: 100, unit: "ms", note }];
}

/** Milliseconds from starting the process to its first answer. */
export async function timeToHealth(dataDir: string): Promise<number> {
  let milliseconds = 0;
  await withServer(dataDir, async (server) => {
    const asked = performance.now();
    await healthy(server);
    milliseconds = server.startMs + performance.now() - asked;
  });
  return milliseconds;
}
