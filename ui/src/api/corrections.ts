// Corrects a form that was stored although its answer was lost, and that was changed since. Independent of forms.
import { contentOf } from "../lib/drafts";
import type { PressedWrite } from "../offline/queuedWrites";
import type { Fields } from "./client";
import type { WriteCall } from "./writes";

export type WriteStep = { [Name in WriteCall]: { call: Name; fields: Fields<Name> } }[WriteCall];

/** The call that changes the stored object; or the call that deletes it, after which the form is sent as a new one. */
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
  // The reason is the only field.
  DeactivateEquipment: (_, __, { dpfId }) => ({ undo: { call: "ActivateEquipment", fields: { dpfId } } }),
  SaveCharging: (object, _, { charging, ...entries }) =>
    charging ? { change: { call: "SaveCharging", fields: { ...entries, dpfId: object } } } : null,
  SaveBatteryReading: (object, _, { reading: __, ...entries }) => ({
    change: { call: "EditBatteryReading", fields: { ...entries, dpfId: object } },
  }),
  SaveBatterySet: (object, _, { dpfId, ...entries }) =>
    dpfId ? { change: { call: "SaveBatterySet", fields: { ...entries, set: object } } } : null,
  SaveSpace: (object, _, { dpfId, ...entries }) =>
    dpfId ? { change: { call: "SaveSpace", fields: { ...entries, space: object } } } : null,
  AddFlight: (object, before, { config, flight }) => {
    if (contentOf({ config: before.config }) !== contentOf({ config })) {
      return { undo: { call: "DeleteFlight", fields: { dpfId: object } } };
    }
    const emptied = Object.fromEntries(Object.keys(before.flight ?? {}).map((name) => [name, ""]));
    return { change: { call: "SaveFlight", fields: { flight: { ...emptied, ...flight, dpfId: object } } } };
  },
  SaveFlight: (_, before, now) =>
    before.endFlight ? { change: { call: "SaveFlight", fields: { ...now, endFlight: false } } } : null,
  SaveJob: (object, _, { dpfId, newJobId, job }) =>
    newJobId ? { change: { call: "SaveJob", fields: { dpfId, jobId: object, job } } } : null,
  SaveEquipmentLog: correctLog,
  SaveFlightLog: correctLog,
  UploadUserDocument: (object, before, { description, file }) =>
    contentOf({ file: before.file }) === contentOf({ file })
      ? { change: { call: "EditUserDocument", fields: { dpfId: object, description: description ?? "" } } }
      : { undo: { call: "DeleteUserDocument", fields: { dpfId: object } } },
  AddProof: (object) => ({ undo: { call: "DeleteUserDocument", fields: { dpfId: object } } }),
};

/** The correction after `before`, which was stored; `now` is the form as it would be sent as a new one. */
export function correctionOf({ object, fields, content }: PressedWrite, now: WriteStep): Correction {
  // `content` holds a file as its name and size.
  const { file } = JSON.parse(content);
  const table: Partial<Record<string, Corrector<WriteCall>>> = corrections as object;
  return table[now.call]?.(object, { ...fields, file }, now.fields) ?? null;
}
