// The fields of a kind's form. An empty name is filled with the model on focus.
import type { UseFormReturn } from "react-hook-form";
import type { Kind } from "../../api/generated/Kind";
import { DateField } from "../../components/dateFields";
import { FieldColumns, NumberField, requiredText, TextField } from "../../components/fields";
import { equipment as texts } from "../../texts";
import { type EquipmentValues, type FieldName, fieldsOf } from "./kinds";

type EquipmentForm = UseFormReturn<EquipmentValues>;

export function EquipmentFields({ form, type }: { form: EquipmentForm; type: Kind }) {
  return (
    <FieldColumns>
      {fieldsOf(type).map((name) => (
        <EquipmentField key={name} form={form} name={name} />
      ))}
    </FieldColumns>
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
