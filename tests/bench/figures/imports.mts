// A log of 100 MB that is uploaded and looked through for its flights, beside counting its lines.

import { once } from "node:events";
import { createWriteStream, openAsBlob } from "node:fs";
import { join } from "node:path";
import { makeDataDir, removeDataDir } from "../../browser/support/server.ts";
import { type Figure, median } from "../support/figure.mts";
import { floor } from "../support/floor.mts";
import { cpuSeconds, residentMegabytes } from "../support/process.mts";
import { logInPilot, pilot, withServer } from "../support/world.mts";

const bytes = 99_000_000;

export async function largeImport(): Promise<Figure[]> {
  const dataDir = await makeDataDir();
  const fileDir = await makeDataDir();
  const log = join(fileDir, "Falke-2026-05-09.csv");
  try {
    await writeEdgeTxLog(log);
    const times: number[] = [];
    let growth = 0;
    await withServer(dataDir, async (server) => {
      await server.addUser(pilot);
      const client = await logInPilot(server);
      const idle = residentMegabytes(server.pid);
      for (let round = 0; round < 3; round++) {
        const form = new FormData();
        form.set("files", await openAsBlob(log), "Falke-2026-05-09.csv");
        const before = cpuSeconds(server.pid);
        const { dpfId } = JSON.parse(await client.call("UploadImport", form));
        times.push((cpuSeconds(server.pid) - before) * 1000);
        await client.call("DiscardImport", { dpfId });
      }
      growth = residentMegabytes(server.pid, "VmHWM") - idle;
    });
    const milliseconds = median(times);
    const least = median([1, 2, 3].map(() => floor(["lines", log])));
    const note = `${milliseconds.toFixed(0)} ms of CPU with its upload, floor ${least.toFixed(0)} ms, memory +${growth.toFixed(0)} MB`;
    return [{ name: "an import of 99 MB", value: milliseconds / least, limit: 5, unit: "× floor", note }];
  } finally {
    await removeDataDir(dataDir);
    await removeDataDir(fileDir);
  }
}

/** As EdgeTX writes it: ten rows a second, a flight every quarter of an hour. */
async function writeEdgeTxLog(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write("Date,Time,RxBt(V),Curr(A),GPS,GSpd(kmh),Alt(m),Sats,FM,Capa(mAh)\n");
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
