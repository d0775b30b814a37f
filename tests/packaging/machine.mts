// A Debian machine for a test: systemd, booted in a container, from the folder that debian.sh makes. It shares the
// network of this process, which the Makefile has isolated, or is another device of one. Needs root. Knows nothing of
// Fluglog.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { until } from "./wait.mts";

const repository = join(import.meta.dirname, "../..");

export interface Done {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Machine {
  /** Root folder of the machine, as seen from outside. */
  root: string;
  /** Runs one command line in root's shell, in root's home, without input. */
  run(line: string, input?: string | Buffer): Promise<Done>;
  /** As `run`; returns the output, and fails with it unless the line exits with 0. */
  do(line: string, input?: string | Buffer): Promise<string>;
  /** Switches the machine off and removes it. */
  remove(): Promise<void>;
}

/** A network of two devices, this process and the machine, that leads nowhere else. */
export interface Network {
  /** The address of this process, `192.168.77.1/24`. */
  here: string;
  /** The machine's address there, `192.168.77.20/24`. */
  there: string;
  /** The machine's name. */
  name: string;
}

/** Boots a copy of this release of Debian: "bookworm" or "trixie". */
export async function bootMachine(release: string, network?: Network): Promise<Machine> {
  const root = join(repository, `target/machine/test-${process.pid}`);
  execFileSync("cp", ["--archive", join(repository, "target/machine", release), root]);
  // debootstrap has left the name of the machine that it ran on.
  const name = network?.name ?? "localhost";
  writeFileSync(join(root, "etc/hostname"), `${name}\n`);
  writeFileSync(join(root, "etc/hosts"), `127.0.0.1 localhost\n127.0.1.1 ${name}\n`);
  const options = ["--register=no", "--keep-unit", "--boot", "--quiet", "--console=pipe", `--hostname=${name}`];
  if (network) options.push("--private-network");
  const container = spawn("systemd-nspawn", [`--directory=${root}`, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const messages = Promise.all([text(container.stdout), text(container.stderr)]);
  const init = await until("the machine starts", () => childOf(container));
  if (network) connect(init, network);

  const run = async (line: string, input: string | Buffer = ""): Promise<Done> => {
    const inside = ["--target", init, "--all", "--", "sh", "-c", `cd /root && HOME=/root && ${line}`];
    const child = spawn("nsenter", inside, { stdio: ["pipe", "pipe", "pipe"] });
    // A command without input may have ended before it has read any.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const exit = new Promise<number | null>((resolve) => child.on("exit", resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
    return { code, stdout, stderr };
  };
  await until("the machine is up", async () => (await run("systemctl is-system-running")).code === 0);

  return {
    root,
    run,
    async do(line, input) {
      const done = await run(line, input);
      if (done.code !== 0) throw new Error(`${line}\nended with ${done.code}:\n${done.stdout}${done.stderr}`);
      return done.stdout;
    },
    async remove() {
      await run("systemctl --no-block poweroff");
      await messages;
      rmSync(root, { recursive: true });
    },
  };
}

/** Lays a cable between this process and a container that has no network yet. No route leads further. */
function connect(init: string, { here, there }: Network): void {
  const ip = (...words: string[]) => execFileSync("ip", words);
  const inside = (...words: string[]) => execFileSync("nsenter", ["--target", init, "--net", "--", "ip", ...words]);
  ip("link", "add", "phone", "type", "veth", "peer", "name", "eth0", "netns", init);
  ip("address", "add", here, "dev", "phone");
  ip("link", "set", "phone", "up");
  inside("address", "add", there, "dev", "eth0");
  inside("link", "set", "eth0", "up");
}

/** The container's first process, seen from outside. */
function childOf({ pid }: ChildProcess): string | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children.find((child) => child !== "" && readFileSync(`/proc/${child}/comm`, "utf8") === "systemd\n");
}
