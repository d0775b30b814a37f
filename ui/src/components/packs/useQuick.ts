// Says with one tap that packs were charged or stored, and takes it back with another.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/client";
import { perform } from "../../api/perform";
import { useKnownUser } from "../../api/session";
import { tap } from "../../api/useWrite";
import { wasKept } from "../../offline/waiting";
import { general } from "../../texts";
import { errorText } from "../states";
import { savedText, showToast } from "../toasts";
import { packs } from "./texts";

export type Quick = ReturnType<typeof useQuick>;

type Deed = "QuickCharge" | "QuickStore";
/** Packs by their ids, under one name: that of a pack, or of a set. */
export type Named = { name: string; ids: string[] };

const said: Record<Deed, (name: string) => string> = {
  QuickCharge: packs.isCharged,
  QuickStore: packs.isStored,
};
const undoMs = 10_000;

export function useQuick() {
  const account = useKnownUser()?.account ?? "";
  const [failure, setFailure] = useState<string | null>(null);
  const press = useMutation({
    mutationFn: async ({ deed, ids }: { deed: Deed; ids: string[] }) => {
      let request = "";
      const answer = await tap(account, deed, { battery: ids.join(";") }, (name, fields, requestId) => {
        request = requestId;
        return perform(name, fields, requestId);
      });
      return { answer, request };
    },
  });

  async function undo(request: string) {
    try {
      await tap(account, "Undo", { undo: request });
      showToast(packs.undone);
    } catch (error) {
      showToast(error instanceof ApiError ? error.text : packs.undoFailed);
    }
  }

  async function say(deed: Deed, { name, ids }: Named) {
    setFailure(null);
    try {
      const { answer, request } = await press.mutateAsync({ deed, ids });
      const text = savedText(answer, said[deed](name));
      const way = { text: packs.undo, onPress: () => void undo(request) };
      // What waits for the network can be taken back where it waits.
      if (wasKept(answer)) showToast(text);
      else showToast(text, undoMs, way);
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  return {
    charged: (packs: Named) => say("QuickCharge", packs),
    stored: (packs: Named) => say("QuickStore", packs),
    isBusy: press.isPending,
    failure,
  };
}

/** A pack alone. */
export function alone({ dpfId, name }: { dpfId: string; name: string }): Named {
  return { name, ids: [dpfId] };
}
