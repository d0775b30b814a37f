// Logs of 99 MB that are looked through for their flights, beside counting their lines.

import { once } from "node:events";
import { createWriteStream, openAsBlob } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../browser/support/client.ts";
import { makeDataDir, removeDataDir, type Server } from "../../browser/support/server.ts";
import { type Figure, median } from "../support/figure.mts";
import { floor } from "../support/floor.mts";
import { cpuSeconds, residentMegabytes } from "../support/process.mts";
import { logInPilot, pilot, withServer } from "../support/world.mts";

const bytes = 99_000_000;
const name = "Falke-2026-05-09.csv";

export async function largeImport(): Promise<Figure[]> {
  return [await reading(everything), await reading(telemetry)];
}

async function reading(columns: Column[]): Promise<Figure> {
  const [dataDir, fileDir] = [await makeDataDir(), await makeDataDir()];
  const log = join(fileDir, name);
  try {
    await writeEdgeTxLog(log, columns);
    const file = await openAsBlob(log);
    // Taken and kept as well, but not read before its columns are chosen.
    const unknown = columns.map((_, at) => `a${at}`).join(",");
    const unread = new Blob([`${unknown}\n`, file.slice(Buffer.byteLength(headerOf(columns)))]);
    const [reads, imports]: [number[], number[]] = [[], []];
    let growth = 0;
    await withServer(dataDir, async (server) => {
      await server.addUser(pilot);
      const client = await logInPilot(server);
      const idle = residentMegabytes(server.pid);
      for (let round = 0; round < 5; round++) {
        const whole = await importTime(server, client, file);
        imports.push(whole);
        reads.push(whole - (await importTime(server, client, unread)));
      }
      growth = residentMegabytes(server.pid, "VmHWM") - idle;
    });
    const milliseconds = median(reads);
    const rounded = (value: number) => value.toFixed(0);
    const least = median([1, 2, 3, 4, 5].map(() => floor(["lines", log])));
    return {
      name: `reading a log of 99 MB with ${columns.length} columns`,
      value: milliseconds / least,
      limit: 5,
      unit: "× floor",
      note: [
        `${rounded(milliseconds)} ms of CPU, floor ${rounded(least)} ms`,
        `${rounded(median(imports))} ms with its upload, memory +${rounded(growth)} MB`,
      ].join("; "),
    };
  } finally {
    await removeDataDir(dataDir);
    await removeDataDir(fileDir);
  }
}

/** ms of the server's processors from the upload of a file to its proposals. */
async function importTime(server: Server, client: Client, file: Blob): Promise<number> {
  const form = new FormData();
  form.set("files", file, name);
  const before = cpuSeconds(server.pid);
  const { dpfId } = JSON.parse(await client.call("UploadImport", form));
  const milliseconds = (cpuSeconds(server.pid) - before) * 1000;
  await client.call("DiscardImport", { dpfId });
  return milliseconds;
}

/** A column's heading, and its cell in a row. */
type Column = [heading: string, cell: (row: number) => string | number];

/** Ten rows a second. */
const time = (row: number) => new Date(Date.UTC(2026, 4, 9, 10) + row * 100).toISOString();
const degrees = (middle: number, offset: number) => (middle + offset / 1000).toFixed(6);

const clock: Column[] = [
  ["Date", (row) => time(row).slice(0, 10)],
  ["Time", (row) => time(row).slice(11, 23)],
];

/** The least that gives all figures of a flight; a flight every quarter of an hour. */
const telemetry: Column[] = [
  ...clock,
  ["RxBt(V)", (row) => (16.8 - (row % 6000) * 0.0003).toFixed(2)],
  ["Curr(A)", (row) => (12 + 5 * Math.sin(row / 1000)).toFixed(1)],
  ["GPS", (row) => `${degrees(53.1, Math.sin(row / 1000))} ${degrees(10.2, Math.cos(row / 1000))}`],
  ["GSpd(kmh)", (row) => (30 + 10 * Math.sin(row / 1000)).toFixed(1)],
  ["Alt(m)", (row) => (20 + 5 * Math.cos(row / 1000)).toFixed(1)],
  ["Sats", () => 12],
  ["FM", (row) => (row % 9000 < 8700 ? "ACRO" : "ACRO*")],
  ["Capa(mAh)", (row) => Math.floor((row % 9000) / 5)],
];

/** What else a radio writes. As many rows have the same values. */
const others = (headings: string[], rows: number): Column[] =>
  headings.map((heading, at) => [heading, (row) => Math.floor(600 * Math.sin(Math.floor(row / rows) + at))]);
const channels = Array.from({ length: 32 }, (_, at) => `CH${at + 1}(us)`);

/** As a radio writes it whose owner chose nothing away: link, telemetry, sticks, switches, channels. */
const everything: Column[] = [
  ...clock,
  ...others(
    ["1RSS(dB)", "2RSS(dB)", "RQly(%)", "RSNR(dB)", "ANT", "RFMD", "TPWR(mW)", "TRSS(dB)", "TQly(%)", "TSNR(dB)"],
    100,
  ),
  ...telemetry.slice(clock.length),
  ...others(["Bat%(%)", "Ptch(rad)", "Roll(rad)", "Yaw(rad)", "VSpd(m/s)", "Hdg(°)"], 10),
  ...others(["Rud", "Ele", "Thr", "Ail"], 1),
  ...others(["P1", "SA", "SB", "SC", "SD", "SE", "LSW"], 1000),
  ...others(channels.slice(0, 4), 1),
  ...others(channels.slice(4), 1000),
  ["TxBat(V)", () => 7.9],
];

const headerOf = (columns: Column[]) => `${columns.map(([heading]) => heading).join(",")}\n`;

async function writeEdgeTxLog(path: string, columns: Column[]): Promise<void> {
  const file = createWriteStream(path);
  file.write(headerOf(columns));
  for (let row = 0, written = 0; written < bytes; ) {
    let rows = "";
    for (const end = row + 10_000; row < end; row++) {
      rows += `${columns.map(([, cell]) => cell(row)).join(",")}\n`;
    }
    written += rows.length;
    if (!file.write(rows)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}
