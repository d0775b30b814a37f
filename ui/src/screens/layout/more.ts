// Data of "Mehr": the kinds without an entry of their own in the navigation, and the looks of this device.
import { Kind } from "../../api/generated/Kind";
import { kinds } from "../../api/kinds";
import { chooseTheme, type Theme, themes, useTheme } from "../../lib/theme";
import { layout } from "../../texts";

export const otherKinds = kinds.filter((kind) => kind !== Kind.Battery);

/** Returns the looks of this device for a menu. */
export function useThemeChoice() {
  return {
    label: layout.look,
    value: useTheme(),
    choices: themes.map((look) => ({ value: look, text: layout.looks[look] })),
    onChoice: (look: string) => chooseTheme(look as Theme),
  };
}
