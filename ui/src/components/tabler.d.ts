// The package declares no types for the files of single icons.
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  import type { IconNode } from "@tabler/icons-react";
  export const __iconNode: IconNode;
}
