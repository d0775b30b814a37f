// Damages what the server has stored, as a failing memory card does. Knows the database's file, nothing of its format.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Server } from "./server.ts";

/** Garbles this text wherever it stands in the database; `restore` puts back what was there. The server pauses for both. */
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
