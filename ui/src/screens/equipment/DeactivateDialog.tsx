// Asks for the reason and retires an item. Closes by its buttons only.
import { Dialog } from "../../components/Dialog";
import { deferred } from "../../components/deferred";
import { equipment as texts } from "../../components/texts/equipment";

const ReasonForm = deferred(async () => (await import("./ReasonForm")).ReasonForm);

export function DeactivateDialog({
  dpfId,
  isOpen,
  onClose,
}: {
  dpfId: string;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title={texts.deactivateTitle} isOpen={isOpen} onClose={onClose} isBlocking>
      <ReasonForm dpfId={dpfId} onClose={onClose} />
    </Dialog>
  );
}
