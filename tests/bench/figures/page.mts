// The code that a browser loads before the page can be used.

import { firstPageBytes } from "../../browser/support/first-page.ts";
import type { Figure } from "../support/figure.mts";
import { logInPilot, type World, withServer } from "../support/world.mts";

export async function firstPage({ flights }: World): Promise<Figure[]> {
  let [login, home] = [Number.NaN, Number.NaN];
  await withServer(flights, async (server) => {
    const bytes = await firstPageBytes(server, await logInPilot(server));
    [login, home] = [bytes.login.script / 1e3, bytes.home.script / 1e3];
  });
  const note = `login ${login.toFixed(1)} kB, home ${home.toFixed(1)} kB`;
  return [{ name: "first page, gzipped JavaScript", value: Math.max(login, home), limit: 184.5, unit: "kB", note }];
}
