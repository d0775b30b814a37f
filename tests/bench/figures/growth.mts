// How time, memory and file grow from a hundred flights to a hundred thousand, over the same ten years. Draws
// growth.svg.

import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addEquipment, type Client, germanTime, kind } from "../../browser/support/client.ts";
import { makeDataDir, removeDataDir } from "../../browser/support/server.ts";
import { chart } from "../support/chart.mts";
import { type Figure, median } from "../support/figure.mts";
import { load, request } from "../support/load.mts";
import { residentMegabytes } from "../support/process.mts";
import { logInPilot, pilot, withServer } from "../support/world.mts";
import { timeToHealth } from "./start.mts";

const counts = [100, 1_000, 10_000, 100_000];
const tenYearsMs = 10 * 365 * 24 * 60 * 60 * 1000;
const seconds = 1.5;

/** Answered as fast with many flights as with few; the first four are what the figures are about. */
const calls: Record<string, Record<string, string>> = {
  GetStatistics: {},
  GetFlightMonths: {},
  "GetReview (a year)": { year: String(new Date().getFullYear() - 1) },
  "GetReview (all years)": {},
  "GetFlights (100)": { limit: "100" },
  CheckSession: {},
};

interface Measured {
  /** Microseconds of CPU, by the name of the call. */
  cpu: Record<string, number>;
  /** From starting the process to its first answer. */
  startMs: number;
  idleMegabytes: number;
  /** The most that statistics and months took, which are kept by the saves; and that all calls took. */
  statisticsMegabytes: number;
  peakMegabytes: number;
  fileMegabytes: number;
}

export async function growth(): Promise<Figure[]> {
  const measured: Measured[] = [];
  for (const count of counts) measured.push(await measure(count));
  draw(measured);
  const [least, most] = [measured[0], measured.at(-1)];
  if (!least || !most) return [];
  const grown = Object.keys(calls)
    .slice(0, 4)
    .map((name) => {
      const [few, many] = [least.cpu[name] ?? Number.NaN, most.cpu[name] ?? Number.NaN];
      const note = `${few.toFixed(0)} µs of CPU with 100, ${many.toFixed(0)} µs with 100,000`;
      return { name: `${name} of 100,000 flights`, value: many / few, limit: 1.5, unit: "× of 100", note };
    });
  const note = `${most.idleMegabytes.toFixed(1)} MB at the start`;
  const memory = most.statisticsMegabytes - most.idleMegabytes;
  return [
    ...grown,
    { name: "memory of both", value: memory, limit: 16, unit: "MB", note },
    {
      name: "start with 100,000 flights",
      value: most.startMs,
      limit: 30,
      unit: "ms",
      note: `${least.startMs.toFixed(0)} ms with 100`,
    },
  ];
}

async function measure(count: number): Promise<Measured> {
  console.log(`Entering ${count} flights …`);
  const dataDir = await makeDataDir();
  try {
    await withServer(dataDir, async (server) => {
      await server.addUser(pilot);
      await fly(await logInPilot(server), count);
    });
    const starts: number[] = [];
    for (let round = 0; round < 5; round++) starts.push(await timeToHealth(dataDir));
    const startMs = median(starts);
    const measured: Measured = {
      cpu: {},
      startMs,
      idleMegabytes: 0,
      statisticsMegabytes: 0,
      peakMegabytes: 0,
      fileMegabytes: 0,
    };
    await withServer(dataDir, async (server) => {
      const client = await logInPilot(server);
      measured.idleMegabytes = residentMegabytes(server.pid);
      for (const [name, fields] of Object.entries(calls)) {
        const path = `/app/api/${name.split(" ")[0]}`;
        const bytes = request("POST", path, client.cookie(), fields);
        const target = { port: Number(server.port), pid: server.pid, request: () => bytes };
        await load(target, 8, seconds / 3);
        measured.cpu[name] = (await load(target, 8, seconds)).cpuMicroseconds;
        measured.peakMegabytes = residentMegabytes(server.pid, "VmHWM");
        if (name === "GetFlightMonths") measured.statisticsMegabytes = measured.peakMegabytes;
      }
    });
    measured.fileMegabytes = statSync(join(dataDir, "fluglog.redb")).size / 1e6;
    return measured;
  } finally {
    await removeDataDir(dataDir);
  }
}

/** Adds `count` flights within the last ten years, many at once so that they share a sync. */
async function fly(client: Client, count: number): Promise<void> {
  const copter = await addEquipment(client, kind.copter, "Nazgul Evoque F5", { model: "F5D V2", weight: "680" });
  const battery = await addEquipment(client, kind.battery, "Akku 1", { batteryType: "LiPo 6S", weight: "208" });
  const config = JSON.stringify({ copter, equipments: [battery], payloads: [] });
  let left = count;
  const pilotAtWork = async () => {
    while (left > 0) {
      const back = left--;
      const flight = {
        startTime: germanTime(new Date(Date.now() - (back * tenYearsMs) / count)),
        location: "Modellflugplatz Harsefeld",
        flightTime: 4 + (back % 17),
        distance: 0.5 + (back % 40) / 10,
        maximumAltitude: 20 + (back % 100),
        speed: 25 + (back % 80),
        batteryStartVoltage: 16.8,
        batteryEndVoltage: 14.2,
        consumedCapacity: 700 + (back % 500),
        notes: "alles gut, ein wenig Wind in der zweiten Hälfte",
      };
      await client.call("AddFlight", { config, flight: JSON.stringify(flight) });
    }
  };
  await Promise.all(Array.from({ length: 32 }, pilotAtWork));
}

function draw(measured: Measured[]): void {
  const of = (what: (one: Measured) => number | undefined) => measured.map((one) => what(one) ?? Number.NaN);
  const svg = chart(counts, [
    {
      title: "CPU of a call, µs",
      lines: Object.keys(calls).map((name) => ({ name, values: of((one) => one.cpu[name]) })),
    },
    {
      title: "Memory, MB",
      lines: [
        { name: "idle", values: of((one) => one.idleMegabytes) },
        { name: "most during the calls", values: of((one) => one.peakMegabytes) },
      ],
    },
    { title: "fluglog.redb, MB", lines: [{ name: "file", values: of((one) => one.fileMegabytes) }] },
  ]);
  writeFileSync(join(import.meta.dirname, "../growth.svg"), svg);
}
