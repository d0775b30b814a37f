// Undoes the acceptance of an import.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { write } from "./client";
import { refreshFlights, removeCachedFlight } from "./flights";
import type { Accepted } from "./generated/Accepted";
import { useCachedUser } from "./session";
import { tap } from "./useWrite";

/** Deletes the flights that an acceptance created. A retry continues where it stopped. */
export function useUndoImport() {
  const account = useCachedUser()?.account ?? "";
  const gone = useRef(new Set<string>());
  return useMutation({
    mutationFn: async ({ created }: Accepted) => {
      for (const dpfId of created.filter((one) => !gone.current.has(one))) {
        // Bypasses the rule: the lists are refetched once, at the end.
        await tap(account, "DeleteFlight", { dpfId }, write);
        gone.current.add(dpfId);
        removeCachedFlight(dpfId);
      }
    },
    onSettled: () => refreshFlights([]),
  });
}
