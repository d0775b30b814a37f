// The apt repository of `make release`, signed with a key of this test, on a booted Debian 12 and 13: from nothing to
// the first flight, to another machine, from the version before and back to it. Needs root, the files of `make
// release`, the machines of debian.sh and the package of before.sh.

import { equal, match, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clientWith, logIn } from "../browser/support/client.ts";
import { type Flight, fly, pilot, seesTheFlight } from "./journey.mts";
import { bootMachine, type Machine } from "./machine.mts";
import { until } from "./wait.mts";

const repository = join(import.meta.dirname, "../..");
const readme = ["packaging/docs/install.md", "packaging/docs/backup.md"]
  .map((name) => readFileSync(join(repository, name), "utf8"))
  .join("");
const origin = "http://127.0.0.1:8080";
const before = "fluglog_1.3.0-1_amd64.deb";
const fixture = join(repository, "tests/fixtures/1.3.0");
// The pilot of the fixture.
const earlier = { email: "zweite@example.org", password: "Propeller-17" };
const mostLines = 5;
const mostSeconds = 180;
// In place of the server that publishes the files. Debian's own is out of reach from here.
const published = "/srv/fluglog";

const files = signedRepository();
let backup: { flight: Flight; archive: Buffer } | undefined;
for (const release of ["bookworm", "trixie"]) {
  const machine = await bootMachine(release);
  try {
    console.log(`--  ${release}`);
    const flight = await fromNothingToTheFirstFlight(machine);
    if (backup) await dataFromAnotherMachine(machine, backup);
    backup = { flight: backup?.flight ?? flight, archive: await anArchive(machine) };
    await aPurgeKeepsTheData(machine);
    await theVersionBefore(machine);
    await anUpgrade(machine);
    await theWayBack(machine);
  } finally {
    await machine.remove();
  }
}
rmSync(files, { recursive: true });

/** A copy of the release, as its workflow signs it. */
function signedRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), "fluglog-repository-"));
  cpSync(join(repository, "target/release-files"), folder, { recursive: true });
  const home = mkdtempSync(join(tmpdir(), "fluglog-key-"));
  const gpg = (...options: string[]) =>
    execFileSync("gpg", ["--homedir", home, "--batch", "--quiet", ...options], { encoding: "utf8", stdio: "pipe" });
  // Older than the files, whose time is that of the last commit.
  const since = ["--faked-system-time", "20250101T000000"];
  gpg(
    ...since,
    "--passphrase",
    "",
    "--quick-gen-key",
    "Fluglog (test) <fluglog@example.org>",
    "ed25519",
    "sign",
    "never",
  );
  const secret = gpg("--armor", "--export-secret-keys");
  execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]);
  rmSync(home, { recursive: true });
  const [epoch = ""] = /^Date: (.*)$/m.exec(readFileSync(join(folder, "Release"), "utf8"))?.slice(1) ?? [];
  execFileSync(join(repository, "packaging/release/sign.sh"), [folder], {
    env: {
      ...process.env,
      SIGNING_KEY: secret,
      SOURCE_DATE_EPOCH: String(Date.parse(epoch) / 1000),
      ADDRESS: `file:${published}/`,
    },
  });
  return folder;
}

/** Counts what a person types: each line of a shell, then the browser. */
async function fromNothingToTheFirstFlight(machine: Machine): Promise<Flight> {
  cpSync(files, join(machine.root, published), { recursive: true });
  await machine.do("rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*");
  const [, typed = ""] = /^## With apt's own updates$.*?^```shell\n(.*?)^```$/ms.exec(readme) ?? [];
  const lines = typed.trimEnd().split("\n");
  ok(lines.length > 1 && lines.length <= mostLines, typed);
  const started = performance.now();
  let said = "";
  // A download by the machine's own means: a minimal Debian has no wget, and asks nobody whether it may install.
  for (const line of lines) {
    const here = line
      .replace("wget --directory-prefix=", "cp --target-directory=")
      .replace("https://fluglog.example.org", published)
      .replace("apt install", "apt-get install --yes");
    said = await machine.do(here);
  }
  const token = /\/app\/setup#(\S+)/.exec(said)?.[1] ?? "";
  ok(token, `the log has the address that makes the first account: ${said}`);
  const { email, nickname, password } = pilot;
  await clientWith(origin, "").call("CreateFirstAccount", { token, email, nickname, password });
  const flight = await fly(origin);
  const seconds = (performance.now() - started) / 1000;
  ok(seconds <= mostSeconds, `${seconds} s are more than ${mostSeconds}`);
  done(`from nothing to the first flight in ${lines.length} lines and ${seconds.toFixed(0)} s`);

  await machine.do(`rm -r /var/lib/apt/lists ${published}/Packages.gz && echo tampered >> ${published}/Packages`);
  const refused = await machine.run("apt-get update");
  ok(refused.code !== 0 || /Hash Sum mismatch|Failed/.test(refused.stderr), "a changed repository is refused");
  cpSync(files, join(machine.root, published), { recursive: true });
  await machine.do("apt-get update");
  done("a changed repository is refused");
  return flight;
}

async function anArchive(machine: Machine): Promise<Buffer> {
  await machine.do("fluglog backup --output /root/fluglog.tar && fluglog backup verify /root/fluglog.tar");
  return readFileSync(join(machine.root, "root/fluglog.tar"));
}

async function dataFromAnotherMachine(machine: Machine, from: { flight: Flight; archive: Buffer }): Promise<void> {
  await machine.do("cat > /root/other.tar", from.archive);
  await machine.do("systemctl stop fluglog && mv /var/lib/fluglog /var/lib/fluglog.old");
  await machine.do("fluglog restore /root/other.tar && systemctl start fluglog");
  await isUp();
  await seesTheFlight(origin, from.flight);
  done("the backup of another machine");
}

async function aPurgeKeepsTheData(machine: Machine): Promise<void> {
  match(await machine.do("apt-get purge --yes fluglog"), /\/var\/lib\/fluglog bleibt erhalten/);
  await machine.do("test -s /var/lib/fluglog/fluglog.redb -a ! -e /etc/fluglog/fluglog.toml");
  await machine.do("rm -r /var/lib/fluglog /var/backups/fluglog");
  done("purge");
}

async function theVersionBefore(machine: Machine): Promise<void> {
  copyFileSync(join(repository, "target/machine", before), join(machine.root, "root", before));
  await machine.do(`dpkg --install /root/${before} && systemctl stop fluglog`);
  for (const name of ["fluglog.redb", "blobs"]) {
    await machine.do(`rm -r /var/lib/fluglog/${name}`);
    cpSync(join(fixture, name), join(machine.root, "var/lib/fluglog", name), { recursive: true });
  }
  await machine.do("chown -R fluglog:fluglog /var/lib/fluglog && systemctl start fluglog");
  await seesTheEarlierFlights();
  done("1.3.0 with its data");
}

async function anUpgrade(machine: Machine): Promise<void> {
  await machine.do("apt-get install --yes fluglog");
  await seesTheEarlierFlights();
  await machine.do("test -s /var/lib/fluglog/fluglog-schema-1.redb && fluglog check");
  done("an upgrade from 1.3.0");
}

async function theWayBack(machine: Machine): Promise<void> {
  await machine.run(`apt-get install --yes --allow-downgrades /root/${before}`);
  equal((await machine.do("systemctl show --value --property ExecMainStatus fluglog")).trim(), "78");
  match(
    await machine.do("journalctl --unit fluglog --no-pager --lines 20"),
    /Installieren Sie mindestens Fluglog 1\.\d+\.\d+/,
  );
  const lines =
    /^## Back to the version before$.*?^```bash\n(.*?)^```$/ms.exec(readme)?.[1]?.trimEnd().split("\n") ?? [];
  ok(lines.length > 0, "backup.md has the lines for the way back");
  for (const line of lines) await machine.do(line);
  await seesTheEarlierFlights();
  match(await machine.do("fluglog --version"), /1\.3\.0/);
  equal(await machine.do("systemctl list-units --state=failed --no-legend 'fluglog*'"), "");
  done("a refused downgrade, and the way back");
}

async function seesTheEarlierFlights(): Promise<void> {
  await isUp();
  const client = await logIn(origin, earlier.email, earlier.password);
  const shown = await client.call("GetFlights");
  const seen = JSON.parse(readFileSync(join(fixture, "content.json"), "utf8"))[earlier.email];
  ok(seen.flights.length > 0);
  for (const { dpfId } of seen.flights) ok(shown.includes(dpfId), `the flight ${dpfId} is there`);
}

async function isUp(): Promise<void> {
  await until("the server answers", () =>
    fetch(`${origin}/app/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

function done(what: string): void {
  console.log(`ok  ${what}`);
}
