// Sets of packs, derived from the packs. Pure.
import type { Equipment } from "../../api/generated/Equipment";
import { packs as texts } from "./texts";
import type { NamedPacks } from "./useQuickCharge";

export type PackSet = { dpfId: string; name: string; packs: Equipment[] };

const german = new Intl.Collator("de", { numeric: true });

/** The sets of these packs by name, each with its packs among them. */
export function setsOf(packs: readonly Equipment[]): PackSet[] {
  const sets = new Map<string, PackSet>();
  for (const pack of packs) {
    if (pack.set === null) continue;
    const known = sets.get(pack.set.dpfId) ?? { ...pack.set, packs: [] };
    known.packs.push(pack);
    sets.set(pack.set.dpfId, known);
  }
  return [...sets.values()].toSorted((one, other) => german.compare(one.name, other.name));
}

/** All packs of a set, under its name. */
export function allPacksOf({ name, packs }: PackSet): NamedPacks {
  return { name: texts.ofSet(name), ids: packs.map(({ dpfId }) => dpfId) };
}

/** Sets that are chosen in part, each with the packs that aren't chosen. */
export function incompleteSets(sets: readonly PackSet[], chosen: readonly string[]): PackSet[] {
  return sets.flatMap((set) => {
    const rest = set.packs.filter(({ dpfId }) => !chosen.includes(dpfId));
    return rest.length > 0 && rest.length < set.packs.length ? [{ ...set, packs: rest }] : [];
  });
}

/** Describes a set: "2 × 6S", or "2 Akkus" where the cells differ or aren't known. */
export function describeSet({ packs }: PackSet): string {
  const [cells = null, ...others] = new Set(packs.map((pack) => pack.cells));
  return cells === null || others.length > 0
    ? texts.counted(packs.length)
    : texts.ofCells(packs.length, cells);
}
