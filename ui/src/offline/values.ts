// Values of flights and chargings as they are typed and as the server returns them. Independent of forms.
import { textFields } from "../api/flightFields";
import type { Charging } from "../api/generated/Charging";
import type { ChargingDetails } from "../api/generated/ChargingDetails";
import type { Flight } from "../api/generated/Flight";
import { momentOf } from "../lib/dates";
import { numberToInput, parseNumber } from "../lib/numbers";
import type { FlightFields } from "./queuedWrites";

/** Compares values as the server does: "14,2" equals 14.2, and null equals "". */
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

const texts: ReadonlySet<string> = new Set(["startTime", ...textFields]);

/** The flight with the typed fields. A field that is missing or null stays. */
export function withFields(flight: Flight, fields: FlightFields): Flight {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || name === "dpfId") continue;
    if (texts.has(name)) changed[name] = String(value).trim();
    else if (name === "flightMode") changed[name] = String(value);
    else changed[name] = numberOf(value);
  }
  const all = { ...flight, ...changed };
  const startInstant = movedInstant(flight, all.startTime);
  return { ...all, startInstant, maxDistance: all.maximumDistance };
}

/** The instant of a start whose time was corrected: as much later as the time is. */
export function movedInstant(
  { startTime, startInstant }: { startTime?: string | null; startInstant?: string | null },
  corrected: string,
): string | null {
  const [before, after] = [momentOf(startTime ?? ""), momentOf(corrected)];
  if (!startInstant || before === null || after === null || before === after) return startInstant ?? null;
  return new Date(Date.parse(startInstant) + after - before).toISOString();
}

/** Form fields of the charger's figures. */
type DetailFields = Record<Exclude<keyof ChargingDetails, "purpose">, string>;

/** Form fields of a charging; a start sends only those that belong to it. */
export type ChargingFields = Record<
  Exclude<keyof Charging, "dpfId" | "battery" | "flight" | "pilot" | "details" | "mine">,
  string
> &
  DetailFields;

/** The form's values of a charging, or of a new one (null); a missing time is `now`. */
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

/** The charger's figures as texts; lists are separated by ";". */
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
