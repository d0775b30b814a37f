// How long a slow phone takes to show home, and to search and scroll 5,000 flights.

import { phoneTimes } from "../../browser/support/slow-phone.ts";
import type { Figure } from "../support/figure.mts";
import { logInPilot, type World, withServer } from "../support/world.mts";

export async function slowPhone({ flights }: World): Promise<Figure[]> {
  const times = await withServer(flights, async (server) => phoneTimes(server, await logInPilot(server)));
  const figure = (name: string, value: number, limit: number) => ({ name, value, limit, unit: "ms", note: "" });
  return [
    figure("slow phone: home on a first visit", times.coldMs, 2_200),
    figure("slow phone: home", times.warmMs, 1_500),
    figure("slow phone: search in 5,000 flights", times.searchMs, 1_000),
    figure("slow phone: longest task of scrolling", times.longestTaskMs, 100),
  ];
}
