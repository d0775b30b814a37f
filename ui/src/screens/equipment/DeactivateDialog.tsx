// Asks for the reason and retires an item. It closes by its buttons only; the reason is kept as a draft, so that a
// session that ends meanwhile doesn't lose it.
import { useForm } from "react-hook-form";
import { useDeactivateEquipment } from "../../api/equipment";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { DraftNote, Form, SubmitButton, useFormDraft } from "../../components/Form";
import { TextField } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { isTouchScreen } from "../../lib/touch";
import { general, equipment as texts } from "../../texts";

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

  function cancel() {
    draft.clear();
    onClose();
  }
  return (
    <Form
      form={form}
      onSubmit={async ({ info }) => {
        await deactivate.mutateAsync(info);
        draft.clear();
        showToast(texts.deactivated);
        onClose();
      }}
    >
      <DialogBody>
        <div className="form">
          <DraftNote draft={draft} />
          <TextField
            control={form.control}
            name="info"
            label={texts.reason}
            // A dialog stays hidden until the keyboard on the screen is there, and on some phones none comes by itself.
            autoFocus={!isTouchScreen()}
            rules={{
              required: texts.reasonMissing,
              validate: (value: unknown) => String(value).trim() !== "" || texts.reasonMissing,
            }}
          />
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={cancel}>{general.cancel}</Button>
        <SubmitButton variant="danger" icon="retire">
          {texts.deactivate}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
