// A form whose answer was lost, that was stored all the same, and was corrected since: how the object becomes what was
// typed last. Knows no forms.
import { contentOf, type Unanswered } from "../lib/drafts";
import type { Fields } from "./client";
import type { WriteCall } from "./writes";

/** One call with its fields. */
export type WriteStep = { [Name in WriteCall]: { call: Name; fields: Fields<Name> } }[WriteCall];

/** The call that changes the object, or one after which it is sent as a new one. */
type Correction = { change: WriteStep } | { undo: WriteStep } | null;

type Corrector<Name extends WriteCall> = (
  object: string,
  before: Partial<Fields<Name>>,
  now: Fields<Name>,
) => Correction;

const correctLog: Corrector<"SaveEquipmentLog"> = (object, before, { info, time, file }) => {
  const removeDocument = before.file && !file ? true : null;
  return {
    change: { call: "EditLog", fields: { dpfId: object, info, time, file: file ?? null, removeDocument } },
  };
};

const corrections: { [Name in WriteCall]?: Corrector<Name> } = {
  SaveNewEquipment: (object, _, { equipment }) => ({
    change: { call: "SaveEditEquipment", fields: { equipment: { ...equipment, dpfId: object } } },
  }),
  // Nothing but the reason can be wrong.
  DeactivateEquipment: (_, __, { dpfId }) => ({ undo: { call: "ActivateEquipment", fields: { dpfId } } }),
  SaveCharging: (object, _, { charging, ...entries }) =>
    charging ? { change: { call: "SaveCharging", fields: { ...entries, dpfId: object } } } : null,
  SaveBatteryReading: (object, _, { reading: __, ...entries }) => ({
    change: { call: "EditBatteryReading", fields: { ...entries, dpfId: object } },
  }),
  SaveBatterySet: (object, _, { dpfId, ...entries }) =>
    dpfId ? { change: { call: "SaveBatterySet", fields: { ...entries, set: object } } } : null,
  AddFlight: (object, before, { config, flight }) => {
    if (contentOf({ config: before.config }) !== contentOf({ config })) {
      return { undo: { call: "DeleteFlight", fields: { dpfId: object } } };
    }
    const emptied = Object.fromEntries(Object.keys(before.flight ?? {}).map((name) => [name, ""]));
    return { change: { call: "SaveFlight", fields: { flight: { ...emptied, ...flight, dpfId: object } } } };
  },
  SaveFlight: (_, before, now) =>
    before.endFlight ? { change: { call: "SaveFlight", fields: { ...now, endFlight: false } } } : null,
  SaveEquipmentLog: correctLog,
  SaveFlightLog: correctLog,
  UploadUserDocument: (object, before, { description, file }) =>
    contentOf({ file: before.file }) === contentOf({ file })
      ? { change: { call: "EditUserDocument", fields: { dpfId: object, description: description ?? "" } } }
      : { undo: { call: "DeleteUserDocument", fields: { dpfId: object } } },
};

/** `before`: the write that was done, `now`: the form's as it would be sent anew. */
export function correctionOf({ object, fields, content }: Unanswered, now: WriteStep): Correction {
  // Of a file only its name and size are known.
  const { file } = JSON.parse(content);
  const table: Partial<Record<string, Corrector<WriteCall>>> = corrections as object;
  return table[now.call]?.(object, { ...fields, file }, now.fields) ?? null;
}
