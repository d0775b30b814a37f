// The form of a charging. Prefills what is known, focuses the first empty field, and keeps the values as a draft.
import { useState } from "react";
import { type Control, useForm, useFormState, useWatch } from "react-hook-form";
import { chargingFields } from "../../api/chargings";
import type { Charging } from "../../api/generated/Charging";
import type { Equipment } from "../../api/generated/Equipment";
import { forgetUnanswered } from "../../api/perform";
import { useCachedUser } from "../../api/session";
import { DialogForm } from "../../components/DialogForm";
import { DateTimeField } from "../../components/dateFields";
import { Fold } from "../../components/Fold";
import { SubmitButton } from "../../components/Form";
import { useFormDraft } from "../../components/FormDraft";
import { NumberField, TextField } from "../../components/fields";
import { packs } from "../../components/packs/texts";
import { VoltageField } from "../../components/packs/VoltageField";
import { chargings as texts } from "../../components/texts/chargings";
import { savedText, showToast } from "../../components/toasts";
import { formatDateTime, wallClock } from "../../lib/dates";
import { removeDraft } from "../../lib/drafts";
import { type ChargingFields, chargingValues } from "../../offline/values";
import { general } from "../../texts";
import styles from "./ChargingForm.module.css";
import { numberFields } from "./chargings";
import { endsBeforeStart } from "./chargingTimes";
import { proposedEnd, proposedStart } from "./packs";

/** Names the drafts and the requests: of a start by its pack, of anything else by its charging. */
const formName = "charging";

type Mode = "start" | "finish" | "edit";

const notices: Record<Mode, string> = { start: texts.started, finish: texts.finished, edit: general.saved };

export function ChargingForm({
  battery,
  charging,
  history,
  onClose,
}: {
  battery: Equipment;
  charging: Charging | null;
  history: Charging[];
  onClose: () => void;
}) {
  const { dpfId } = battery;
  const account = useCachedUser()?.account ?? "";
  const mode: Mode = charging === null ? "start" : charging.chargeEndTime === "" ? "finish" : "edit";
  // Computed once: data that loads later must not change the fields under the pilot's hands.
  const [proposed] = useState<Partial<ChargingFields>>(() => {
    if (mode === "start") return proposedStart(battery);
    return mode === "finish" ? proposedEnd(battery, history) : {};
  });
  const now = formatDateTime(wallClock());
  const form = useForm({ defaultValues: { ...chargingValues(charging, now), ...proposed } });
  const draft = useFormDraft(
    form,
    formName,
    charging?.dpfId ?? dpfId,
    charging ? chargingValues(charging, "") : undefined,
    numberFields,
  );
  const firstEmpty = (["fromVoltage", "toVoltage", "charged"] as const).find((name) => proposed[name] === "");
  const group = { battery: dpfId, control: form.control, mode, proposed, firstEmpty, charging };
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (fields) => {
        const sent = chargingFields(dpfId, charging?.dpfId ?? null, fields);
        const saved = await draft.send("SaveCharging", fields, sent);
        // The charging is known to have started, even if the answer to its start was lost.
        if (mode === "finish") {
          removeDraft({ account, form: formName, record: dpfId });
          forgetUnanswered(formName, dpfId);
        }
        showToast(savedText(saved, notices[mode]));
      }}
      submit={
        <>
          {mode === "start" && (
            <SubmitButton icon="bolt" autoFocus={firstEmpty === undefined}>
              {texts.begin}
            </SubmitButton>
          )}
          {mode === "finish" && (
            <SubmitButton icon="check" autoFocus={firstEmpty === undefined}>
              {texts.end}
            </SubmitButton>
          )}
          {mode === "edit" && <SubmitButton icon="save">{general.save}</SubmitButton>}
        </>
      }
    >
      <div className={mode === "finish" ? `${styles.groups} ${styles.finish}` : styles.groups}>
        <StartGroup {...group} />
        {mode !== "start" && <EndGroup {...group} />}
      </div>
      <Details control={form.control} mode={mode} />
    </DialogForm>
  );
}

type GroupProps = {
  battery: string;
  control: Control<ChargingFields>;
  mode: Mode;
  proposed: Partial<ChargingFields>;
  firstEmpty: keyof ChargingFields | undefined;
  charging: Charging | null;
};

const detailFields = [
  "fromCellVoltage",
  "toCellVoltage",
  "measuredCapacity",
  "current",
  "endCellVoltages",
  "resistances",
  "charger",
] as const;

/** The optional values that a charger shows. */
function Details({ control, mode }: Pick<GroupProps, "control" | "mode">) {
  const { errors } = useFormState({ control });
  const known = useWatch({ control, name: detailFields });
  return (
    <Fold
      title={packs.charger.title}
      level="h3"
      note={known.filter((text) => text !== "").join(" · ")}
      isWrong={detailFields.some((name) => errors[name] !== undefined)}
    >
      <div className={styles.group}>
        <div className={styles.voltages}>
          <NumberField control={control} name="fromCellVoltage" label={texts.fields.fromCellVoltage} />
          {mode !== "start" && (
            <NumberField control={control} name="toCellVoltage" label={texts.fields.toCellVoltage} />
          )}
        </div>
        {mode !== "start" && <EndDetails control={control} />}
      </div>
    </Fold>
  );
}

function EndDetails({ control }: Pick<GroupProps, "control">) {
  return (
    <>
      <div className={styles.voltages}>
        <NumberField
          control={control}
          name="measuredCapacity"
          label={packs.charger.measuredCapacity}
          hint={packs.charger.measuredHint}
        />
        <NumberField control={control} name="current" label={packs.charger.current} />
      </div>
      <TextField
        control={control}
        name="endCellVoltages"
        label={packs.charger.endCells}
        hint={packs.charger.list}
      />
      <TextField
        control={control}
        name="resistances"
        label={packs.charger.resistances}
        hint={packs.charger.list}
      />
      <TextField control={control} name="charger" label={packs.charger.name} />
    </>
  );
}

/** A value that is required, unless one tap left it open. `source`: where its proposed value comes from. */
function ProposedField({
  battery,
  control,
  mode,
  proposed,
  firstEmpty,
  charging,
  name,
  source,
}: GroupProps & { name: "fromVoltage" | "toVoltage" | "charged"; source: string }) {
  const field = {
    control,
    name,
    label: texts.fields[name],
    autoFocus: firstEmpty === name,
    hint: proposed[name] && source,
    rules: mode === "edit" && charging?.[name] === null ? {} : { required: texts.missing[name] },
  };
  return name === "charged" ? <NumberField {...field} /> : <VoltageField {...field} dpfIds={[battery]} />;
}

function StartGroup(group: GroupProps) {
  const { control, mode } = group;
  return (
    <fieldset className={styles.group}>
      <legend className={mode === "start" ? "visually-hidden" : ""}>{texts.groups.start}</legend>
      <DateTimeField
        control={control}
        name="chargeStartTime"
        label={texts.fields.chargeStartTime}
        rules={{ required: texts.missing.chargeStartTime }}
      />
      <div className={styles.voltages}>
        <ProposedField {...group} name="fromVoltage" source={texts.proposed.last} />
      </div>
    </fieldset>
  );
}

function EndGroup(group: GroupProps) {
  const { control } = group;
  return (
    <fieldset className={styles.group}>
      <legend>{texts.groups.end}</legend>
      <div className={styles.voltages}>
        <ProposedField {...group} name="toVoltage" source={texts.proposed.full} />
        <ProposedField {...group} name="charged" source={texts.proposed.taken} />
      </div>
      <DateTimeField
        control={control}
        name="chargeEndTime"
        label={texts.fields.chargeEndTime}
        rules={{
          required: texts.missing.chargeEndTime,
          validate: (end: string, { chargeStartTime }: ChargingFields) =>
            !endsBeforeStart(chargeStartTime, end) || texts.endsBeforeStart,
        }}
      />
    </fieldset>
  );
}
