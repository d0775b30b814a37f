// An admin's ways with the Debian package, in the words of the documents: from nothing to the first flight, https, login
// by mail, restore, move, another disk, targets of backups, nginx and Caddy. The machine has systemd and the units as
// they are shipped, and an address in a network without a way out; this process is another device there. admin.sh
// starts it.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { connect } from "node:tls";
import { clientWith } from "../browser/support/client.ts";
import { type Flight, fly, pilot, seesTheFlight } from "./journey.mts";
import { bootMachine, type Machine } from "./machine.mts";
import { linesUnder } from "./readme.mts";
import { type Stores, startStores } from "./stores.mts";
import { until } from "./wait.mts";

const repository = join(import.meta.dirname, "../..");
const network = { here: "192.168.77.1/24", there: "192.168.77.20/24", name: "raspberrypi" };
const address = "192.168.77.20";
const origin = `http://${address}:8080`;
const settings = "/etc/fluglog/fluglog.toml";
const mostSeconds = 300;

let machine: Machine;
/** What the machine before had, for the move to the next one. */
let before: { flight: Flight; archive: Buffer; keys: Buffer; authority: string } | undefined;

for (const release of process.argv.slice(2)) {
  machine = await bootMachine(release, network);
  try {
    console.log(`--  ${release}`);
    const flight = await theReadmeLeadsToTheFirstFlight();
    const authority = await httpsByAddressStays();
    await aLoginByMailIsFromThisNetwork();
    await aRestoreKeepsHttps(flight, authority);
    if (before) await aMoveBringsTheDataAndTheKeys(before);
    const moved = before?.flight ?? flight;
    before = { flight: moved, ...(await whatAMoveTakesAlong()), authority: before?.authority ?? authority };
    await theFourStepsAfterAFailedCard(moved);
    await aSecretThatTheServiceCantReadIsFound();
    await theNightWithoutRightsIsTold();
    await everyKindOfTargetMakesItsLastFolder(moved);
    await picturesLieOnAnotherDisk(moved);
    await aRestoreIntoAnotherDataFolder(moved);
    await debiansNginxAndCaddyServeIt(moved);
  } catch (error) {
    console.error((await machine.run("journalctl --no-pager --lines 30 --unit 'fluglog*'")).stdout);
    throw error;
  } finally {
    await machine.remove();
  }
}

/** Counts what a person types, each line once, and the password. */
async function theReadmeLeadsToTheFirstFlight(): Promise<Flight> {
  const lines = linesUnder("README.md", "## Install on a Raspberry Pi", "sh");
  const [deb = ""] = globSync(join(repository, "target/debian/fluglog_*_amd64.deb"));
  ok(deb, "there is a package for amd64 in target/debian");
  copyFileSync(deb, join(machine.root, "root", basename(deb)));
  const started = performance.now();
  let said = "";
  for (const line of lines) {
    said = await machine.do(line, `${pilot.password}\n`);
    if (line.includes("apt install")) {
      match(said, new RegExp(`^Fluglog: ${origin}/app/ `, "m"));
      match(await machine.do("sudo fluglog status"), new RegExp(`${origin}/app/setup#\\S+`));
    }
  }
  ok(said.includes(`${origin}/app/`), `status shows the address of the network: ${said}`);
  ok(!said.includes("127.0.0.1"), said);
  const [, email = ""] = /--email (\S+)/.exec(lines.join("\n")) ?? [];
  const flight = await fly(origin, { ...pilot, email });
  const seconds = (performance.now() - started) / 1000;
  ok(seconds <= mostSeconds, `${seconds} s are more than ${mostSeconds}`);
  match(await machine.do("sudo fluglog user invite"), new RegExp(`${origin}/app/`));
  done(`README: ${lines.length} lines and a password to the first flight, ${seconds.toFixed(0)} s`);
  return flight;
}

/** Returns the authority that devices trust. */
async function httpsByAddressStays(): Promise<string> {
  const [, block = ""] = /```text\n(sudo fluglog https on\n.*?)```/s.exec(document("packaging/https/README.md")) ?? [];
  let said = "";
  for (const line of block.trimEnd().split("\n")) said += await machine.do(line);
  ok(said.includes(`${origin}/app/zertifikat`), said);
  ok(said.includes("http://raspberrypi.local:8080/app/zertifikat"), said);
  await isUp();
  const certificate = await (await fetch(`${origin}/app/fluglog-ca.crt`)).arrayBuffer();
  const authority = new X509Certificate(Buffer.from(certificate)).toString();
  await isTrusted(authority);
  for (const again of ["restart", "restart", "reload"]) {
    await machine.do(`sudo systemctl ${again} fluglog`);
    await isUp();
    await isTrusted(authority);
  }
  match(await machine.do("sudo fluglog status"), new RegExp(`https://${address}:8080/app/`));
  done("https by address, before and after restarts");
  return authority;
}

async function aLoginByMailIsFromThisNetwork(): Promise<void> {
  const mails = join(machine.root, "var/lib/fluglog/outbox/*");
  const old = globSync(mails);
  const browser = clientWith(origin, "");
  const { number } = JSON.parse(await browser.call("Login", { email: "pilot@example.org" }));
  const mail = await until("the mail is there", () => globSync(mails).find((file) => !old.includes(file)));
  const raw = readFileSync(mail, "utf8")
    .replace(/=\r?\n/g, "")
    .replaceAll("=3D", "=");
  const [, token = ""] = /\/app\/\w+#(\S+)/.exec(raw) ?? [];
  ok(raw.includes(`://${address}:8080/app/`), raw);
  const phone = clientWith(origin, "");
  const asked = JSON.parse(await phone.call("GetLoginRequest", { token }));
  equal(asked.from, "aus diesem Netz");
  await phone.call("ConfirmLogin", { token, number });
  await browser.call("CheckLoginToken", { email: "pilot@example.org" });
  await browser.call("CheckSession");
  done("a login by mail from the same network");
}

async function aRestoreKeepsHttps(flight: Flight, authority: string): Promise<void> {
  const lines = linesUnder("README.md", "## Back up", "sh");
  for (const time of ["first", "second"]) {
    for (const line of lines) await machine.do(line);
    await isUp();
    await seesTheFlight(origin, flight);
    await isTrusted(authority);
    done(`README: backup and restore keep https, the ${time} time`);
  }
  for (const line of linesUnder("README.md", "## Upgrade", "sh")) await machine.do(line);
  await isUp();
  await isTrusted(authority);
  done("README: upgrade");
}

async function whatAMoveTakesAlong(): Promise<{ archive: Buffer; keys: Buffer }> {
  for (const line of movingLines()[0] ?? []) await machine.do(line);
  execFileSync("tar", ["--create", "--file", join(machine.root, "root/keys.tar"), "--directory", varLib(), "tls"]);
  const file = (name: string) => readFileSync(join(machine.root, "root", name));
  await machine.do("systemctl start fluglog");
  await isUp();
  return { archive: file("fluglog.tar"), keys: file("keys.tar") };
}

async function aMoveBringsTheDataAndTheKeys(from: NonNullable<typeof before>): Promise<void> {
  await machine.do("cat > fluglog.tar", from.archive);
  const lines = [...(movingLines()[1] ?? [])];
  const last = lines.pop() ?? "";
  for (const line of lines) await machine.do(line);
  await machine.do(
    "rm -r /var/lib/fluglog/tls && tar --extract --no-same-owner --directory /var/lib/fluglog",
    from.keys,
  );
  const [, owner = ""] =
    /`(sudo chown --recursive fluglog:\s+\S+tls)`/.exec(document("packaging/docs/backup.md")) ?? [];
  ok(owner, "backup.md says whose the keys are");
  await machine.do(owner.replaceAll("\n", " "));
  await machine.do(last);
  await isUp();
  await seesTheFlight(origin, from.flight);
  await isTrusted(from.authority);
  done("backup.md: the move to another machine, with the keys of https");
}

function movingLines(): string[][] {
  const [, section = ""] = document("packaging/docs/backup.md").split("\n### To another machine");
  return [...section.matchAll(/^```bash\n(.*?)^```$/gms)]
    .slice(0, 2)
    .map(([, block = ""]) => block.trimEnd().split("\n"));
}

async function theFourStepsAfterAFailedCard(flight: Flight): Promise<void> {
  const [, section = ""] = document("packaging/docs/trouble.md").split("\n## When a card fails\n");
  const blocks = [...section.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = ""]) => block.trimEnd().split("\n"));
  equal(blocks.length, 3);
  await machine.do("mkdir -p /mnt/disk && mount -t tmpfs stick /mnt/disk");
  for (const line of blocks.flat()) await machine.do(line);
  await isUp();
  await seesTheFlight(origin, flight);
  await machine.do("umount /mnt/disk");
  done("trouble.md: the four steps, on a card that is sound");
}

async function aSecretThatTheServiceCantReadIsFound(): Promise<void> {
  await withSettings(
    '[smtp]\nhost = "127.0.0.1"\nuser = "ada@example.org"\npassword_file = "/etc/fluglog/smtp.secret"\n',
    async () => {
      await machine.do("umask 077 && echo geheim-4711 > /etc/fluglog/smtp.secret");
      const checked = await machine.run("sudo fluglog config check");
      ok(checked.code !== 0, `config check as root: ${checked.stdout}`);
      match(checked.stdout + checked.stderr, /\/etc\/fluglog\/smtp\.secret/);
      const [, rights = ""] =
        /`(sudo chown root:fluglog FILE && sudo chmod 640 FILE)`/.exec(document("packaging/docs/server.md")) ?? [];
      await machine.do(rights.replaceAll("FILE", "/etc/fluglog/smtp.secret"));
      await machine.do("sudo fluglog config check");
      await restart();
    },
  );
  await machine.do("rm /etc/fluglog/smtp.secret");
  await restart();
  done("server.md: a secret that only root could read");
}

/** A target on a disk that the units may not write to. */
async function theNightWithoutRightsIsTold(): Promise<void> {
  await machine.do("mkdir -p /mnt/fritz && mount -t tmpfs -o mode=700,uid=fluglog,gid=fluglog fritz /mnt/fritz");
  await withSettings(targetOf("fritz"), async () => {
    await restart();
    equal((await machine.run("systemctl start fluglog-backup.service")).code === 0, false);
    const complains = async () => {
      const said = (await machine.run("sudo fluglog status")).stdout;
      match(said, /dafür fehlen die Rechte/);
      match(said, /ReadWritePaths=-/);
      match(said, /sudo systemctl edit fluglog-backup/);
    };
    await complains();
    await machine.run("sudo fluglog backup --output /var/backups/fluglog");
    await complains();
    await withRights(["fluglog-backup", "fluglog"], "/mnt/fritz", async () => {
      await machine.do("systemctl start fluglog-backup.service");
      const said = await machine.do("sudo fluglog status");
      ok(!said.includes("dafür fehlen"), said);
    });
  });
  await machine.do("umount /mnt/fritz");
  await restart();
  done("a night without rights is told until it works by night");
}

async function everyKindOfTargetMakesItsLastFolder(flight: Flight): Promise<void> {
  const stores = await startStores(network.here.split("/")[0] ?? "");
  try {
    await aDiskWithLabel("FLUGLOG", "/mnt/disk");
    await machine.do("mkdir -p /mnt/fritz && mount -t tmpfs -o mode=700,uid=fluglog,gid=fluglog fritz /mnt/fritz");
    await machine.do("apt-get install --yes age");
    await machine.do("age-keygen -o fluglog-key.txt");
    const recipient = (await machine.do("age-keygen -y fluglog-key.txt")).trim();
    await machine.do(`printf %s '${stores.password}' > /etc/fluglog/cloud.password`);
    await machine.do(`printf %s '${stores.secret}' > /etc/fluglog/store.secret`);
    await machine.do("printf 'vier rote Propeller' > /etc/fluglog/store.passphrase");
    await machine.do("chown root:fluglog /etc/fluglog/*.* && chmod 640 /etc/fluglog/cloud.* /etc/fluglog/store.*");
    await withSettings(allTargets(stores, recipient), async () => {
      await machine.do("sudo systemctl restart fluglog");
      await withRights(["fluglog-backup", "fluglog"], "/mnt/fritz /mnt/disk", () => theTargetsAreUsed(stores, flight));
    });
    await machine.do("rm /etc/fluglog/cloud.* /etc/fluglog/store.* && umount /mnt/fritz /mnt/disk");
    await restart();
  } finally {
    await stores.stop();
  }
}

async function theTargetsAreUsed(stores: Stores, flight: Flight): Promise<void> {
  await machine.do("systemctl start fluglog-backup.service");
  deepEqual(stores.folders(), ["ada/Fluglog"]);
  await machine.do("test -d /mnt/fritz/fluglog -a -d /mnt/disk/backups");
  done("every kind of target, by night, with its last folder missing");
  const lines = linesUnder("packaging/docs/backup.md", "## Off the machine, by itself", "console");
  for (const line of lines) {
    if (line.includes("restore")) await machine.do("systemctl stop fluglog");
    const said = await machine.do(line.replace("restore", "restore --replace"));
    if (line.includes("backup list"))
      for (const name of ["cloud", "disk", "store", "fritz"]) match(said, new RegExp(name));
  }
  await machine.do("systemctl start fluglog");
  await isUp();
  await seesTheFlight(origin, flight);
  for (const name of ["store", "fritz", "disk"]) await machine.do(`sudo fluglog backup verify --target ${name}`);
  done("backup.md: check, list, verify and restore from the targets");
}

/** The targets of backup.md, with the addresses and the key of this test. */
function allTargets(stores: Stores, recipient: string): string {
  return ["cloud", "disk", "store", "fritz"]
    .map(targetOf)
    .join("\n")
    .replace("https://cloud.example.org/remote.php/dav/files/ada/Fluglog", `${stores.webdav}/ada/Fluglog`)
    .replace("https://s3.example.org", stores.s3)
    .replace(/age1\w+/, recipient);
}

function targetOf(name: string): string {
  const text = linesUnder("packaging/docs/backup.md", "## Off the machine, by itself", "toml").join("\n");
  const [section = ""] = new RegExp(`^\\[backup\\.targets\\.${name}\\]\\n(?:.+\\n?)*`, "m").exec(text) ?? [];
  ok(section, name);
  return section;
}

/** Mounts a small disk with this label, as udev knows it. */
async function aDiskWithLabel(label: string, folder: string): Promise<void> {
  const image = join(machine.root, "disk.img");
  execFileSync("truncate", ["--size=64M", image]);
  execFileSync("/sbin/mkfs.ext4", ["-q", "-L", label, image]);
  const device = execFileSync("losetup", ["--find", "--show", image], { encoding: "utf8" }).trim();
  const number = device.replace("/dev/loop", "");
  await machine.do(`mkdir -p ${folder} /run/udev/data && test -b ${device} || mknod ${device} b 7 ${number}`);
  await machine.do(`mount ${device} ${folder} && chown fluglog: ${folder}`);
  await machine.do(`echo E:ID_FS_LABEL_ENC=${label} > /run/udev/data/b7:${number}`);
  // Ends with the last mount.
  execFileSync("losetup", ["--detach", device]);
}

async function picturesLieOnAnotherDisk(flight: Flight): Promise<void> {
  const lines = linesUnder("packaging/docs/backup.md", "### Pictures and documents to another disk", "bash");
  const last = lines.pop() ?? "";
  await machine.do("mkdir -p /mnt/disk && mount -t tmpfs disk /mnt/disk");
  for (const line of lines) await machine.do(line);
  const units = ["fluglog", "fluglog-backup", "fluglog-verify"];
  await withRights(units, "/mnt/disk/fluglog-blobs", async () => {
    await machine.do(last);
    await isUp();
    await seesTheFlight(origin, flight);
    await machine.do("systemctl start fluglog-backup.service && systemctl start fluglog-verify.service");
    await machine.do(
      "systemctl stop fluglog && rm /var/lib/fluglog/blobs && mv /mnt/disk/fluglog-blobs /var/lib/fluglog/blobs",
    );
  });
  await machine.do("umount /mnt/disk");
  await restart();
  await seesTheFlight(origin, flight);
  done("backup.md: pictures and documents on another disk");
}

async function aRestoreIntoAnotherDataFolder(flight: Flight): Promise<void> {
  const file = join(machine.root, settings);
  const old = readFileSync(file, "utf8");
  await machine.do("sudo fluglog backup --output fluglog-moved.tar && systemctl stop fluglog");
  writeFileSync(file, old.replace('data_dir = "/var/lib/fluglog"', 'data_dir = "/srv/fluglog"'));
  await withRights(["fluglog", "fluglog-backup", "fluglog-verify"], "/srv/fluglog", async () => {
    await machine.do("sudo fluglog restore fluglog-moved.tar && sudo systemctl start fluglog");
    await isUp();
    await seesTheFlight(origin, flight);
    await machine.do("systemctl start fluglog-backup.service && systemctl stop fluglog");
  });
  writeFileSync(file, old);
  await machine.do("rm -r /srv/fluglog");
  await restart();
  await seesTheFlight(origin, flight);
  done("a restore into a data folder that only root could make");
}

async function debiansNginxAndCaddyServeIt(flight: Flight): Promise<void> {
  const file = join(machine.root, settings);
  const old = readFileSync(file, "utf8");
  const lines = document("packaging/https/fluglog.toml");
  writeFileSync(file, `${old.replace(/^listen.*$/m, "")}\n${lines}`);
  await machine.do("systemctl restart fluglog");
  const origin = "https://fluglog.example.org";

  await machine.do("DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends nginx-light");
  const live = "/etc/letsencrypt/live/fluglog.example.org";
  await machine.do(`mkdir -p ${live}`);
  const authority = join(machine.root, live, "fullchain.pem");
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=fluglog.example.org"];
  const names = [
    "-addext",
    "subjectAltName=DNS:fluglog.example.org",
    "-keyout",
    join(machine.root, live, "privkey.pem"),
  ];
  execFileSync("openssl", [...request, ...names, "-out", authority], { stdio: "ignore" });
  copyFileSync(join(repository, "packaging/https/nginx.conf"), join(machine.root, "etc/nginx/sites-available/fluglog"));
  await machine.do("ln -s ../sites-available/fluglog /etc/nginx/sites-enabled/fluglog");
  match(document("packaging/https/README.md"), /sudo nginx -t && sudo systemctl reload nginx/);
  const tested = await machine.run("sudo nginx -t && sudo systemctl reload nginx");
  equal(tested.code, 0, tested.stderr);
  ok(!/warn|deprecated/.test(tested.stderr), tested.stderr);
  await throughProxy("nginx", authority);
  await machine.do("systemctl disable --now nginx");

  await machine.do("DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends caddy");
  const caddyfile = join(machine.root, "etc/caddy/Caddyfile");
  const shipped = readFileSync(caddyfile, "utf8");
  // Caddy's own authority instead of a public one, which this network doesn't reach.
  const own = "{\n\tlocal_certs\n\tskip_install_trust\n}\n";
  writeFileSync(caddyfile, `${own}${shipped}\n${document("packaging/https/Caddyfile")}`);
  await machine.do("sudo systemctl reload caddy");
  const root = "var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt";
  await until("Caddy has its authority", () => globSync(join(machine.root, root)).length > 0);
  await throughProxy("Caddy", join(machine.root, root));
  ok(origin);
  writeFileSync(file, old);
  await machine.do("systemctl disable --now caddy");
  await restart();
  await seesTheFlight(`http://${address}:8080`, flight);
}

/** With proxies.mts in a process of its own, which trusts the proxy's authority. */
async function throughProxy(name: string, authority: string): Promise<void> {
  const user = `sudo fluglog user add --email ${name.toLowerCase()}@example.org --nickname ${pilot.nickname} --password-stdin`;
  await machine.do(user, `${pilot.password}\n`);
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority };
  const said = execFileSync(process.execPath, [join(import.meta.dirname, "proxies.mts"), name], {
    env,
    encoding: "utf8",
  });
  done(`Debian's own installation: ${said.replace(/^ok {2}/, "").trim()}`);
}

/** Adds lines to the settings meanwhile. */
async function withSettings(lines: string, use: () => Promise<void>): Promise<void> {
  const file = join(machine.root, settings);
  const old = readFileSync(file, "utf8");
  writeFileSync(file, `${old}\n${lines}`);
  await use();
  writeFileSync(file, old);
}

/** Gives the units the right to write to folders, in the documents' way. */
async function withRights(units: string[], folders: string, use: () => Promise<void>): Promise<void> {
  const lines = folders.split(" ").map((folder) => `ReadWritePaths=-${folder}\n`);
  const places = units.map((unit) => `/etc/systemd/system/${unit}.service.d`);
  for (const place of places) {
    await machine.do(`mkdir -p ${place} && cat > ${place}/override.conf`, `[Service]\n${lines.join("")}`);
  }
  await machine.do("systemctl daemon-reload");
  if (folders.startsWith("/mnt/fritz")) await restart();
  await use();
  await machine.do(`rm -r ${places.join(" ")} && systemctl daemon-reload`);
}

async function restart(): Promise<void> {
  await machine.do("sudo systemctl restart fluglog");
  await isUp();
}

async function isUp(): Promise<void> {
  await until("the server answers", () =>
    fetch(`${origin}/app/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

/** Fails unless a device that trusts this authority opens https by the address. */
async function isTrusted(authority: string): Promise<void> {
  const socket = connect({ host: address, port: 8080, ca: authority });
  await once(socket, "secureConnect");
  ok(socket.authorized);
  match(socket.getPeerCertificate().subjectaltname ?? "", new RegExp(`IP Address:${address}`));
  socket.destroy();
}

function document(name: string): string {
  return readFileSync(join(repository, name), "utf8");
}

function varLib(): string {
  return join(machine.root, "var/lib/fluglog");
}

function done(what: string): void {
  console.log(`ok  ${what}`);
}
