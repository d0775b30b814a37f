// The package declares the types of all its icons in one file, and none for each icon's own file.
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  import type { IconNode } from "@tabler/icons-react";
  export const __iconNode: IconNode;
}
