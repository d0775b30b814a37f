// Creates the copter that a file names, prefilled from the file.
import { useForm } from "react-hook-form";
import { Kind } from "../../../api/generated/Kind";
import type { Proposal } from "../../../api/generated/Proposal";
import { Dialog } from "../../../components/Dialog";
import { DialogForm } from "../../../components/DialogForm";
import { SubmitButton } from "../../../components/Form";
import { useFormDraft } from "../../../components/FormDraft";
import { requiredText, TextField } from "../../../components/fields";
import { equipment } from "../../../components/texts/equipment";
import { general } from "../../../texts";
import { imports as texts } from "./texts";

export function NewCopterDialog({
  proposal: { copterName, copterModel, key },
  onCreated,
  onClose,
}: {
  proposal: Proposal;
  onCreated: (dpfId: string) => void;
  onClose: () => void;
}) {
  const form = useForm({ defaultValues: { name: copterName || copterModel, model: copterModel } });
  const draft = useFormDraft(form, "importedCopter", key);
  return (
    <Dialog title={texts.newCopter} isOpen onClose={onClose} isBlocking={form.formState.isDirty}>
      <DialogForm
        form={form}
        draft={draft}
        onSave={async (values) => {
          const equipment = { type: Kind.Copter, ...values };
          const created = await draft.send("SaveNewEquipment", values, (dpfId) => ({ dpfId, equipment }));
          onCreated(created.dpfId);
        }}
        onClose={onClose}
        submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
      >
        <TextField
          control={form.control}
          name="name"
          label={equipment.fields.name}
          rules={requiredText(equipment.nameMissing)}
        />
        <TextField
          control={form.control}
          name="model"
          label={equipment.fields.model}
          hint={texts.newCopterHint}
        />
      </DialogForm>
    </Dialog>
  );
}
