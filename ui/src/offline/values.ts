// The values of a flight or a charging as they are typed and as the server has them. Knows no forms.
import type { Charging } from "../api/generated/Charging";
import type { ChargingDetails } from "../api/generated/ChargingDetails";
import type { Flight } from "../api/generated/Flight";
import { numberToInput, parseNumber } from "../lib/numbers";
import type { FlightFields } from "./queuedWrites";

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

/** The charger's own figures in the form. */
type DetailFields = Record<Exclude<keyof ChargingDetails, "purpose">, string>;

/** The fields of a charging's form; a start sends only those that belong to it. */
export type ChargingFields = Record<
  Exclude<keyof Charging, "dpfId" | "battery" | "flight" | "details">,
  string
> &
  DetailFields;

/** The form's values of a charging, or of a new one (null); a missing time defaults to `now`. */
export function chargingValues(charging: Charging | null, now: string): ChargingFields {
  if (charging === null) return { ...emptyValues, chargeStartTime: now };
  return {
    chargeStartTime: charging.chargeStartTime,
    fromVoltage: numberToInput(charging.fromVoltage),
    fromCellVoltage: numberToInput(charging.fromCellVoltage),
    toVoltage: numberToInput(charging.toVoltage),
    chargeEndTime: charging.chargeEndTime || now,
    charged: numberToInput(charging.charged),
    toCellVoltage: numberToInput(charging.toCellVoltage),
    ...detailsOf(charging.details),
  };
}

/** Lists have ";" between their values. */
function detailsOf(details: ChargingDetails | null): DetailFields {
  const list = (values: number[] = []) => values.map(numberToInput).join("; ");
  return {
    measuredCapacity: numberToInput(details?.measuredCapacity ?? null),
    current: numberToInput(details?.current ?? null),
    charger: details?.charger ?? "",
    endCellVoltages: list(details?.endCellVoltages),
    resistances: list(details?.resistances),
  };
}

const emptyValues: ChargingFields = {
  chargeStartTime: "",
  chargeEndTime: "",
  fromVoltage: "",
  toVoltage: "",
  fromCellVoltage: "",
  toCellVoltage: "",
  charged: "",
  ...detailsOf(null),
};
