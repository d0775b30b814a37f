// Whether the window has room for the table of flights: from 56rem on.
import { useSyncExternalStore } from "react";

const wide = window.matchMedia("(width >= 56rem)");

function subscribe(onChange: () => void): () => void {
  wide.addEventListener("change", onChange);
  return () => wide.removeEventListener("change", onChange);
}

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
