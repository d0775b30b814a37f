// The reason for retiring an item, kept as a draft so that the end of a session doesn't lose it.
import { useForm } from "react-hook-form";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { useFormDraft } from "../../components/FormDraft";
import { requiredText, TextField } from "../../components/fields";
import { equipment as texts } from "../../components/texts/equipment";
import { showToast } from "../../components/toasts";
import { focusesFirstField } from "../../lib/touch";

export function ReasonForm({ dpfId, onClose }: { dpfId: string; onClose: () => void }) {
  const form = useForm({ defaultValues: { info: "" } });
  const draft = useFormDraft(form, "deactivation", dpfId);
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (fields) => {
        await draft.send("DeactivateEquipment", fields, () => ({ dpfId, ...fields }));
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
