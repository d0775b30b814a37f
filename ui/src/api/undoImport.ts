// Takes the acceptance of an import back.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { write } from "./client";
import { forgetFlight, refreshFlights } from "./flights";
import type { Accepted } from "./generated/Accepted";
import { useKnownUser } from "./session";
import { tap } from "./useWrite";

/** Deletes the flights that an acceptance created. Tried again, it goes on where it stopped. */
export function useUndoImport() {
  const account = useKnownUser()?.account ?? "";
  const gone = useRef(new Set<string>());
  return useMutation({
    mutationFn: async ({ created }: Accepted) => {
      for (const dpfId of created.filter((one) => !gone.current.has(one))) {
        // The lists are asked for once, when all are gone.
        await tap(account, "DeleteFlight", { dpfId }, write);
        gone.current.add(dpfId);
        forgetFlight(dpfId);
      }
    },
    onSettled: () => refreshFlights([]),
  });
}
