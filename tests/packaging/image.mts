// The container image in use: the `docker` lines of the READMEs, unchanged, and a container that is replaced by a new
// one. image.sh builds the image and defines `docker`.

import { equal, match, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { type Flight, fly, pilot, seesTheFlight } from "./journey.mts";
import { readmeLines } from "./readme.mts";
import { until } from "./wait.mts";

const origin = "http://127.0.0.1:8080";
const lines = readmeLines("docker");
let flight: Flight | undefined;

for (const line of lines) {
  run(line);
  if (line.startsWith("docker run --detach")) await isUp();
  if (line.startsWith("docker run --detach") && flight) await seesTheFlight(origin, flight);
  const email = /user add .*--email (\S+)/.exec(line)?.[1];
  if (email) flight = await fly(origin, { ...pilot, email });
}
ok(flight, "the READMEs add a pilot");
ok(statSync("fluglog.tar").size > 0);

// The image's own health check.
run("docker exec fluglog /fluglog status");
run("docker stop fluglog");
equal(run("docker inspect --format '{{.State.ExitCode}}' fluglog").trim(), "0");
run("docker rm fluglog");
run(lines.find((line) => line.startsWith("docker run --detach")) ?? "");
await isUp();
await seesTheFlight(origin, flight);
console.log("ok  log in, image, backup, orderly end, a new container on the old volume");

// The compose file: the same volume, and a backup at once because there is none of today.
run("docker rm --force fluglog");
run("install --directory --owner=10001 --group=10001 --mode=700 backups");
run("docker compose up --detach");
await isUp();
await seesTheFlight(origin, flight);
await until("the first backup", () => readdirSync("backups").some((name) => name.endsWith(".tar")) || undefined);
run("docker exec fluglog /fluglog backup verify /backups");
match(run("docker exec fluglog /fluglog status"), /^Prüfung .* ist gut$/m);
run("docker compose down");
console.log("ok  the compose file: server and nightly backup");

async function isUp(): Promise<void> {
  await until("the server answers", () =>
    fetch(`${origin}/app/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

/** Runs a line in a shell and returns its output. Fails unless it exits with 0. */
function run(line: string): string {
  const output = execFileSync("sh", ["-c", line], { input: `${pilot.password}\n`, encoding: "utf8" });
  console.log(`ok  ${line}`);
  return output;
}
