// A new item of a kind. When several are entered in a row, their common values stay in the form.
import { useForm } from "react-hook-form";
import { useLocation, useNavigate } from "react-router";
import type { Kind } from "../../api/generated/Kind";
import { Form, SubmitButton } from "../../components/Form";
import { DraftNote, LeaveGuard, useFormDraft } from "../../components/FormDraft";
import { Checkbox } from "../../components/fields";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { equipment as texts } from "../../components/texts";
import { showToast } from "../../components/toasts";
import { isForFlight, rememberCreatedItem } from "../../lib/createdItems";
import { general } from "../../texts";
import { urls } from "../../urls";
import { EquipmentFields } from "./EquipmentFields";
import { emptyValues, fieldsToSave, nextName } from "./kinds";

export function NewEquipment({ type }: { type: Kind }) {
  const goBack = useGoBack(urls.equipments(type));
  const goToList = useGoToList(type, goBack);
  const { state } = useLocation();
  const form = useForm({ defaultValues: emptyValues });
  const draft = useFormDraft(form, "equipment", `new-${type}`);
  // A separate form, because whether another item follows is no unsaved change of the item.
  const afterwards = useForm({ defaultValues: { addAnother: false } });

  return (
    <Page title={texts.newTitle(texts.kind[type])} onBack={goBack} isNarrow>
      <DraftNote draft={draft} />
      <LeaveGuard draft={draft} />
      <Form
        form={form}
        onSubmit={async (values) => {
          const equipment = fieldsToSave(type, values);
          const saved = await draft.send("SaveNewEquipment", values, (dpfId) => ({ dpfId, equipment }));
          draft.clear();
          if (isForFlight(state)) rememberCreatedItem(saved.dpfId);
          showToast(general.saved);
          if (!afterwards.getValues("addAnother")) return goToList();
          // Set before the reset, which unregisters the fields until the next render.
          form.setFocus("model");
          form.reset({ ...values, name: nextName(values.name), number: nextName(values.number) });
        }}
      >
        <div className="card stack">
          <EquipmentFields form={form} type={type} />
        </div>
        <Checkbox control={afterwards.control} name="addAnother" label={texts.addAnother[type]} />
        <ActionBar>
          <SubmitButton variant="primary" icon="save">
            {general.save}
          </SubmitButton>
        </ActionBar>
      </Form>
    </Page>
  );
}

/** Returns the way back. Leads to the active items even from the retired ones, because the new item is active. */
function useGoToList(type: Kind, goBack: () => void): () => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const cameFromRetired = (state as { isRetired?: boolean } | null)?.isRetired === true;
  return cameFromRetired ? () => navigate(urls.equipments(type), { replace: true }) : goBack;
}
