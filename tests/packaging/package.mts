// The Debian package on a machine of its own: installed, used, upgraded, removed and purged, with the command lines of
// the READMEs, unchanged. Needs root, the packages of `make deb` and the machine of debian.sh.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { connect } from "node:tls";
import { type Flight, fly, pilot, seesTheFlight } from "./journey.mts";
import { bootMachine } from "./machine.mts";
import { readmeLines } from "./readme.mts";
import { until } from "./wait.mts";

const packages = join(import.meta.dirname, "../../target/debian");
const origin = "http://127.0.0.1:8080";
const worstExposure = 1.5;

const machine = await bootMachine("bookworm");
try {
  const flight = await theLinesOfTheReadmesWork();
  await theInstallationIsTidy();
  await theServiceIsConfined();
  await theNightlyBackupWorks(flight);
  await theServiceComesBackByItself(flight);
  await aWrongSettingIsNotTriedAgain(flight);
  await aSecretReachesTheServiceAlone(flight);
  await backupsGoToAnotherDisk();
  await theDataMoveElsewhere(flight);
  await itServesHttpsByItself();
  await aSocketUnitGivesItAPortBelow1024();
  await anUpgradeAsksNothing(flight);
  await removalKeepsTheData(flight);
  await theLinksOfTheDocumentsLeadSomewhere();
  theOtherArchitecturesHaveTheSameFiles();
} finally {
  await machine.remove();
}

async function theLinesOfTheReadmesWork(): Promise<Flight> {
  copyFileSync(packageFor("amd64"), join(machine.root, "root", basename(packageFor("amd64"))));
  let flight: Flight | undefined;
  for (const line of readmeLines("sudo")) {
    const installs = line.includes("apt install");
    if (installs && flight) putNewerPackage(2);
    // The typed password.
    const output = await machine.do(line, `${pilot.password}\n`);
    done(line);
    if (installs && !flight) match(output, /^Fluglog: http:\/\/\S+:8080\/app\/ .*sudo fluglog user add/m);
    const email = /user add .*--email (\S+)/.exec(line)?.[1];
    if (email) flight = await fly(origin, { ...pilot, email });
  }
  ok(flight, "the READMEs add a pilot");
  await isStillThere(flight);
  return flight;
}

async function theInstallationIsTidy(): Promise<void> {
  const modes = await machine.do(
    "stat --format '%a %U:%G %n' /var/lib/fluglog /var/lib/fluglog/* /var/backups/fluglog /etc/fluglog/*",
  );
  deepEqual(
    modes
      .trim()
      .split("\n")
      .filter((line) => !line.endsWith(".sock")),
    [
      "700 fluglog:fluglog /var/lib/fluglog",
      "700 fluglog:fluglog /var/lib/fluglog/blobs",
      "600 fluglog:fluglog /var/lib/fluglog/fluglog.redb",
      "700 fluglog:fluglog /var/lib/fluglog/outbox",
      "700 fluglog:fluglog /var/backups/fluglog",
      "644 root:root /etc/fluglog/fluglog.toml",
    ],
  );
  equal(await machine.do("find /var/lib/fluglog ! -user fluglog"), "", "everything belongs to the service's user");
  const units = "fluglog.service fluglog-backup.timer fluglog-verify.timer";
  equal((await machine.do(`systemctl is-enabled ${units}`)).trim(), "enabled\nenabled\nenabled");
  equal((await machine.do(`systemctl is-active ${units}`)).trim(), "active\nactive\nactive");
  equal(await shows("fluglog-backup.service", "ExecMainStartTimestamp"), "", "installing makes no backup");
  await machine.do("gzip --test /usr/share/man/man1/fluglog.1.gz");
  await machine.do("bash -c 'source /usr/share/bash-completion/completions/fluglog && complete -p fluglog'");
  await machine.do(
    "test -s /usr/share/zsh/vendor-completions/_fluglog -a -s /usr/share/fish/vendor_completions.d/fluglog.fish",
  );
  done("files, modes, units, completions");
}

async function theServiceIsConfined(): Promise<void> {
  for (const unit of ["fluglog.service", "fluglog-backup.service", "fluglog-verify.service"]) {
    const report = await machine.do(`systemd-analyze security --no-pager ${unit}`);
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(report)?.[1]);
    ok(exposure <= worstExposure, `${unit}: ${exposure}`);
    done(`${unit}: exposure ${exposure}`);
  }
  equal(await shows("fluglog", "Type"), "notify");
  equal(await shows("fluglog", "NRestarts"), "0");
}

async function theNightlyBackupWorks(flight: Flight): Promise<void> {
  const archives = async () => (await machine.do("ls /var/backups/fluglog")).trim().split("\n").length;
  const before = await archives();
  await machine.do("systemctl start fluglog-backup.service");
  await machine.do("systemctl stop fluglog && systemctl start fluglog-backup.service && systemctl start fluglog");
  equal(await archives(), before + 2, "one with the server running, one without");
  equal(await machine.do("find /var/backups/fluglog -type f ! -perm 600"), "");
  await machine.do("for archive in /var/backups/fluglog/*; do fluglog backup verify $archive || exit; done");
  await machine.do("systemctl start fluglog-verify.service");
  match(await machine.do("fluglog status"), /^Prüfung .* ist gut$/m);
  await isStillThere(flight);
  done("the nightly backup, with the server running and stopped, and the weekly check");
}

async function theServiceComesBackByItself(flight: Flight): Promise<void> {
  await machine.do("systemctl reload fluglog");
  const killed = await shows("fluglog", "MainPID");
  await machine.do(`kill -KILL ${killed}`);
  await until(
    "systemd has started the server anew",
    async () => (await isActive()) && (await shows("fluglog", "MainPID")) !== killed,
  );
  await isStillThere(flight);
  done("reload, and a killed server");
}

async function aWrongSettingIsNotTriedAgain(flight: Flight): Promise<void> {
  const file = join(machine.root, "etc/fluglog/fluglog.toml");
  const before = readFileSync(file, "utf8");
  writeFileSync(file, `${before}regestration = "closed"\n`);
  equal((await machine.run("systemctl restart fluglog")).code === 0, false);
  equal(await shows("fluglog", "ExecMainStatus"), "78");
  equal(await shows("fluglog", "ActiveState"), "failed");
  match(await machine.do("journalctl --unit fluglog --no-pager --lines 20"), /regestration/);
  writeFileSync(file, before);
  await machine.do("systemctl restart fluglog");
  await isStillThere(flight);
  done("a wrong setting");
}

async function aSecretReachesTheServiceAlone(flight: Flight): Promise<void> {
  await machine.do("install --mode=600 /dev/null /etc/fluglog/smtp.password");
  await override("fluglog", "LoadCredential=");
  equal((await machine.run("systemctl restart fluglog")).code === 0, false, "an empty password is a wrong setting");
  match(await machine.do("journalctl --unit fluglog --no-pager --lines 20"), /\/run\/credentials\/\S*smtp\.password/);
  await machine.do("echo geheim-4711 > /etc/fluglog/smtp.password && systemctl restart fluglog");
  equal(
    (await machine.run("grep --quiet geheim-4711 /proc/$(systemctl show --value -p MainPID fluglog)/environ")).code,
    1,
  );
  await machine.do("rm /etc/fluglog/smtp.password");
  await withoutOverrides("fluglog");
  await isStillThere(flight);
  done("a secret as a credential");
}

async function backupsGoToAnotherDisk(): Promise<void> {
  await override("fluglog-backup", "backup --output /mnt/stick");
  await override("fluglog-verify", "backup verify /mnt/stick");
  const fails = async (why: RegExp) => {
    equal((await machine.run("systemctl start fluglog-backup.service")).code === 0, false);
    match(await machine.do("fluglog status"), why);
  };
  await fails(/^Sicherung .*misslungen: \/mnt\/stick gibt es nicht/m);
  await machine.do("install --directory --owner=fluglog --group=fluglog --mode=700 /mnt/stick");
  await fails(/^Sicherung .*misslungen: .*kein eigener Datenträger/m);
  equal(await machine.do("ls /mnt/stick"), "", "nothing goes to the card");
  await machine.do("mount -t tmpfs -o mode=700,uid=$(id -u fluglog),gid=$(id -g fluglog) stick /mnt/stick");
  await machine.do("systemctl start fluglog-backup.service");
  equal((await machine.do("ls /mnt/stick")).trim().split("\n").length, 1);
  await machine.do("systemctl start fluglog-verify.service");
  match(await machine.do("fluglog status"), /^Prüfung .*\/mnt\/stick.* ist gut$/m);
  await machine.do("umount /mnt/stick");
  await withoutOverrides("fluglog-backup", "fluglog-verify");
  done("backups on another disk, and without it");
}

async function theDataMoveElsewhere(flight: Flight): Promise<void> {
  const units = ["fluglog", "fluglog-backup", "fluglog-verify"];
  const settings = join(machine.root, "etc/fluglog/fluglog.toml");
  const before = readFileSync(settings, "utf8");
  for (const unit of units) await override(unit, "ReadWritePaths=/srv/fluglog");
  await machine.do("systemctl stop fluglog && mv /var/lib/fluglog /srv/fluglog");
  writeFileSync(settings, before.replace('data_dir = "/var/lib/fluglog"', 'data_dir = "/srv/fluglog"'));
  for (const unit of units) await machine.do(`systemctl start ${unit}.service`);
  await isStillThere(flight);
  await machine.do("systemctl stop fluglog && rm -rf /var/lib/fluglog && mv /srv/fluglog /var/lib/fluglog");
  writeFileSync(settings, before);
  await withoutOverrides(...units);
  await isStillThere(flight);
  done("the data in another folder");
}

/** With the settings and the command line of packaging/https/README.md. */
async function itServesHttpsByItself(): Promise<void> {
  const readme = readFileSync(join(import.meta.dirname, "../../packaging/https/README.md"), "utf8");
  const [, lines = ""] = /```toml\n(.*?)```/s.exec(readme) ?? [];
  const [, rights = ""] = /`(sudo chown [^`]+)`/.exec(readme) ?? [];
  const settings = join(machine.root, "etc/fluglog/fluglog.toml");
  const before = readFileSync(settings, "utf8");
  const certificate = () => {
    const files = ["-keyout", "privkey.pem", "-out", "fullchain.pem"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", ...files], {
      cwd: join(machine.root, "etc/fluglog"),
      stdio: "ignore",
    });
  };
  certificate();
  await machine.do(rights.replaceAll("\n", " "));
  writeFileSync(settings, `${before}\n${lines}`);
  await machine.do("systemctl restart fluglog");
  const first = await serial();
  certificate();
  await machine.do("systemctl reload fluglog");
  await until("the new certificate is served", async () => (await serial()) !== first);
  await machine.do("rm /etc/fluglog/privkey.pem /etc/fluglog/fullchain.pem");
  writeFileSync(settings, before);
  await machine.do("systemctl restart fluglog");
  done("https with files of one's own, and after a renewal");
}

/** The number of the certificate on port 8443. */
async function serial(): Promise<string> {
  const socket = connect({ port: 8443, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

async function aSocketUnitGivesItAPortBelow1024(): Promise<void> {
  const unit = "/etc/systemd/system/fluglog.socket";
  // Minimal installations leave out the documentation: read the file from the package.
  copyFileSync(join(import.meta.dirname, "../../packaging/https/fluglog.socket"), join(machine.root, unit));
  await machine.do("systemctl stop fluglog && systemctl start fluglog.socket && systemctl start fluglog");
  equal(await (await fetch("http://127.0.0.1:443/app/health", { signal: AbortSignal.timeout(10_000) })).text(), "ok");
  await machine.do(
    `systemctl stop fluglog.socket fluglog && rm ${unit} && systemctl daemon-reload && systemctl start fluglog`,
  );
  done("port 443 from a socket unit");
}

async function anUpgradeAsksNothing(flight: Flight): Promise<void> {
  await machine.do("echo 'registration = \"closed\"' >> /etc/fluglog/fluglog.toml");
  putNewerPackage(3);
  const pid = await shows("fluglog", "MainPID");
  await machine.do("dpkg --install /root/fluglog_*.deb");
  match(await machine.do("cat /etc/fluglog/fluglog.toml"), /registration = "closed"/);
  ok((await shows("fluglog", "MainPID")) !== pid, "the new version runs");
  await isStillThere(flight);
  done("an upgrade with changed settings");
}

async function removalKeepsTheData(flight: Flight): Promise<void> {
  await machine.do("apt-get remove --yes fluglog");
  equal(await isActive(), false);
  const said = await machine.do("apt-get purge --yes fluglog");
  match(said, /\/var\/lib\/fluglog bleibt erhalten/);
  match(said, /\/var\/backups\/fluglog bleibt erhalten/);
  await machine.do("test ! -e /etc/fluglog/fluglog.toml -a -s /var/lib/fluglog/fluglog.redb");
  await machine.do("dpkg --install /root/fluglog_*.deb");
  await isStillThere(flight);
  done("removal, purge, and a new installation on the old data");
}

async function theLinksOfTheDocumentsLeadSomewhere(): Promise<void> {
  const folder = "/usr/share/doc/fluglog";
  const documents = ["README.md", "README.de.md", "packaging/https/README.md", "packaging/docs/security.md"];
  for (const name of [...documents, "packaging/docs/de/server.md"]) {
    const document = await machine.do(`f=${folder}/${name}; if [ -e $f.gz ]; then zcat $f.gz; else cat $f; fi`);
    const links = [...document.matchAll(/\]\(([^)#:]+)\)/g)].map((link) => link[1] ?? "");
    ok(links.length > 0, name);
    for (const link of links) {
      await machine.do(`ls -d ${join(folder, name, "..", link)} || ls -d ${join(folder, name, "..", link)}.gz`);
    }
  }
  done("the links of the documents");
}

function theOtherArchitecturesHaveTheSameFiles(): void {
  const files = (name: string) =>
    execFileSync("dpkg-deb", ["--contents", packageFor(name)], { encoding: "utf8" })
      .split("\n")
      .map((line) => line.split(/\s+/)[5]);
  deepEqual(files("arm64"), files("amd64"));
  deepEqual(files("armhf"), files("amd64"));
  for (const name of ["arm64", "armhf"]) {
    equal(execFileSync("dpkg-deb", ["--field", packageFor(name), "Architecture"], { encoding: "utf8" }).trim(), name);
  }
  done("the packages for arm64 and armhf");
}

function packageFor(architecture: string): string {
  const [file = ""] = globSync(join(packages, `fluglog_*_${architecture}.deb`));
  ok(file, `there is a package for ${architecture} in ${packages}`);
  return file;
}

/** Gives a unit the block of README.Debian that has this line, as its `systemctl edit` does. */
async function override(unit: string, line: string): Promise<void> {
  const readme = readFileSync(join(import.meta.dirname, "../../packaging/debian/README.Debian"), "utf8");
  const blocks = [...readme.matchAll(/^ {4}\[Service\]\n(?: {4}.*\n)+/gm)].map(([block]) =>
    block.replace(/^ {4}/gm, ""),
  );
  const block = blocks.find((block) => block.includes(line));
  ok(block, `README.Debian has a block with ${line}`);
  const folder = `/etc/systemd/system/${unit}.service.d`;
  await machine.do(`mkdir --parents ${folder} && cat > ${folder}/override.conf && systemctl daemon-reload`, block);
}

async function withoutOverrides(...units: string[]): Promise<void> {
  await machine.do(`rm -r ${units.map((unit) => `/etc/systemd/system/${unit}.service.d`).join(" ")}`);
  await machine.do("systemctl daemon-reload && systemctl restart fluglog");
}

/** Replaces the downloaded package with the same one under a higher revision. */
function putNewerPackage(revision: number): void {
  const folder = mkdtempSync(join(tmpdir(), "fluglog-package-"));
  execFileSync("dpkg-deb", ["--raw-extract", packageFor("amd64"), folder]);
  const control = join(folder, "DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^(Version: .*-)\d+$/m, `$1${revision}`));
  for (const old of globSync(join(machine.root, "root/fluglog_*.deb"))) rmSync(old);
  const target = join(machine.root, "root", basename(packageFor("amd64")).replace("-1_", `-${revision}_`));
  execFileSync("dpkg-deb", ["--build", "--root-owner-group", "-Zgzip", folder, target], { stdio: "ignore" });
  rmSync(folder, { recursive: true });
}

async function isActive(): Promise<boolean> {
  return (await machine.run("systemctl is-active --quiet fluglog")).code === 0;
}

async function isStillThere(flight: Flight): Promise<void> {
  await until("the server answers", () =>
    fetch(`${origin}/app/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  await seesTheFlight(origin, flight);
}

async function shows(unit: string, property: string): Promise<string> {
  return (await machine.do(`systemctl show --value --property ${property} ${unit}`)).trim();
}

function done(what: string): void {
  console.log(`ok  ${what}`);
}
