// The values of a flight as they are typed and as the server has them. Knows no forms.
import type { Flight } from "../api/generated/Flight";
import { parseNumber } from "../lib/numbers";
import type { FlightFields } from "./entries";

/** As the server would compare them: "14,2" is 14.2, and nothing is "". */
export function isSameValue(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((value) => String(value ?? "").trim());
  if (first === second) return true;
  const number = numberOf(one);
  return number !== null && number === numberOf(other);
}

function numberOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  const text = String(value ?? "").trim();
  return text.startsWith("-") ? negated(parseNumber(text.slice(1))) : parseNumber(text);
}

function negated(number: number | null): number | null {
  return number === null ? null : -number;
}

const texts: ReadonlySet<string> = new Set([
  "startTime",
  "location",
  "weatherConditions",
  "purpose",
  "notes",
]);

/** The flight with what was typed. A field that is left out, or is null, stays. */
export function withFields(flight: Flight, fields: FlightFields): Flight {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || name === "dpfId") continue;
    if (texts.has(name)) changed[name] = String(value).trim();
    else if (name === "flightMode") changed[name] = String(value);
    else changed[name] = numberOf(value);
  }
  const all = { ...flight, ...changed };
  return { ...all, maxDistance: all.maximumDistance };
}
