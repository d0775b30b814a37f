// The package declares the types of all its icons in one file and none for the file of each.
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  import type { IconNode } from "@tabler/icons-react";
  export const __iconNode: IconNode;
}
