// Whether a flight of the list shows its equipment. Kept while its row is out of sight and not rendered.
import { useState } from "react";

/** Returns the state and a toggle. `opened` has the ids of flights that show it. */
export function useOpened(dpfId: string, opened: Set<string>): { isOpen: boolean; toggle: () => void } {
  const [isOpen, setOpen] = useState(opened.has(dpfId));
  function toggle() {
    if (isOpen) opened.delete(dpfId);
    else opened.add(dpfId);
    setOpen(!isOpen);
  }
  return { isOpen, toggle };
}
