// Fields of the form of each kind: five are visible, the others folded. An empty name takes the model when the name is
// focused or the form is saved.
import { type FocusEvent, useCallback, useEffect } from "react";
import { type UseFormReturn, useFormState, useWatch } from "react-hook-form";
import type { Kind } from "../../api/generated/Kind";
import { DateField } from "../../components/dateFields";
import { Fold } from "../../components/Fold";
import { FieldColumns, NumberField, RadioChoice, requiredText, TextField } from "../../components/fields";
import { packs } from "../../components/packs/texts";
import { equipment as texts } from "../../components/texts/equipment";
import { type EquipmentValues, type FieldName, firstFieldsOf, moreFieldsOf, type ProfileName } from "./kinds";

type EquipmentForm = UseFormReturn<EquipmentValues>;

/** A form's fields. `guessed`: the number of cells that the server guesses while none is entered. */
export function EquipmentFields({
  form,
  type,
  guessed = null,
}: {
  form: EquipmentForm;
  type: Kind;
  guessed?: number | null;
}) {
  return (
    <>
      <FieldColumns>
        {firstFieldsOf(type).map((name) => (
          <EquipmentField key={name} form={form} name={name} />
        ))}
      </FieldColumns>
      <More form={form} type={type} guessed={guessed} />
    </>
  );
}

const labels: Record<FieldName | ProfileName, string> = {
  ...texts.fields,
  number: packs.number,
  cells: packs.cells,
  chemistry: packs.chemistry,
};

/** Formats a value so that it can stand without its label. */
function standingAlone(name: FieldName | ProfileName, value: string): string {
  if (value === "") return "";
  if (name === "number") return packs.numberOf(Number(value));
  if (name === "cells") return `${value}S`;
  if (name === "chemistry")
    return Object.entries(packs.chemistries).find(([code]) => code === value)?.[1] ?? "";
  return value;
}

/** Folded, it says the known values, or what could be said. */
function More({ form, type, guessed }: { form: EquipmentForm; type: Kind; guessed: number | null }) {
  const names = moreFieldsOf(type);
  const { control } = form;
  const { errors } = useFormState({ control });
  const values = useWatch({ control });
  const known = names.map((name) => standingAlone(name, values[name] ?? "")).filter((text) => text !== "");
  return (
    <Fold
      title={packs.more}
      note={known.join(" · ") || names.map((name) => labels[name]).join(", ")}
      isWrong={names.some((name) => errors[name] !== undefined)}
    >
      <FieldColumns>
        {names.map((name) => (
          <EquipmentField key={name} form={form} name={name} guessed={guessed} />
        ))}
      </FieldColumns>
    </Fold>
  );
}

function inRange(most: number, wrong: string) {
  return {
    validate: (value: string) =>
      value === "" || (/^[1-9]\d*$/.test(value.trim()) && Number(value) <= most) || wrong,
  };
}

function EquipmentField({
  form,
  name,
  guessed = null,
}: {
  form: EquipmentForm;
  name: FieldName | ProfileName;
  guessed?: number | null;
}) {
  const { control } = form;
  const label = labels[name];
  switch (name) {
    case "name":
      return <NameField form={form} />;
    case "purchaseDate":
      return <DateField control={control} name={name} label={label} />;
    case "weight":
    case "capacity":
      return <NumberField control={control} name={name} label={label} />;
    case "number":
      return (
        <TextField
          control={control}
          name={name}
          label={label}
          inputMode="numeric"
          maxLength={3}
          hint={packs.numberHint}
          rules={inRange(999, packs.numberWrong)}
        />
      );
    case "cells":
      return (
        <TextField
          control={control}
          name={name}
          label={label}
          inputMode="numeric"
          maxLength={2}
          hint={guessed === null ? undefined : packs.cellsGuessed(guessed)}
          rules={inRange(14, packs.cellsWrong)}
        />
      );
    case "chemistry":
      return (
        <RadioChoice
          control={control}
          name={name}
          label={label}
          choices={[
            ...Object.entries(packs.chemistries).map(([value, text]) => ({ value, text })),
            { value: "", text: packs.chemistryUnknown },
          ]}
        />
      );
    default:
      return <TextField control={control} name={name} label={label} />;
  }
}

/** Longest time from the focus of a field to the end of the click that gave it. */
const clickMs = 1_000;

function NameField({ form }: { form: EquipmentForm }) {
  /** Returns the model if the name is now filled with it. */
  const takeModel = useCallback(() => {
    const { name, model } = form.getValues();
    if (name.trim() !== "" || model.trim() === "") return null;
    form.setValue("name", model.trim(), { shouldDirty: true, shouldValidate: true });
    return model.trim();
  }, [form]);
  useEffect(() => {
    // Before the form is checked, so that the first press saves.
    document.addEventListener("submit", takeModel, { capture: true });
    return () => document.removeEventListener("submit", takeModel, { capture: true });
  }, [takeModel]);
  function fillWithModel({ currentTarget: input }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) {
    const model = takeModel();
    if (model === null) return;
    // Selected, so that another name replaces it; a click sets the caret after the focus.
    input.value = model;
    input.select();
    input.addEventListener("click", () => input.select(), {
      once: true,
      signal: AbortSignal.timeout(clickMs),
    });
  }
  return (
    <TextField
      control={form.control}
      name="name"
      label={labels.name}
      onFocus={fillWithModel}
      rules={requiredText(texts.nameMissing)}
    />
  );
}
