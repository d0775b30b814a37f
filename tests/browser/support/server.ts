// Starts the real program on a new data directory, for tests, screenshots and measurements. Knows the command line, but
// no calls, browsers or test runners.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

const repository = join(import.meta.dirname, "../../..");

/** The program under test: the debug build, unless `FLUGLOG_BIN` names another one. */
export const binary = process.env["FLUGLOG_BIN"] ?? join(repository, "target/debug/fluglog");

/** A program with its arguments that runs it: qemu for another processor's build, chroot for a container's. */
const runner = process.env["FLUGLOG_RUNNER"]?.split(" ") ?? [];

const startLimitMs = 20_000;
// The program gives running requests 10 s before it ends.
const stopLimitMs = 15_000;

export interface User {
  email: string;
  nickname: string;
  password: string;
}

export interface Server {
  /** Base of every page, with the slash at its end: `http://127.0.0.1:43211/app/`. */
  url: string;
  origin: string;
  port: string;
  dataDir: string;
  /** The started process: the program, or its `wrap`. */
  pid: number;
  /** Milliseconds from the start of the process to the line that says it accepts connections. */
  startMs: number;
  /** Returns the program's log so far. */
  log(): string;
  /** Returns the program's standard output so far. */
  output(): string;
  addUser(user: User): Promise<void>;
  /** Stops the program like systemd would, and fails unless its exit code is 0. Does nothing if it has ended. */
  stop(): Promise<void>;
  /** After `stop`: starts the program again, on the same port and data. */
  startAgain(): Promise<void>;
}

export interface StartOptions {
  dataDir: string;
  /** A program with its arguments that runs the server, such as strace. */
  wrap?: string[];
  /** Settings of the program, as environment variables: `FLUGLOG_REGISTRATION`. */
  settings?: Settings;
}

export type Settings = Record<`FLUGLOG_${string}`, string>;

/** Creates an empty folder for one server; the caller removes it with `removeDataDir`. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), "fluglog-test-"));
}

export function removeDataDir(dataDir: string): Promise<void> {
  return rm(dataDir, { recursive: true, force: true });
}

/** Runs one command of the program to its end; throws with its output when it fails. Returns its standard output. */
export async function fluglog(args: string[], input = ""): Promise<string> {
  const [program = binary, ...rest] = [...runner, binary, ...args];
  const child = spawn(program, rest, { env: cleanEnvironment() });
  // A command without input may have ended before it has read any.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  if (code !== 0) throw new Error(`fluglog ${args.join(" ")} ended with ${code}: ${errors || output}`);
  return output;
}

export async function startServer({ dataDir, wrap = [], settings = {} }: StartOptions): Promise<Server> {
  const started = performance.now();
  const first = await launch(dataDir, "127.0.0.1:0", wrap, settings);
  const startMs = performance.now() - started;
  const { origin, port, host } = new URL(first.url);
  const launched = [first];
  let running: Program | undefined = first;

  return {
    url: first.url.endsWith("/") ? first.url : `${first.url}/`,
    origin,
    port,
    dataDir,
    pid: first.child.pid ?? 0,
    startMs,
    log: () => launched.map((program) => program.log()).join(""),
    output: () => launched.map((program) => program.output()).join(""),
    async addUser({ email, nickname, password }) {
      const args = ["user", "add", "--data-dir", dataDir, "--email", email, "--nickname", nickname, "--password-stdin"];
      await fluglog(args, `${password}\n`);
    },
    async stop() {
      if (running === undefined) return;
      const { child, exit, log } = running;
      running = undefined;
      const limit = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
      child.kill("SIGTERM");
      const code = await exit;
      clearTimeout(limit);
      if (code !== 0) throw new Error(`The server ended with ${code} instead of 0:\n${log()}`);
    },
    async startAgain() {
      if (running !== undefined) throw new Error("The server is still running.");
      running = await launch(dataDir, host, wrap, settings);
      launched.push(running);
    },
  };
}

/** One run of the program that accepts connections. */
interface Program {
  child: ChildProcess;
  /** As the program printed it. */
  url: string;
  log(): string;
  output(): string;
  exit: Promise<number | string>;
}

async function launch(dataDir: string, listen: string, wrap: string[], settings: Settings): Promise<Program> {
  const [program = binary, ...args] = [...wrap, ...runner, binary, "serve", "--data-dir", dataDir, "--listen", listen];
  const env = { ...cleanEnvironment(), ...settings };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    log += part;
  });
  const exit = exitOf(child);

  const address = new Promise<string>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`No address after ${startLimitMs} ms:\n${log}`)), startLimitMs);
    exit.then(
      (code) => reject(new Error(`The server ended with ${code} before it listened:\n${log}`)),
      (cause) => reject(cause),
    );
    createInterface(child.stdout).on("line", (line) => {
      output += `${line}\n`;
      const lastWord = line.trim().split(/\s+/).at(-1) ?? "";
      if (!lastWord.startsWith("http")) return;
      clearTimeout(limit);
      resolve(lastWord);
    });
  });
  const url = await address.catch((cause) => {
    child.kill("SIGKILL");
    throw cause;
  });
  return { child, url, log: () => log, output: () => output, exit };
}

/** Returns the environment without settings for the program, so that a developer's own don't affect the tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FLUGLOG_")));
}

/** Returns the exit code, or the signal's name. */
function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}
