// Whether a flight of the list shows its equipment; kept while its row is out of sight and not rendered.
import { useState } from "react";

/** `opened` has the flights that do. */
export function useOpened(dpfId: string, opened: Set<string>): { isOpen: boolean; toggle: () => void } {
  const [isOpen, setOpen] = useState(opened.has(dpfId));
  function toggle() {
    if (isOpen) opened.delete(dpfId);
    else opened.add(dpfId);
    setOpen(!isOpen);
  }
  return { isOpen, toggle };
}
