// A photograph of 12 megapixels from its upload to its preview, beside a preview of the same size by libvips.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addEquipment, addImages, createFlight, kind } from "../../browser/support/client.ts";
import { makeDataDir, removeDataDir } from "../../browser/support/server.ts";
import { type Figure, median } from "../support/figure.mts";
import { cpuSeconds } from "../support/process.mts";
import { logInPilot, pilot, withServer } from "../support/world.mts";

// As many as a flight takes.
const photographs = 5;

export async function pictures(): Promise<Figure[]> {
  const dataDir = await makeDataDir();
  const folder = await makeDataDir();
  try {
    const path = join(folder, "photograph.jpg");
    makePhotograph(folder, path);
    const photograph = new Uint8Array(readFileSync(path));
    const times: number[] = [];
    const leasts: number[] = [];
    await withServer(dataDir, async (server) => {
      await server.addUser(pilot);
      const client = await logInPilot(server);
      const copter = await addEquipment(client, kind.copter, "Nazgul Evoque F5");
      const flight = await createFlight(client, { copter });
      for (let left = photographs; left > 0; left--) {
        const before = cpuSeconds(server.pid);
        await addImages(client, flight, [photograph]);
        times.push((cpuSeconds(server.pid) - before) * 1000);
        leasts.push(thumbnail(path, join(folder, "preview.jpg")));
      }
    });
    const [milliseconds, least] = [median(times), median(leasts)];
    const note = `${milliseconds.toFixed(0)} ms of CPU with its upload, vipsthumbnail ${least.toFixed(0)} ms`;
    return [{ name: "a photograph of 12 megapixels", value: milliseconds / least, limit: 0.8, unit: "× floor", note }];
  } finally {
    await removeDataDir(dataDir);
    await removeDataDir(folder);
  }
}

/** Three fractal surfaces as the colours: as large and as full of detail as a landscape. */
function makePhotograph(folder: string, path: string): void {
  for (const colour of ["red", "green", "blue"]) {
    run("vips", ["fractsurf", join(folder, "surface.v"), "4000", "3000", "2.4"]);
    run("vips", ["scale", join(folder, "surface.v"), join(folder, `${colour}.v`)]);
  }
  const colours = ["red", "green", "blue"].map((colour) => join(folder, `${colour}.v`));
  run("vips", ["bandjoin", colours.join(" "), join(folder, "photograph.v")]);
  run("vips", ["copy", join(folder, "photograph.v"), `${path}[Q=90]`]);
}

/** Milliseconds of the processors. */
function thumbnail(from: string, to: string): number {
  const line = 'vipsthumbnail --size 480 --output "$1[Q=82]" "$0" && times';
  const output = run("bash", ["-c", line, from, to]);
  const [user = "", system = ""] = output.trim().split("\n").at(-1)?.split(" ") ?? [];
  return (
    [user, system].map((time) => Number(time.match(/m([\d.]+)s/)?.[1])).reduce((sum, time) => sum + time, 0) * 1000
  );
}

function run(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}
