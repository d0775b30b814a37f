// The package declares the types of all its icons in one file and none for the file of each.
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  import type { TablerIcon } from "@tabler/icons-react";

  const icon: TablerIcon;
  export default icon;
}
