// The kinds of equipment, in the order of their codes.
import { Kind } from "./generated/Kind";

// A numeric enum maps both ways at runtime: from name to code and back.
export const kinds: readonly Kind[] = Object.values(Kind).filter((kind) => typeof kind === "number");

/** The kind with this code in a URL; null when there is none. */
export function parseKind(text: string | undefined): Kind | null {
  return kinds.find((kind) => String(kind) === text) ?? null;
}
