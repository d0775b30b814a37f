// Files that are dropped or chosen on a screen of flights are looked through on the page for it.
import { type RefCallback, type RefObject, useCallback, useRef } from "react";
import { useNavigate } from "react-router";
import { FileDrop } from "../../../components/FileDrop";
import { setDroppedFiles } from "../../../lib/sharedFiles";
import { imports } from "../../../texts";
import { urls } from "../../../urls";

function useHandOver(): (files: File[]) => void {
  const navigate = useNavigate();
  return useCallback(
    (files) => {
      setDroppedFiles(files);
      navigate(urls.importFlights);
    },
    [navigate],
  );
}

export function DropToImport() {
  return <FileDrop label={imports.dropHere} onDrop={useHandOver()} />;
}

/** Opens the browser's window for files. Closed without one, it leads to the page that tells which can be read. */
export function usePickToImport(): { pick: () => void; picker: RefCallback<HTMLInputElement> } {
  const handOver = useHandOver();
  const input: RefObject<HTMLInputElement | null> = useRef(null);
  const picker = useCallback(
    (element: HTMLInputElement) => {
      const leave = () => handOver([...(element.files ?? [])]);
      input.current = element;
      element.addEventListener("change", leave);
      // React doesn't know it of this element.
      element.addEventListener("cancel", leave);
      return () => {
        element.removeEventListener("change", leave);
        element.removeEventListener("cancel", leave);
      };
    },
    [handOver],
  );
  return { pick: () => input.current?.click(), picker };
}
