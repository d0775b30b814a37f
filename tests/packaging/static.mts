// A static binary runs: everything an admin does with a new machine and after the loss of an old one. FLUGLOG_BIN names
// the binary, FLUGLOG_RUNNER the emulator for another processor (tests/browser/support/server.ts).

import { equal, match, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { logIn } from "../browser/support/client.ts";
import { binary, fluglog, makeDataDir, removeDataDir, startServer } from "../browser/support/server.ts";
import { fly, pilot, seesTheFlight } from "./journey.mts";

// The code for x86_64 is larger than that for a Pi.
const mostBytes = binary.endsWith("x86_64") ? 16_000_000 : 14_000_000;
// Position-independent, but on armv7 with rustup's target alone.
const linked = binary.endsWith("armv7") ? /static(ally|-pie) linked, stripped/ : /static-pie linked, stripped/;

const folder = await makeDataDir();
try {
  match(execFileSync("file", ["--brief", binary], { encoding: "utf8" }), linked);
  const bytes = statSync(binary).size;
  ok(bytes <= mostBytes, `${bytes} bytes are more than ${mostBytes}`);

  const dataDir = join(folder, "data");
  await fluglog(["init", "--data-dir", dataDir]);
  const server = await startServer({ dataDir });
  await server.addUser(pilot);
  const flight = await fly(server.origin);

  const backups = join(folder, "backups");
  mkdirSync(backups);
  const archive = join(backups, "running.tar");
  await fluglog(["backup", "--data-dir", dataDir, "--output", archive]);
  match(await fluglog(["status", "--data-dir", dataDir]), /1\.\d+\.\d+/);
  await server.stop();
  await fluglog(["check", "--data-dir", dataDir]);
  await fluglog(["backup", "verify", archive]);

  const restored = join(folder, "restored");
  await fluglog(["restore", "--data-dir", restored, archive]);
  const again = await startServer({ dataDir: restored });
  await seesTheFlight(again.origin, flight);
  await again.stop();
  equal(await fluglog(["backup", "--data-dir", restored, "--output", "-"]).then((tar) => tar.length > 0), true);

  const demoDir = join(folder, "demo");
  await fluglog(["demo", "--data-dir", demoDir]);
  const demo = await startServer({ dataDir: demoDir });
  const visitor = await logIn(demo.origin, "demo@example.org", "fluglog-demo");
  const flights: { firstImage: string | null }[] = JSON.parse(await visitor.call("GetFlights"));
  ok(flights.some(({ firstImage }) => firstImage));
  await demo.stop();

  console.log(`${binary}: ${(bytes / 1e6).toFixed(1)} MB, every step done`);
} finally {
  await removeDataDir(folder);
}
