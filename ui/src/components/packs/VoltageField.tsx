// A field for the voltage of packs.
import { type FieldPath, type FieldValues, useWatch } from "react-hook-form";
import { useAllEquipments } from "../../api/equipment";
import { parseNumber } from "../../lib/numbers";
import { NumberField, type NumberFieldProps } from "../fields";
import { doubtOf } from "./cells";

/** `dpfIds`: the packs that were used together, and perhaps other items. */
export function VoltageField<Values extends FieldValues, Name extends FieldPath<Values>>({
  dpfIds,
  hint,
  ...props
}: NumberFieldProps<Values, Name> & { dpfIds: readonly string[] }) {
  const volts = parseNumber(String(useWatch({ control: props.control, name: props.name })));
  const all = useAllEquipments().data?.batteries ?? [];
  const packs = all.filter(({ dpfId }) => dpfIds.includes(dpfId));
  return <NumberField {...props} hint={doubtOf(volts, packs) ?? hint} />;
}
