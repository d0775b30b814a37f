// Merges a queued edit with the server's present values: what can be sent, and what only the pilot can decide. Pure.
import type { Conflict, FlightFields, QueueableWrite, QueuedWrite } from "./queuedWrites";
import { isSameValue } from "./values";

type Values = Record<string, unknown>;

/** The edited fields of an edit, as typed; null of any other write. */
export function editedFields(entry: QueueableWrite): Values | null {
  switch (entry.call) {
    case "SaveFlight": {
      const { dpfId: _, ...typed } = entry.fields.flight;
      return typed;
    }
    case "SaveCharging": {
      const { battery: _, dpfId, charging: __, ...typed } = entry.fields;
      return dpfId ? typed : null;
    }
    case "EditLog": {
      const { info, time } = entry.fields;
      return { info, time };
    }
    default:
      return null;
  }
}

/** The edit with its fields replaced by these. */
export function withFieldsEdited<One extends QueueableWrite>(edit: One, values: Values): One {
  if (edit.call !== "SaveFlight") return { ...edit, fields: { ...edit.fields, ...values } };
  const flight = { ...(values as FlightFields), dpfId: edit.fields.flight.dpfId };
  return { ...edit, fields: { ...edit.fields, flight } };
}

/**
 * The values to send, and the conflicts. Unchanged fields, which a form may send too, take the server's values. Of
 * notes both texts are kept.
 */
export function mergeEdit(
  typed: Values,
  base: QueuedWrite["base"],
  stored: object,
): { values: Values; conflicts: Conflict[] } {
  const there = stored as Values;
  const values: Values = {};
  const conflicts: Conflict[] = [];
  for (const [field, here] of Object.entries(typed)) {
    const isOurs =
      isSameValue(here, there[field]) || !(field in base) || isSameValue(base[field], there[field]);
    if (isOurs) values[field] = here;
    else if (isSameValue(here, base[field])) values[field] = there[field];
    else if (field === "notes" && here !== "") values[field] = `${there[field]}\n${here}`;
    else conflicts.push({ field, here: String(here ?? ""), there: String(there[field] ?? "") });
  }
  return { values, conflicts };
}
