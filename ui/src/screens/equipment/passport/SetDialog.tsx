// Creates or edits a set of packs: its name and its packs. A pack is in at most one set.
import { useForm } from "react-hook-form";
import { useEquipments } from "../../../api/equipment";
import type { Equipment } from "../../../api/generated/Equipment";
import { Kind } from "../../../api/generated/Kind";
import { Dialog } from "../../../components/Dialog";
import { DialogForm } from "../../../components/DialogForm";
import { SubmitButton } from "../../../components/Form";
import { useFormDraft } from "../../../components/FormDraft";
import { Checkbox, FieldLegend, requiredText, TextField } from "../../../components/fields";
import { showToast } from "../../../components/toasts";
import { general } from "../../../texts";
import styles from "./SetDialog.module.css";
import { passport as texts } from "./texts";

type Opening = { battery: Equipment; onClose: () => void };
type Values = { name: string; members: Record<string, boolean> };

export function SetDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  const title = opening.battery.set === null ? texts.set.make : texts.set.edit;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={opening.onClose} isBlocking>
      <SetForm {...opening} />
    </Dialog>
  );
}

function SetForm({ battery, onClose }: Opening) {
  const { set } = battery;
  const packs = useEquipments(Kind.Battery, false).data ?? [];
  // A set is within one range: the pilot's own, or that of a space.
  const possible = packs.filter(
    (pack) =>
      pack.space?.dpfId === battery.space?.dpfId && (pack.set === null || pack.set.dpfId === set?.dpfId),
  );
  const members = possible.map((pack) => [
    pack.dpfId,
    pack.dpfId === battery.dpfId || (set !== null && pack.set?.dpfId === set.dpfId),
  ]);
  const stored: Values = { name: set?.name ?? "", members: Object.fromEntries(members) };
  const form = useForm<Values>({ values: stored, resetOptions: { keepDirtyValues: true } });
  const draft = useFormDraft(form, "set", set?.dpfId ?? battery.dpfId, stored);
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (values) => {
        const chosen = possible.filter(({ dpfId }) => values.members[dpfId]).map(({ dpfId }) => dpfId);
        const fields = { name: values.name.trim(), members: chosen.join(";") };
        await draft.send("SaveBatterySet", values, (dpfId) =>
          set === null ? { dpfId, ...fields } : { set: set.dpfId, ...fields },
        );
        showToast(general.saved);
      }}
      submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
    >
      <TextField
        control={form.control}
        name="name"
        label={texts.set.name}
        rules={requiredText(texts.set.nameMissing)}
      />
      <fieldset className={styles.members}>
        <FieldLegend>{texts.set.members}</FieldLegend>
        {possible.map((pack) => (
          <Checkbox
            key={pack.dpfId}
            control={form.control}
            name={`members.${pack.dpfId}`}
            label={[pack.name, pack.model].filter((text) => text !== "").join(" · ")}
          />
        ))}
      </fieldset>
    </DialogForm>
  );
}
