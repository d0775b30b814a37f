// The cost of a save: processor, bytes and syncs of the disk; alone, and with others at the same time.

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../browser/support/client.ts";
import { makeDataDir, removeDataDir, type Server, startServer } from "../../browser/support/server.ts";
import { type Figure, median, short } from "../support/figure.mts";
import { floor } from "../support/floor.mts";
import { load, request } from "../support/load.mts";
import { logInPilot, type World, withServer } from "../support/world.mts";

const rounds = 5;
const seconds = 1.5;
const tracedSaves = 100;

export async function saves({ flights }: World): Promise<Figure[]> {
  const floorDir = await makeDataDir();
  try {
    const least = { cpu: floor(["saves", floorDir, "cpu"]), bytes: floor(["saves", floorDir, "bytes"]) };
    return [
      ...(await withServer(flights, (server) => processor(server, least.cpu))),
      ...(await disk(flights, least.bytes)),
    ];
  } finally {
    await removeDataDir(floorDir);
  }
}

async function processor(server: Server, least: number): Promise<Figure[]> {
  const client = await logInPilot(server);
  const next = changes(await idsOf(client));
  const target = {
    port: Number(server.port),
    pid: server.pid,
    request: () => request("POST", "/app/api/SaveFlight", client.cookie(), next()),
  };
  const cpu = async (connections: number) => {
    const costs: number[] = [];
    for (let round = 0; round <= rounds; round++)
      costs.push((await load(target, connections, seconds)).cpuMicroseconds);
    return median(costs.slice(1));
  };
  const figure = (name: string, value: number, limit: number) => ({
    name,
    value: value / least,
    limit,
    unit: "× floor",
    note: `${short(value)} µs of CPU, floor ${short(least)} µs`,
  });
  return [figure("SaveFlight alone", await cpu(1), 4), figure("SaveFlight, 16 connections", await cpu(16), 2)];
}

/**
 * Counted by strace, which writes a call before it resumes the program: all calls before an answer are in the trace by
 * then.
 */
async function disk(dataDir: string, least: number): Promise<Figure[]> {
  const traceDir = await makeDataDir();
  const trace = join(traceDir, "calls");
  // Daemonized, strace isn't the parent: the signal goes to the program itself.
  const wrap = ["strace", "--daemonize", "--follow-forks", "--trace=pwrite64,fdatasync,fsync", `--output=${trace}`];
  const server = await startServer({ dataDir, wrap });
  try {
    const client = await logInPilot(server);
    const next = changes(await idsOf(client));
    const save = () => client.call("SaveFlight", next());
    const alone = await counted(trace, async () => {
      for (let left = tracedSaves; left > 0; left--) await save();
    });
    const together = await counted(trace, () => Promise.all(Array.from({ length: tracedSaves }, save)));
    return [
      { name: "SaveFlight alone", value: alone.syncs, limit: 1, unit: "syncs", note: "" },
      { name: `${tracedSaves} SaveFlight at once`, value: together.syncs, limit: 0.5, unit: "syncs each", note: "" },
      {
        name: "SaveFlight alone",
        value: alone.bytes / least,
        limit: 2,
        unit: "× floor",
        note: `${(alone.bytes / 1e3).toFixed(1)} kB written, floor ${(least / 1e3).toFixed(1)} kB`,
      },
    ];
  } finally {
    await server.stop();
    await removeDataDir(traceDir);
  }
}

/** Calls of the disk for each of the saves. */
async function counted(trace: string, work: () => Promise<unknown>): Promise<{ syncs: number; bytes: number }> {
  const calls = () => {
    const text = readFileSync(trace, "utf8");
    const written = [...text.matchAll(/pwrite64\(.* = (\d+)$/gm)].map(([, bytes]) => Number(bytes));
    return { syncs: text.match(/sync\(/g)?.length ?? 0, bytes: written.reduce((sum, bytes) => sum + bytes, 0) };
  };
  const before = calls();
  await work();
  const after = calls();
  // A trace without any sync measured nothing.
  const measured = after.syncs > before.syncs ? tracedSaves : Number.NaN;
  return { syncs: (after.syncs - before.syncs) / measured, bytes: (after.bytes - before.bytes) / measured };
}

async function idsOf(client: Client): Promise<string[]> {
  const flights: { dpfId: string }[] = JSON.parse(await client.call("GetFlights"));
  return flights.map((flight) => flight.dpfId);
}

/**
 * The fields of one save after the other, each of another flight and with a request of its own, as the app sends them.
 */
function changes(ids: string[]): () => Record<string, string> {
  let number = 0;
  return () => {
    number += 1;
    const dpfId = ids[(number * 7) % ids.length];
    const flight = JSON.stringify({ dpfId, notes: `Nummer ${number} um ${Date.now()}` });
    return { flight, endFlight: "false", requestId: randomUUID() };
  };
}
