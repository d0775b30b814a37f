// The cost of a call that reads, beside a bare warp program that answers as much from redb. Both are asked in turn.

import { columns, type Figure, median, short } from "../support/figure.mts";
import { withFloorServer } from "../support/floor.mts";
import { type Cost, load, request, type Target } from "../support/load.mts";
import { logInPilot, type World, withServer } from "../support/world.mts";

const rounds = 5;
const seconds = 1.5;

interface Read {
  name: string;
  connections: number;
  /** In microseconds of the floor. */
  limit: number;
  product: string;
  floor: string;
}

export async function reads({ flights }: World): Promise<Figure[]> {
  return withFloorServer(flights, async (floor) => {
    const figures: Figure[] = [];
    await withServer(flights, async (server) => {
      const client = await logInPilot(server);
      const page = JSON.parse(await client.call("GetFlights", { limit: "100" }));
      const flight = { dpfId: page[50].dpfId };
      const call = (name: string, fields = {}) => request("POST", `/app/api/${name}`, client.cookie(), fields);
      const least = (name: string, fields = {}) => request("POST", `/${name}`, "session=floor", fields);
      const health = request("GET", "/app/health", "");
      const reads: Read[] = [
        { name: "health", connections: 32, limit: 1.4, product: health, floor: request("GET", "/health", "") },
        {
          name: "GetFlight",
          connections: 32,
          limit: 1.6,
          product: call("GetFlight", flight),
          floor: least("flight", flight),
        },
        {
          name: "CheckSession",
          connections: 32,
          limit: 1.3,
          product: call("CheckSession"),
          floor: least("flight", flight),
        },
        {
          name: "GetFlights, page of 100",
          connections: 8,
          limit: 1.6,
          product: call("GetFlights", { limit: "100" }),
          floor: least("flights"),
        },
      ];
      for (const read of reads) {
        const product = { port: Number(server.port), pid: server.pid, request: () => read.product };
        figures.push(await compared(read, product, { ...floor, request: () => read.floor }));
      }
    });
    return figures;
  });
}

async function compared(read: Read, product: Target, floor: Target): Promise<Figure> {
  const costs: Cost[] = [];
  const leasts: Cost[] = [];
  for (let round = 0; round <= rounds; round++) {
    costs.push(await load(product, read.connections, seconds));
    leasts.push(await load(floor, read.connections, seconds));
  }
  // The first round is a warm-up.
  const of = (costs: Cost[], what: (cost: Cost) => number) => median(costs.slice(1).map(what));
  const row = (costs: Cost[], program: string) => [
    program,
    of(costs, (cost) => cost.rate).toFixed(0),
    short(of(costs, (cost) => cost.p50)),
    short(of(costs, (cost) => cost.p99)),
    short(of(costs, (cost) => cost.cpuMicroseconds)),
    short(of(costs, (cost) => cost.megabytes)),
    of(costs, (cost) => cost.bytes).toFixed(0),
  ];
  const head = [read.name, "requests/s", "p50 ms", "p99 ms", "CPU µs", "MB", "bytes"];
  console.log(`${columns([head, row(costs, "fluglog"), row(leasts, "floor")])}\n`);
  const cpu = of(costs, (cost) => cost.cpuMicroseconds);
  const least = of(leasts, (cost) => cost.cpuMicroseconds);
  const note = `${short(cpu)} µs of CPU, floor ${short(least)} µs`;
  return { name: read.name, value: cpu / least, limit: read.limit, unit: "× floor", note };
}
