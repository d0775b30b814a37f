// A line of the log as it is read and searched.
import type { AdminLogLine } from "../../api/generated/AdminLogLine";
import { log as texts } from "./texts";

export function textOf({ kind, text, by, account }: AdminLogLine): string {
  if (kind === "error") return text;
  const what = texts.whats[text] ?? text;
  return `${by === "" ? texts.unknown : by}: ${what}${account === "" ? "" : ` (${account})`}`;
}

/** The text that the search looks at: everything that is shown of the line. */
export function wordsOf(line: AdminLogLine): string[] {
  return [textOf(line), texts.kinds[line.kind], line.time, line.client];
}
