// Says with one tap that a pack was charged or stored.
import { useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { useWrite } from "../../api/useWrite";
import { errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import { packs } from "./packTexts";

export type Quick = ReturnType<typeof useQuick>;

export function useQuick() {
  const charge = useWrite("QuickCharge");
  const store = useWrite("QuickStore");
  const [failure, setFailure] = useState<string | null>(null);
  async function say(deed: typeof charge, said: string, battery: string) {
    setFailure(null);
    try {
      await deed.mutateAsync({ battery });
      showToast(said);
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  return {
    charged: ({ dpfId, name }: Equipment) => say(charge, packs.isCharged(name), dpfId),
    stored: ({ dpfId, name }: Equipment) => say(store, packs.isStored(name), dpfId),
    isBusy: charge.isPending || store.isPending,
    failure,
  };
}
