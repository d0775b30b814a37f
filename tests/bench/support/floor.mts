// Programs that do the same work with the least code: `floor/`. Built once; knows no figure.

import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const repository = join(import.meta.dirname, "../../..");

/** The path of the program, which cargo builds as it builds a release. */
function build(): string {
  const args = ["bench", "--quiet", "--no-run", "--bench", "floor", "--message-format=json"];
  const { status, stdout, stderr } = spawnSync("cargo", args, { cwd: repository, encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`The floors can't be built: ${stderr}`);
  const built = stdout.split("\n").filter((line) => line.includes('"executable":"'));
  const executable = built.map((line) => JSON.parse(line)).find(({ target }) => target.name === "floor")?.executable;
  if (!executable) throw new Error("cargo built no floor");
  return executable;
}

let built: string | undefined;

function program(): string {
  built ??= build();
  return built;
}

/** Runs one floor to its end. The last word of its output is its figure. */
export function floor(args: string[]): number {
  const { status, stdout, stderr } = spawnSync(program(), args, { encoding: "utf8" });
  const value = Number(stdout.trim().split(/\s+/).at(-1));
  if (status !== 0 || !(value > 0))
    throw new Error(`The floor of ${args[0]} could not be measured: ${stderr || stdout}`);
  return value;
}

export interface FloorServer {
  port: number;
  pid: number;
}

/** A bare server with the flights of a data directory, while no other has them open. */
export async function withFloorServer<T>(dataDir: string, work: (server: FloorServer) => Promise<T>): Promise<T> {
  const child = spawn(program(), ["serve", dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  try {
    const port = await new Promise<number>((resolve, reject) => {
      createInterface(child.stdout).once("line", (line) => resolve(Number(line)));
      child.on("exit", () => reject(new Error("The floor's server ended")));
    });
    return await work({ port, pid: child.pid ?? 0 });
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}
