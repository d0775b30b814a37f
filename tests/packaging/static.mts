// A static binary runs: everything an admin does with a new machine and after the loss of an old one. FLUGLOG_BIN names
// the binary, FLUGLOG_RUNNER the emulator for another processor (tests/browser/support/server.ts).

import { equal, match, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { binary, fluglog, makeDataDir, removeDataDir, startServer } from "../browser/support/server.ts";
import { fly, pilot, seesTheFlight } from "./journey.mts";

const mostBytes = 15_000_000;

const folder = await makeDataDir();
try {
  match(execFileSync("file", ["--brief", binary], { encoding: "utf8" }), /static(ally|-pie) linked, stripped/);
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

  console.log(`${binary}: ${(bytes / 1e6).toFixed(1)} MB, every step done`);
} finally {
  await removeDataDir(folder);
}
