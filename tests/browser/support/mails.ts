// The mails in the program's outbox, where they are written without a mail server. Knows their text, not their purpose.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import type { Server } from "./server.ts";

export interface Mail {
  to: string;
  /** The plain text, decoded. */
  text: string;
}

/** Returns all mails to this address, oldest first. */
export async function mailsTo(app: Server, address: string): Promise<Mail[]> {
  const outbox = join(app.dataDir, "outbox");
  const files = await readdir(outbox).catch(() => []);
  const letters = files.filter((file) => file.endsWith(".eml")).sort();
  const mails = await Promise.all(letters.map(async (file) => parse(await readFile(join(outbox, file), "utf8"))));
  return mails.filter(({ to }) => to === address);
}

/** Returns the text of the newest mail to this address, once there are `count`. */
export async function newestMail(app: Server, address: string, count = 1): Promise<string> {
  await expect.poll(async () => (await mailsTo(app, address)).length, `mails to ${address}`).toBe(count);
  return (await mailsTo(app, address)).at(-1)?.text ?? "";
}

/** Returns the code of a registration: six digits on a line of their own. */
export async function mailedCode(app: Server, address: string): Promise<string> {
  return find(/^\d{6}$/m, await newestMail(app, address));
}

/** Returns the link that confirms a login. */
export async function mailedLink(app: Server, address: string, count = 1): Promise<string> {
  return find(/^https?:\S+\/app\/\w+#\S+$/m, await newestMail(app, address, count));
}

function find(pattern: RegExp, text: string): string {
  const [found] = text.match(pattern) ?? [];
  if (found === undefined) throw new Error(`Nothing like ${pattern} in:\n${text}`);
  return found;
}

function parse(letter: string): Mail {
  const lines = letter.replaceAll("\r\n", "\n");
  const to = find(/^To: .*$/m, lines).replace(/^To: |[<>]/g, "");
  const [, plain = ""] = lines.split(/^Content-Type: text\/plain.*$/m);
  const [head = "", ...body] = plain.split("\n\n");
  const [content = ""] = body.join("\n\n").split(/^--/m);
  return { to, text: head.includes("quoted-printable") ? fromQuotedPrintable(content) : content };
}

function fromQuotedPrintable(content: string): string {
  const bytes = content
    .replaceAll("=\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
