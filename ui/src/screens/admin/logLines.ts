// Lines of the log, for display and search.
import type { AdminLogLine } from "../../api/generated/AdminLogLine";
import { log as texts } from "./texts";

export function textOf({ kind, text, by, account }: AdminLogLine): string {
  if (kind === "error") return text;
  const what = texts.whats[text] ?? text;
  return `${by === "" ? texts.unknown : by}: ${what}${account === "" ? "" : ` (${account})`}`;
}

/** Returns the texts that the search matches: everything that is shown of the line. */
export function wordsOf(line: AdminLogLine): string[] {
  return [textOf(line), texts.kinds[line.kind], line.time, line.client];
}
