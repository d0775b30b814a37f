// The selected moment, shared by the path and the profile. Only components that show it are rendered again.
import { createContext, type ReactNode, use, useMemo, useState } from "react";

type Scrub = {
  /** Row of the course; null until the pilot points at one. */
  row: number | null;
  moveTo: (row: number) => void;
};

const ScrubContext = createContext<Scrub>({ row: null, moveTo: () => {} });

export function ScrubProvider({ children }: { children: ReactNode }) {
  const [row, moveTo] = useState<number | null>(null);
  const scrub = useMemo(() => ({ row, moveTo }), [row]);
  return <ScrubContext value={scrub}>{children}</ScrubContext>;
}

export function useScrub(): Scrub {
  return use(ScrubContext);
}
