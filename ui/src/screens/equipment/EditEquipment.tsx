// The editor of an existing item: its form, and the menu that retires or reactivates it. Both keep the typed values of
// the form.
import { useEffect, useRef, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { useActivateEquipment, useSaveEditEquipment } from "../../api/equipment";
import type { Equipment } from "../../api/generated/Equipment";
import { ConfirmDialog } from "../../components/Dialog";
import { DraftNote, Form, LeaveGuard, SubmitButton, settleForm, useFormDraft } from "../../components/Form";
import { Menu } from "../../components/Menu";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { ErrorNote, errorText, InfoNote } from "../../components/states";
import { showToast } from "../../components/toasts";
import { general, equipment as texts } from "../../texts";
import { urls } from "../../urls";
import { DeactivateDialog } from "./DeactivateDialog";
import { EquipmentFields } from "./EquipmentFields";
import { type EquipmentValues, fieldsToSave, numberFields, valuesOf } from "./kinds";

export function EditEquipment({ item }: { item: Equipment }) {
  const goBack = useGoBack(urls.equipments(item.type));
  const save = useSaveEditEquipment(item.dpfId);
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
          const stored = await save.mutateAsync({
            fields: fieldsToSave(item.type, values, valuesOf(item)),
            requestId: draft.requestIdFor(values),
          });
          draft.clear();
          settleForm(form, values, valuesOf(stored));
          showToast(general.saved);
        }}
      >
        <div className="card stack">
          <EquipmentFields form={form} type={item.type} />
        </div>
        <ActionBar>
          <SubmitButton icon="save">{general.save}</SubmitButton>
        </ActionBar>
      </Form>
      {retirement.dialogs}
    </Page>
  );
}

/** Takes over what another tab or device has saved meanwhile, except in fields with typed values. */
function useStoredValues(form: UseFormReturn<EquipmentValues>, item: Equipment): void {
  const stored = useRef(valuesOf(item));
  useEffect(() => {
    const before = stored.current;
    stored.current = valuesOf(item);
    settleForm(form, before, stored.current);
  }, [form, item]);
}

/** The menu, the notes and the dialogs of retiring and reactivating. */
function useRetirement(item: Equipment) {
  const activate = useActivateEquipment();
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
      await activate.mutateAsync(item.dpfId);
      showToast(texts.activated);
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  return {
    menu: (
      <Menu
        entries={
          isRetired
            ? [{ id: "activate", text: texts.activate, icon: "activate", onAction: () => open("activate") }]
            : [
                {
                  id: "deactivate",
                  text: texts.deactivate,
                  icon: "retire",
                  isDangerous: true,
                  onAction: () => open("deactivate"),
                },
              ]
        }
      />
    ),
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
