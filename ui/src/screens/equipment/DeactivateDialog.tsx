// Asks for the reason and retires an item. It closes by its buttons only; the reason is kept as a draft, so that the
// end of a session doesn't lose it.
import { useForm } from "react-hook-form";
import { useDeactivateEquipment } from "../../api/equipment";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton, useFormDraft } from "../../components/Form";
import { requiredText, TextField } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { focusesFirstField } from "../../lib/touch";
import { equipment as texts } from "../../texts";

type Opening = { dpfId: string; onClose: () => void };

export function DeactivateDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={texts.deactivateTitle} isOpen={isOpen} onClose={opening.onClose} isBlocking>
      <ReasonForm {...opening} />
    </Dialog>
  );
}

function ReasonForm({ dpfId, onClose }: Opening) {
  const deactivate = useDeactivateEquipment(dpfId);
  const form = useForm({ defaultValues: { info: "" } });
  const draft = useFormDraft(form, "deactivation", dpfId);
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (fields) => {
        await deactivate.mutateAsync({ fields, requestId: draft.requestIdFor(fields) });
        showToast(texts.deactivated);
      }}
      submit={
        <SubmitButton variant="danger" icon="retire">
          {texts.deactivate}
        </SubmitButton>
      }
    >
      <TextField
        control={form.control}
        name="info"
        label={texts.reason}
        autoFocus={focusesFirstField()}
        rules={requiredText(texts.reasonMissing)}
      />
    </DialogForm>
  );
}
