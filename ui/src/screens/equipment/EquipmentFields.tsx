// The fields of a kind's form; rarely used ones are in a section that opens. Focusing an empty name fills it with the
// model.
import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { Kind } from "../../api/generated/Kind";
import { Disclosure } from "../../components/Disclosure";
import { DateField } from "../../components/dateFields";
import { FieldColumns, NumberField, RadioChoice, requiredText, TextField } from "../../components/fields";
import { packs } from "../../components/packs/texts";
import { equipment as texts } from "../../texts";
import { type EquipmentValues, type FieldName, fieldsOf, moreFieldsOf } from "./kinds";

type EquipmentForm = UseFormReturn<EquipmentValues>;

/** The fields of a form. `guessed`: the number of cells that the server guesses while none is entered. */
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
        {fieldsOf(type).map((name) => (
          <EquipmentField key={name} form={form} name={name} />
        ))}
      </FieldColumns>
      <More form={form} type={type} guessed={guessed} />
    </>
  );
}

/** The number on the item's sticker and a pack's chemistry and cells. Closed while all of them are empty. */
function More({ form, type, guessed }: { form: EquipmentForm; type: Kind; guessed: number | null }) {
  const names = moreFieldsOf(type);
  const [isOpenAtFirst] = useState(() => names.some((name) => form.getValues(name) !== ""));
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const inRange = (most: number, wrong: string) => ({
    validate: (value: string) =>
      value === "" || (/^[1-9]\d*$/.test(value.trim()) && Number(value) <= most) || wrong,
  });
  return (
    <Disclosure
      title={type === Kind.Battery ? packs.more : packs.number}
      level={2}
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      {isOpen && (
        <FieldColumns>
          <TextField
            control={form.control}
            name="number"
            label={packs.number}
            inputMode="numeric"
            maxLength={3}
            hint={packs.numberHint}
            rules={inRange(999, packs.numberWrong)}
          />
          {names.includes("cells") && (
            <TextField
              control={form.control}
              name="cells"
              label={packs.cells}
              inputMode="numeric"
              maxLength={2}
              hint={guessed === null ? undefined : packs.cellsGuessed(guessed)}
              rules={inRange(14, packs.cellsWrong)}
            />
          )}
          {names.includes("chemistry") && (
            <RadioChoice
              control={form.control}
              name="chemistry"
              label={packs.chemistry}
              choices={[
                ...Object.entries(packs.chemistries).map(([value, text]) => ({ value, text })),
                { value: "", text: packs.chemistryUnknown },
              ]}
            />
          )}
        </FieldColumns>
      )}
    </Disclosure>
  );
}

function EquipmentField({ form, name }: { form: EquipmentForm; name: FieldName }) {
  const { control } = form;
  const label = texts.fields[name];
  switch (name) {
    case "name":
      return <NameField form={form} />;
    case "purchaseDate":
      return <DateField control={control} name={name} label={label} />;
    case "weight":
    case "capacity":
      return <NumberField control={control} name={name} label={label} />;
    default:
      return <TextField control={control} name={name} label={label} />;
  }
}

function NameField({ form }: { form: EquipmentForm }) {
  function fillWithModel() {
    const { name, model } = form.getValues();
    if (name.trim() !== "" || model.trim() === "") return;
    form.setValue("name", model.trim(), { shouldDirty: true, shouldValidate: true });
  }
  return (
    <TextField
      control={form.control}
      name="name"
      label={texts.fields.name}
      onFocus={fillWithModel}
      rules={requiredText(texts.nameMissing)}
    />
  );
}
