// Opens files that are dropped or chosen on a screen of flights on the import page.
import { type RefCallback, type RefObject, useCallback, useRef } from "react";
import { useNavigate } from "react-router";
import { FileDrop } from "../../../components/FileDrop";
import { flights } from "../../../components/texts/flights";
import { setDroppedFiles } from "../../../lib/sharedFiles";
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
  return <FileDrop label={flights.dropHere} onDrop={useHandOver()} />;
}

/** Opens the browser's file picker. Cancelling it leads to the page that lists the readable formats. */
export function usePickToImport(): { pick: () => void; picker: RefCallback<HTMLInputElement> } {
  const handOver = useHandOver();
  const input: RefObject<HTMLInputElement | null> = useRef(null);
  const picker = useCallback(
    (element: HTMLInputElement) => {
      const leave = () => handOver([...(element.files ?? [])]);
      input.current = element;
      element.addEventListener("change", leave);
      // React has no `onCancel` for this element.
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
