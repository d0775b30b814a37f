// The menu, notes and dialogs for retiring and reactivating an item, for its page and its editor.
import { useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { mayKeep } from "../../api/spaces";
import { useWrite } from "../../api/useWrite";
import { ConfirmDialog } from "../../components/Dialog";
import { Menu } from "../../components/Menu";
import type { MenuEntry } from "../../components/MenuPopover";
import { ErrorNote, errorText, InfoNote } from "../../components/states";
import { equipment as texts } from "../../components/texts/equipment";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import { DeactivateDialog } from "./DeactivateDialog";

/** `others`: the entries of the menu before retiring. Without any entry there is no menu. */
export function useRetirement(item: Equipment, others: MenuEntry[] = []) {
  const activate = useWrite("ActivateEquipment");
  const [dialog, setDialog] = useState<"deactivate" | "activate" | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isRetired = item.deactivateTime !== "";
  const close = () => setDialog(null);

  function open(next: "deactivate" | "activate") {
    setFailure(null);
    setDialog(next);
  }
  async function takeBack() {
    try {
      await activate.mutateAsync({ dpfId: item.dpfId });
      showToast(texts.activated);
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  const retire: MenuEntry = isRetired
    ? { id: "activate", text: texts.activate, icon: "activate", onAction: () => open("activate") }
    : {
        id: "deactivate",
        text: texts.deactivate,
        icon: "retire",
        isDangerous: true,
        onAction: () => open("deactivate"),
      };
  const entries = mayKeep(item) ? [...others, retire] : others;
  return {
    menu: entries.length > 0 && <Menu entries={entries} />,
    notes: (
      <>
        {failure !== null && <ErrorNote>{failure}</ErrorNote>}
        {isRetired && (
          <InfoNote icon="retire">
            <strong>{texts.retiredAt(item.deactivateTime)}</strong>
            <br />
            {item.deactivateText}
          </InfoNote>
        )}
      </>
    ),
    dialogs: (
      <>
        <DeactivateDialog dpfId={item.dpfId} isOpen={dialog === "deactivate"} onClose={close} />
        <ConfirmDialog
          question={texts.activateQuestion}
          isOpen={dialog === "activate"}
          onClose={close}
          onYes={takeBack}
        />
      </>
    ),
  };
}
