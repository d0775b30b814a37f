// Undoes the acceptance of an import.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { refreshFlights, removeCachedFlight } from "./flights";
import type { Accepted } from "./generated/Accepted";
import { press } from "./perform";

/** Deletes the flights that an acceptance created. A retry continues where it stopped. */
export function useUndoImport() {
  const gone = useRef(new Set<string>());
  return useMutation({
    mutationFn: async ({ created }: Accepted) => {
      for (const dpfId of created.filter((one) => !gone.current.has(one))) {
        // Instead of the call's rule: the lists are refetched once, at the end.
        await press("DeleteFlight", { dpfId }, { settle: () => removeCachedFlight(dpfId) });
        gone.current.add(dpfId);
      }
    },
    onSettled: () => refreshFlights([]),
  });
}
