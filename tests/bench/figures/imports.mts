// A log of 100 MB that is looked through for its flights, beside counting its lines.

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
const header = "Date,Time,RxBt(V),Curr(A),GPS,GSpd(kmh),Alt(m),Sats,FM,Capa(mAh)\n";

export async function largeImport(): Promise<Figure[]> {
  const dataDir = await makeDataDir();
  const fileDir = await makeDataDir();
  const log = join(fileDir, name);
  try {
    await writeEdgeTxLog(log);
    const file = await openAsBlob(log);
    // Taken and kept as well, but not read before its columns are chosen.
    const unread = new Blob(["a,b,c,d,e,f,g,h,i,k\n", file.slice(header.length)]);
    const [all, received]: [number[], number[]] = [[], []];
    let growth = 0;
    await withServer(dataDir, async (server) => {
      await server.addUser(pilot);
      const client = await logInPilot(server);
      const idle = residentMegabytes(server.pid);
      for (let round = 0; round < 3; round++) {
        all.push(await importTime(server, client, file));
        received.push(await importTime(server, client, unread));
      }
      growth = residentMegabytes(server.pid, "VmHWM") - idle;
    });
    const [upload, whole] = [median(received), median(all)];
    const least = median([1, 2, 3].map(() => floor(["lines", log])));
    const figure = (name: string, milliseconds: number, more: string) => ({
      name,
      value: milliseconds / least,
      limit: 5,
      unit: "× floor",
      note: `${milliseconds.toFixed(0)} ms of CPU, floor ${least.toFixed(0)} ms${more}`,
    });
    return [
      figure("reading a log of 99 MB", whole - upload, ""),
      figure("an import of 99 MB", whole, ` with its upload, memory +${growth.toFixed(0)} MB`),
    ];
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

/** As EdgeTX writes it: ten rows a second, a flight every quarter of an hour. */
async function writeEdgeTxLog(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write(header);
  const start = Date.UTC(2026, 4, 9, 10);
  for (let row = 0, written = 0; written < bytes; ) {
    let rows = "";
    for (const end = row + 10_000; row < end; row++) {
      const time = new Date(start + row * 100).toISOString();
      const [sine, cosine] = [Math.sin(row / 1000), Math.cos(row / 1000)];
      const place = `${(53.1 + sine / 1000).toFixed(6)} ${(10.2 + cosine / 1000).toFixed(6)}`;
      const mode = row % 9000 < 8700 ? "ACRO" : "ACRO*";
      const volts = (16.8 - (row % 6000) * 0.0003).toFixed(2);
      const values = [
        volts,
        (12 + 5 * sine).toFixed(1),
        place,
        (30 + 10 * sine).toFixed(1),
        (20 + 5 * cosine).toFixed(1),
      ];
      rows += `${time.slice(0, 10)},${time.slice(11, 23)},${values.join(",")},12,${mode},${Math.floor((row % 9000) / 5)}\n`;
    }
    written += rows.length;
    if (!file.write(rows)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}
