// The editor of an existing item: its form, and the menu that retires or reactivates the item. Retiring and
// reactivating keep the form's typed values.
import { useEffect, useRef } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { Equipment } from "../../api/generated/Equipment";
import { Form, SubmitButton, settleForm } from "../../components/Form";
import { DraftNote, LeaveGuard, useFormDraft } from "../../components/FormDraft";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { equipment as texts } from "../../components/texts/equipment";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import { urls } from "../../urls";
import { EquipmentFields } from "./EquipmentFields";
import { type EquipmentValues, fieldsToSave, numberFields, valuesOf } from "./kinds";
import { useRetirement } from "./useRetirement";

export function EditEquipment({ item }: { item: Equipment }) {
  const goBack = useGoBack(urls.equipments(item.type));
  const form = useForm({ defaultValues: valuesOf(item) });
  useStoredValues(form, item);
  const draft = useFormDraft(form, "equipment", item.dpfId, valuesOf(item), numberFields);
  const retirement = useRetirement(item);

  return (
    <Page title={texts.editTitle(texts.kind[item.type])} onBack={goBack} isNarrow actions={retirement.menu}>
      {retirement.notes}
      <DraftNote draft={draft} />
      <LeaveGuard draft={draft} />
      <Form
        form={form}
        onSubmit={async (values) => {
          const changed = fieldsToSave(item.type, values, valuesOf(item));
          const equipment = { ...changed, dpfId: item.dpfId };
          const stored = await draft.send("SaveEditEquipment", values, () => ({ equipment }));
          draft.clear();
          settleForm(form, values, valuesOf(stored));
          showToast(general.saved);
        }}
      >
        <div className="card stack">
          <EquipmentFields form={form} type={item.type} guessed={item.cellsGuessed ? item.cells : null} />
        </div>
        <ActionBar>
          <SubmitButton icon="save">{general.save}</SubmitButton>
        </ActionBar>
      </Form>
      {retirement.dialogs}
    </Page>
  );
}

/** Takes over what another tab or device has saved, except in fields with typed values. */
function useStoredValues(form: UseFormReturn<EquipmentValues>, item: Equipment): void {
  const stored = useRef(valuesOf(item));
  useEffect(() => {
    const before = stored.current;
    stored.current = valuesOf(item);
    settleForm(form, before, stored.current);
  }, [form, item]);
}
