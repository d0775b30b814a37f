// The list of all flights, beside decoding and serialising as many records in a loop.

import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Client } from "../../browser/support/client.ts";
import type { Server } from "../../browser/support/server.ts";
import { type Figure, median } from "../support/figure.mts";
import { floor } from "../support/floor.mts";
import { flightCount, logInPilot, type World, withServer } from "../support/world.mts";

export async function flightList({ flights }: World): Promise<Figure[]> {
  const times: number[] = [];
  let bytes = 0;
  await withServer(flights, async (server) => {
    const client = await logInPilot(server);
    const connection = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 45; round++) {
      const started = performance.now();
      bytes = (await post(server, client, "GetFlights", connection)).length;
      times.push(performance.now() - started);
    }
    connection.destroy();
  });
  const milliseconds = median(times.slice(5));
  const least = floor(["decode", flights]);
  const note = `${milliseconds.toFixed(1)} ms for ${(bytes / 1e6).toFixed(1)} MB, floor ${least.toFixed(1)} ms`;
  return [{ name: `GetFlights of ${flightCount}`, value: milliseconds / least, limit: 3, unit: "× floor", note }];
}

/** Over one kept connection and without fetch, whose own time for megabytes would be measured too. */
function post(server: Server, client: Client, name: string, agent: Agent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { Origin: server.origin, Cookie: client.cookie() };
    request(`${server.url}api/${name}`, { method: "POST", headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${name} answered ${answer.statusCode}`));
      buffer(answer).then(resolve, reject);
    })
      .on("error", reject)
      .end();
  });
}
