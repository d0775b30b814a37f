// The filter "Meine / Alle / {space}" above a list of equipment, which this browser remembers. Without a space there is
// no filter, and all items are shown.
import { type ReactNode, useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { spaceFilterKey } from "../../api/session";
import { useOwnSpaces } from "../../api/spaces";
import { RadioGroup } from "../RadioGroup";
import { spaces as texts } from "./texts";

const own = "own";
const all = "all";

export type SpaceFilter = {
  /** The choice itself; null without a space. */
  choice: ReactNode;
  /** The items that are chosen. */
  chosen: (items: Equipment[]) => Equipment[];
  /** The chosen space; null for the pilot's own or all. */
  space: { dpfId: string; name: string } | null;
  isAll: boolean;
  showAll: () => void;
};

export function useSpaceFilter(): SpaceFilter {
  const spaces = useOwnSpaces();
  const [stored, setStored] = useState(() => localStorage.getItem(spaceFilterKey) ?? all);
  const space = spaces.find(({ dpfId }) => dpfId === stored) ?? null;
  const filter = spaces.length > 0 && (stored === own || space !== null) ? stored : all;
  function choose(next: string) {
    localStorage.setItem(spaceFilterKey, next);
    setStored(next);
  }
  return {
    choice: spaces.length > 0 && (
      <RadioGroup
        as="segments"
        aria-label={texts.filter}
        value={filter}
        choices={[
          { value: own, text: texts.own },
          { value: all, text: texts.all },
          ...spaces.map(({ dpfId, name }) => ({ value: dpfId, text: name, icon: "users" as const })),
        ]}
        onChange={choose}
      />
    ),
    chosen: (items) => (filter === all ? items : items.filter((item) => isOf(item, filter))),
    space,
    isAll: filter === all,
    showAll: () => choose(all),
  };
}

function isOf({ space }: Equipment, filter: string): boolean {
  return filter === own ? space === undefined : space?.dpfId === filter;
}
