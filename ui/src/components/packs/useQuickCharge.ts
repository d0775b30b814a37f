// Records with one tap that packs were charged or stored, and undoes it with another.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/client";
import { perform, press, requestIdOf } from "../../api/perform";
import { wasQueued } from "../../offline/queueState";
import { general } from "../../texts";
import { errorText } from "../states";
import { savedText, showToast } from "../toasts";
import { packs } from "./texts";

export type QuickCharge = ReturnType<typeof useQuickCharge>;

type QuickAction = "QuickCharge" | "QuickStore";
/** Ids of packs under one name: that of a pack, of a set, or their number. */
export type NamedPacks = { name: string; ids: string[]; areMany?: boolean };

const confirmations: Record<QuickAction, (name: string, areMany: boolean) => string> = {
  QuickCharge: packs.isCharged,
  QuickStore: packs.isStored,
};
const undoMs = 10_000;

export function useQuickCharge() {
  const [failure, setFailure] = useState<string | null>(null);
  const charge = useMutation({
    mutationFn: async ({ action, ids }: { action: QuickAction; ids: string[] }) => {
      const fields = { battery: ids.join(";") };
      const request = await requestIdOf(action, fields);
      return { answer: await perform(action, fields, request), request };
    },
  });

  async function undo(request: string) {
    try {
      const answer = await press("Undo", { undo: request });
      showToast(savedText(answer, packs.undone));
    } catch (error) {
      showToast(error instanceof ApiError ? error.text : packs.undoFailed);
    }
  }

  async function record(action: QuickAction, { name, ids, areMany = false }: NamedPacks) {
    setFailure(null);
    try {
      const { answer, request } = await charge.mutateAsync({ action, ids });
      const text = savedText(answer, confirmations[action](name, areMany));
      const way = { text: packs.undo, onPress: () => void undo(request) };
      // A queued write can be undone on the screen of the queue.
      if (wasQueued(answer)) showToast(text);
      else showToast(text, undoMs, way);
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  return {
    charged: (packs: NamedPacks) => record("QuickCharge", packs),
    stored: (packs: NamedPacks) => record("QuickStore", packs),
    isBusy: charge.isPending,
    failure,
  };
}

export function singlePack({ dpfId, name }: { dpfId: string; name: string }): NamedPacks {
  return { name, ids: [dpfId] };
}
