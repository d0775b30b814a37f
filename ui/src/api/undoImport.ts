// Undoes the acceptance of an import.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError } from "./client";
import { refreshFlights, removeCachedFlight } from "./flights";
import type { Accepted } from "./generated/Accepted";
import { press } from "./perform";

type Created = Pick<Accepted, "created">;

/** Deletes the flights that an acceptance created. A retry continues where it stopped. */
export function useUndoImport() {
  const gone = useRef(new Set<string>());
  return useMutation({ mutationFn: (accepted: Created) => undoImport(accepted, gone.current) });
}

/** Like {@link useUndoImport}, where nothing shows its progress. `gone`: flights that are deleted already. */
export async function undoImport({ created }: Created, gone = new Set<string>()): Promise<void> {
  try {
    for (const dpfId of created.filter((one) => !gone.has(one))) {
      // Instead of the call's rule: the lists are refetched once, at the end.
      await press("DeleteFlight", { dpfId }, { settle: () => removeCachedFlight(dpfId) }).catch(unlessGone);
      gone.add(dpfId);
    }
  } finally {
    refreshFlights([]);
  }
}

/** A flight that the pilot deleted meanwhile needs no undoing. */
function unlessGone(failure: unknown): void {
  if (!(failure instanceof ApiError && failure.status === 403)) throw failure;
}
