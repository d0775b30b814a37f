// Data of "Mehr": the kinds without an entry of their own in the navigation, and the looks of this device.
import { Kind } from "../../api/generated/Kind";
import { kinds } from "../../api/kinds";
import { chooseLook, type Look, looks, useLook } from "../../lib/look";
import { layout } from "../../texts";

export const otherKinds = kinds.filter((kind) => kind !== Kind.Battery);

/** Returns the looks of this device for a menu. */
export function useLookChoice() {
  return {
    label: layout.look,
    value: useLook(),
    choices: looks.map((look) => ({ value: look, text: layout.looks[look] })),
    onChoice: (look: string) => chooseLook(look as Look),
  };
}
