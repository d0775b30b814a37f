// Maintenance hints of all packs.
import { useAnswer } from "./answers";
import type { PackHint } from "./generated/PackHint";

/** Hints, the most urgent first. */
export function useBatteryHints(isWanted = true) {
  return useAnswer("GetBatteryHints", {}, { enabled: isWanted });
}

/** The most urgent hint of each pack, in order. */
export function mostUrgentOf(hints: readonly PackHint[]): PackHint[] {
  const seen = new Set<string>();
  return hints.filter(({ dpfId }) => !seen.has(dpfId) && seen.add(dpfId));
}

/** The most urgent hint of each pack that waits for an action. Amber ones about ageing can only be dismissed. */
export function actionableOf(hints: readonly PackHint[]): PackHint[] {
  return mostUrgentOf(hints.filter(({ canDismiss }) => !canDismiss));
}

/** The first sentence of a hint, which names the problem; the others say what to do. */
export function firstSentenceOf({ text }: { text: string }): string {
  return text.split(/(?<=\.) (?=\p{Lu})/u)[0] ?? text;
}
