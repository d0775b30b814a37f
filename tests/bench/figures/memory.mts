// Memory of a server that has nothing to do, and after many logins.

import type { Figure } from "../support/figure.mts";
import { residentMegabytes } from "../support/process.mts";
import { healthy, logInPilot, type World, withServer } from "../support/world.mts";

export async function memory({ flights }: World): Promise<Figure[]> {
  const figures: Figure[] = [];
  await withServer(flights, async (server) => {
    await healthy(server);
    const idle = residentMegabytes(server.pid);
    const logIns = Array.from({ length: 100 }, () => () => logInPilot(server));
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let next = logIns.pop(); next; next = logIns.pop()) await next();
      }),
    );
    const growth = residentMegabytes(server.pid) - idle;
    const peak = `peak ${residentMegabytes(server.pid, "VmHWM").toFixed(1)} MB in all`;
    figures.push({ name: "idle memory", value: idle, limit: 20, unit: "MB", note: "" });
    figures.push({ name: "memory after 100 logins, over idle", value: growth, limit: 40, unit: "MB", note: peak });
  });
  return figures;
}
