// A new item of a kind. When several are entered in a row, their common values stay in the form.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useLocation, useNavigate } from "react-router";
import type { Kind } from "../../api/generated/Kind";
import { isKeeper, useOwnSpaces } from "../../api/spaces";
import { Form, SubmitButton } from "../../components/Form";
import { DraftNote, LeaveGuard, useFormDraft } from "../../components/FormDraft";
import { Checkbox } from "../../components/fields";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { RadioGroup } from "../../components/RadioGroup";
import { spaces } from "../../components/spaces/texts";
import { equipment as texts } from "../../components/texts/equipment";
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
  const owner = useOwner();
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
          const { space } = owner;
          const saved = await draft.send("SaveNewEquipment", { ...values, ...space }, (dpfId) => ({
            dpfId,
            equipment,
            ...space,
          }));
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
          {owner.choice}
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

/** Whom the new item shall belong to. Only a pilot who may add equipment to a space has a choice. */
function useOwner() {
  const targets = useOwnSpaces().filter(({ role }) => isKeeper(role));
  const { state } = useLocation();
  const wanted = (state as { space?: string } | null)?.space ?? "";
  const [chosen, setChosen] = useState(wanted);
  const dpfId = targets.find((space) => space.dpfId === chosen)?.dpfId ?? "";
  return {
    space: dpfId === "" ? {} : { space: dpfId },
    choice: targets.length > 0 && (
      <div>
        <p aria-hidden="true">
          <strong>{spaces.owner}</strong>
        </p>
        <RadioGroup
          as="segments"
          aria-label={spaces.owner}
          value={dpfId}
          choices={[
            { value: "", text: spaces.ownerSelf },
            ...targets.map(({ dpfId: value, name }) => ({ value, text: name, icon: "users" as const })),
          ]}
          onChange={setChosen}
        />
      </div>
    ),
  };
}

/** Returns the way back. Leads to the active items even from the retired ones, because the new item is active. */
function useGoToList(type: Kind, goBack: () => void): () => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const cameFromRetired = (state as { isRetired?: boolean } | null)?.isRetired === true;
  return cameFromRetired ? () => navigate(urls.equipments(type), { replace: true }) : goBack;
}
