// The cost of a login for the server, beside one hash of its password.

import { type Figure, median } from "../support/figure.mts";
import { floor } from "../support/floor.mts";
import { cpuSeconds } from "../support/process.mts";
import { logInPilot, type World, withServer } from "../support/world.mts";

const rounds = 5;
const logIns = 20;

export async function logins({ flights }: World): Promise<Figure[]> {
  const times: number[] = [];
  const leasts: number[] = [];
  await withServer(flights, async (server) => {
    await logInPilot(server);
    for (let round = 0; round < rounds; round++) {
      const before = cpuSeconds(server.pid);
      for (let logIn = 0; logIn < logIns; logIn++) await logInPilot(server);
      times.push(((cpuSeconds(server.pid) - before) / logIns) * 1000);
      leasts.push(floor(["argon2"]));
    }
  });
  const [milliseconds, least] = [median(times), median(leasts)];
  const note = `${milliseconds.toFixed(1)} ms of CPU, floor ${least.toFixed(1)} ms`;
  return [{ name: "Login", value: milliseconds / least, limit: 1.2, unit: "× floor", note }];
}
