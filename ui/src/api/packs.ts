// The calls about all packs together: what they wait for.
import { useAnswer } from "./answers";
import type { PackHint } from "./generated/PackHint";

/** The gravest first. */
export function useBatteryHints(isWanted = true) {
  return useAnswer("GetBatteryHints", {}, { enabled: isWanted });
}

/** The gravest hint of each pack, in their order. */
export function mostUrgentOf(hints: readonly PackHint[]): PackHint[] {
  const seen = new Set<string>();
  return hints.filter(({ dpfId }) => !seen.has(dpfId) && seen.add(dpfId));
}

/** Its first sentence: what is the matter. The others say what to do. */
export function firstSentenceOf({ text }: PackHint): string {
  return text.split(/(?<=\.) (?=\p{Lu})/u)[0] ?? text;
}
