// Measures the figures of README.md beside this file and reports exceeded limits. Starting the program, its calls and
// the browser are those of the browser tests.

import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { addEquipment, addFlights, type Client, createFlight, kind, logIn } from "../browser/support/client.ts";
import { firstPageBytes } from "../browser/support/first-page.ts";
import { lighthouseScores } from "../browser/support/lighthouse.ts";
import { binary, fluglog, makeDataDir, removeDataDir, type Server, startServer } from "../browser/support/server.ts";

const repository = join(import.meta.dirname, "../..");
const pilot = { email: "pilotin@example.org", nickname: "Pilotin", password: "rotorblatt-17" };
const flightCount = 5_000;

interface Figure {
  name: string;
  value: number;
  limit: number;
  unit: string;
  note: string;
}

const load = loadavg()[0] ?? 0;
const empty = await makeDataDir();
const full = await makeDataDir();
try {
  await fluglog(["init", "--data-dir", empty]);
  await fill(full);
  const figures = [
    binarySize(),
    await firstAnswer(full, empty),
    ...(await memory(full)),
    await flightList(full),
    await syncsOfOneSave(),
    await firstPage(full),
    ...(await lighthouse()),
  ];
  console.log(table(figures));
  process.exitCode = figures.every(isKept) ? 0 : 1;
} finally {
  await removeDataDir(empty);
  await removeDataDir(full);
}

/** One user with 5,000 finished flights, and no open one. */
async function fill(dataDir: string): Promise<void> {
  console.log(`Entering ${flightCount} flights …`);
  await withServer(dataDir, async (server) => {
    await server.addUser(pilot);
    const client = await logInPilot(server);
    const copter = await addEquipment(client, kind.copter, "Nazgul Evoque F5", { model: "F5D V2", weight: "680" });
    const battery = await addEquipment(client, kind.battery, "Akku 1", { batteryType: "LiPo 6S", weight: "208" });
    await addFlights(client, flightCount, { copter, equipments: [battery] });
  });
}

function binarySize(): Figure {
  const megabytes = statSync(binary).size / 1e6;
  return { name: "release binary", value: megabytes, limit: 15, unit: "MB", note: "" };
}

async function firstAnswer(dataDir: string, emptyDataDir: string): Promise<Figure> {
  // The first start of each is a warm-up: it reads the binary and the database from the disk.
  const times: number[] = [];
  const emptyTimes: number[] = [];
  for (let round = 0; round < 10; round++) {
    times.push(await timeToHealth(dataDir));
    emptyTimes.push(await timeToHealth(emptyDataDir));
  }
  const value = median(times.slice(1));
  const floor = median(emptyTimes.slice(1));
  const note = `empty database: ${floor.toFixed(1)} ms`;
  return { name: "start to first answer", value, limit: 100, unit: "ms", note };
}

async function timeToHealth(dataDir: string): Promise<number> {
  let milliseconds = 0;
  await withServer(dataDir, async (server) => {
    const asked = performance.now();
    await healthy(server);
    milliseconds = server.startMs + performance.now() - asked;
  });
  return milliseconds;
}

async function memory(dataDir: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  await withServer(dataDir, async (server) => {
    await healthy(server);
    const idle = residentMegabytes(server, "VmRSS");
    const logIns = Array.from({ length: 100 }, () => () => logInPilot(server));
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let next = logIns.pop(); next; next = logIns.pop()) await next();
      }),
    );
    const growth = residentMegabytes(server, "VmRSS") - idle;
    const peak = `peak ${residentMegabytes(server, "VmHWM").toFixed(1)} MB in all`;
    figures.push({ name: "idle memory", value: idle, limit: 20, unit: "MB", note: "" });
    figures.push({ name: "memory after 100 logins, over idle", value: growth, limit: 40, unit: "MB", note: peak });
  });
  return figures;
}

async function flightList(dataDir: string): Promise<Figure> {
  const times: number[] = [];
  let bytes = 0;
  await withServer(dataDir, async (server) => {
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
  const floor = floorMilliseconds(dataDir);
  const note = `${milliseconds.toFixed(1)} ms for ${(bytes / 1e6).toFixed(1)} MB, floor ${floor.toFixed(1)} ms`;
  return { name: `GetFlights of ${flightCount}`, value: milliseconds / floor, limit: 3, unit: "× floor", note };
}

/** The last line of floor.rs's output: the milliseconds of decoding and serialising every flight once. */
function floorMilliseconds(dataDir: string): number {
  const args = ["bench", "--quiet", "--bench", "floor", "--", "--data-dir", dataDir];
  const { status, stdout, stderr } = spawnSync("cargo", args, { cwd: repository, encoding: "utf8" });
  const milliseconds = Number(stdout.trim().split(/\s+/).at(-1));
  if (status !== 0 || !(milliseconds > 0)) throw new Error(`The floor could not be measured: ${stderr || stdout}`);
  return milliseconds;
}

async function syncsOfOneSave(): Promise<Figure> {
  const saves = 20;
  const dataDir = await makeDataDir();
  const traceDir = await makeDataDir();
  const trace = join(traceDir, "syncs");
  // strace writes a call before it resumes the program, so all calls before an answer are in the trace by then.
  const syncs = () => readFileSync(trace, "utf8").match(/(fdatasync|fsync)\(/g)?.length ?? 0;
  try {
    // Daemonized, strace isn't the parent: the signal goes to the program itself.
    const wrap = ["strace", "--daemonize", "--follow-forks", "--trace=fdatasync,fsync", `--output=${trace}`];
    const server = await startServer({ dataDir, wrap });
    await server.addUser(pilot);
    const client = await logInPilot(server);
    const copter = await addEquipment(client, kind.copter, "Nazgul Evoque F5");
    const dpfId = await createFlight(client, { copter });
    const before = syncs();
    for (let save = 0; save < saves; save++) {
      await client.call("SaveFlight", {
        flight: JSON.stringify({ dpfId, notes: `Nummer ${save}` }),
        endFlight: "false",
      });
    }
    const during = syncs() - before;
    await server.stop();
    const note = `${during} for ${saves} saves, ${before} before them`;
    // A trace without any sync measured nothing.
    const value = before > 0 ? during / saves : Number.NaN;
    return { name: "a lone SaveFlight", value, limit: 1, unit: "syncs", note };
  } finally {
    await removeDataDir(dataDir);
    await removeDataDir(traceDir);
  }
}

async function firstPage(dataDir: string): Promise<Figure> {
  let [login, home] = [Number.NaN, Number.NaN];
  await withServer(dataDir, async (server) => {
    const bytes = await firstPageBytes(server, await logInPilot(server));
    [login, home] = [bytes.login.script / 1e3, bytes.home.script / 1e3];
  });
  const note = `login ${login.toFixed(1)} kB, home ${home.toFixed(1)} kB`;
  return { name: "first page, gzipped JavaScript", value: Math.max(login, home), limit: 180, unit: "kB", note };
}

/** On the demo's data, as its pilot. */
async function lighthouse(): Promise<Figure[]> {
  const dataDir = await makeDataDir();
  const figures: Figure[] = [];
  try {
    await fluglog(["demo", "--data-dir", dataDir]);
    await withServer(dataDir, async (server) => {
      const demo = await logIn(server.origin, "demo@example.org", "fluglog-demo");
      for (const path of ["login", "home", "flights", "equipments/1"]) {
        const scores = await lighthouseScores(server, path, path === "login" ? null : demo);
        const { performance, accessibility, bestPractices, blockingMs, largestPaintMs } = scores;
        const note = `accessibility ${accessibility}, best practices ${bestPractices}`;
        figures.push(
          { name: `${path}: points short of 100`, value: 100 - performance, limit: 5, unit: "points", note },
          { name: `${path}: blocking time`, value: blockingMs, limit: 150, unit: "ms", note: "" },
          { name: `${path}: largest paint`, value: largestPaintMs, limit: 2_000, unit: "ms", note: "" },
        );
      }
    });
  } finally {
    await removeDataDir(dataDir);
  }
  return figures;
}

async function withServer(dataDir: string, work: (server: Server) => Promise<void>): Promise<void> {
  const server = await startServer({ dataDir });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

function logInPilot(server: Server): Promise<Client> {
  return logIn(server.origin, pilot.email, pilot.password);
}

async function healthy(server: Server): Promise<void> {
  const answer = await fetch(`${server.url}health`);
  if (!answer.ok) throw new Error(`/app/health answered ${answer.status}`);
  await answer.text();
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

function residentMegabytes(server: Server, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  const kibibytes = Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]);
  return (kibibytes * 1024) / 1e6;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** NaN, for a figure that couldn't be measured, exceeds every limit. */
function isKept({ value, limit }: Figure): boolean {
  return value <= limit;
}

function table(figures: Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${figure.value.toFixed(1)} ${figure.unit}`,
    `${figure.limit} ${figure.unit}`,
    isKept(figure) ? "ok" : "MISSED",
    figure.note,
  ]);
  const all = [["figure", "value", "limit", "", "note"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [`Load at the start: ${load.toFixed(2)}`, "", ...lines].join("\n");
}
