// How long a slow phone takes to show home, and to search and scroll 5,000 flights.

import { offlineTimes, type PhoneTimes, phoneTimes } from "../../browser/support/slow-phone.ts";
import { type Figure, median } from "../support/figure.mts";
import { logInPilot, pilot, type World, withServer } from "../support/world.mts";

export async function slowPhone({ flights }: World): Promise<Figure[]> {
  const times = await withServer(flights, async (server) => phoneTimes(server, await logInPilot(server)));
  const offline = await withServer(flights, (server) => offlineTimes(server, pilot));
  const figure = (name: string, what: keyof PhoneTimes, limit: number): Figure => {
    const value = median(times.map((one) => one[what]));
    return { name: `slow phone: ${name}`, value, limit, unit: "ms", note: "" };
  };
  return [
    figure("home on a first visit", "coldMs", 2_200),
    figure("home", "warmMs", 1_500),
    { name: "slow phone: home without network", value: median(offline), limit: 1_500, unit: "ms", note: "" },
    figure("search in 5,000 flights", "searchMs", 1_000),
    figure("longest task of scrolling", "longestTaskMs", 100),
  ];
}
