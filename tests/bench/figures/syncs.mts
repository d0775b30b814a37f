// The syncs of the disk that one save takes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addEquipment, createFlight, kind } from "../../browser/support/client.ts";
import { makeDataDir, removeDataDir, startServer } from "../../browser/support/server.ts";
import type { Figure } from "../support/figure.mts";
import { logInPilot, pilot } from "../support/world.mts";

export async function syncsOfOneSave(): Promise<Figure[]> {
  const saves = 20;
  const dataDir = await makeDataDir();
  const traceDir = await makeDataDir();
  const trace = join(traceDir, "syncs");
  // strace writes a call before it resumes the program, so all calls before an answer are in the trace by then.
  const syncs = () => readFileSync(trace, "utf8").match(/(fdatasync|fsync)\(/g)?.length ?? 0;
  try {
    // Daemonized, strace isn't the parent: the signal goes to the program itself.
    const wrap = ["strace", "--daemonize", "--follow-forks", "--trace=fdatasync,fsync", `--output=${trace}`];
    const server = await startServer({ dataDir, wrap });
    await server.addUser(pilot);
    const client = await logInPilot(server);
    const copter = await addEquipment(client, kind.copter, "Nazgul Evoque F5");
    const dpfId = await createFlight(client, { copter });
    const before = syncs();
    for (let save = 0; save < saves; save++) {
      await client.call("SaveFlight", {
        flight: JSON.stringify({ dpfId, notes: `Nummer ${save}` }),
        endFlight: "false",
      });
    }
    const during = syncs() - before;
    await server.stop();
    const note = `${during} for ${saves} saves, ${before} before them`;
    // A trace without any sync measured nothing.
    const value = before > 0 ? during / saves : Number.NaN;
    return [{ name: "a lone SaveFlight", value, limit: 1, unit: "syncs", note }];
  } finally {
    await removeDataDir(dataDir);
    await removeDataDir(traceDir);
  }
}
