// Damages stored data, like a failing memory card. Knows the database's file, not its format.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Server } from "./server.ts";

/** Overwrites every occurrence of this text in the database; `restore` reverts it. The server is stopped meanwhile. */
export async function damageDatabase(app: Server, text: string): Promise<{ restore(): Promise<void> }> {
  const path = join(app.dataDir, "fluglog.redb");
  await app.stop();
  const sound = await readFile(path);
  const damaged = Buffer.from(sound);
  let position = damaged.indexOf(text);
  if (position < 0) throw new Error(`The database doesn't hold ${text}.`);
  for (; position >= 0; position = damaged.indexOf(text, position)) damaged.write("?".repeat(text.length), position);
  await writeFile(path, damaged);
  await app.startAgain();
  return {
    async restore() {
      await app.stop();
      await writeFile(path, sound);
      await app.startAgain();
    },
  };
}
