// An edit that waits, beside what the server has now: what of it can be sent, and what only the pilot can decide. Pure.
import type { Clash, Entry, FlightFields, Queued } from "./entries";
import { isSameValue } from "./values";

type Values = Record<string, unknown>;

/** The fields of an edit as they were typed; null of any other write. */
export function typedIn(entry: Queued): Values | null {
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

/** The edit with these values of its fields. */
export function retyped<One extends Queued>(edit: One, values: Values): One {
  if (edit.call !== "SaveFlight") return { ...edit, fields: { ...edit.fields, ...values } };
  const flight = { ...(values as FlightFields), dpfId: edit.fields.flight.dpfId };
  return { ...edit, fields: { ...edit.fields, flight } };
}

/**
 * The values to send of an edit, beside those that are on the server now. A form may send fields that nobody changed:
 * they are as the server has them. Of notes both are kept.
 */
export function besides(
  typed: Values,
  base: Entry["base"],
  stored: object,
): { values: Values; clashes: Clash[] } {
  const there = stored as Values;
  const values: Values = {};
  const clashes: Clash[] = [];
  for (const [field, here] of Object.entries(typed)) {
    const isOurs =
      isSameValue(here, there[field]) || !(field in base) || isSameValue(base[field], there[field]);
    if (isOurs) values[field] = here;
    else if (isSameValue(here, base[field])) values[field] = there[field];
    else if (field === "notes" && here !== "") values[field] = `${there[field]}\n${here}`;
    else clashes.push({ field, here: String(here ?? ""), there: String(there[field] ?? "") });
  }
  return { values, clashes };
}
