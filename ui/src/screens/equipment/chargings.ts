// Kinds of history entries, their figures, and the data of the chart. Pure functions: no React, no server.
import { getLocalTimeZone, toZoned } from "@internationalized/date";
import type { Charging } from "../../api/generated/Charging";
import type { PlotAxis } from "../../components/Plot";
import { parseDateTime } from "../../lib/dates";
import { formatQuantity } from "../../lib/numbers";
import type { ChargingFields } from "../../offline/values";
import { general } from "../../texts";

/** Purpose of a charging, as the server names it. */
const toFull = 0;

/** Kind of a history entry. "level": finished, without a flight, the voltage unchanged, or unknown like the purpose. */
export type ChargingKind = "flight" | "open" | "charge" | "discharge" | "level";

export function kindOf(charging: Charging): ChargingKind {
  const { flight, pilot, chargeEndTime, fromVoltage, toVoltage, details } = charging;
  // Of the flight of another member only the pilot is known.
  if (flight !== null || pilot !== undefined) return "flight";
  if (chargeEndTime === "") return "open";
  if (fromVoltage === null || toVoltage === null) return details?.purpose === toFull ? "charge" : "level";
  if (fromVoltage === toVoltage) return "level";
  return fromVoltage < toVoltage ? "charge" : "discharge";
}

const amperes = new Intl.NumberFormat("de-DE", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats 1100 mA as "1,10 A" with a non-breaking space; "-" for null. */
export function formatAmperes(milliamperes: number | null): string {
  return milliamperes === null ? general.empty : `${amperes.format(milliamperes / 1000)}\u00a0A`;
}

/** Formats "21,6 V → 25,2 V"; "-" in place of an unknown voltage, and one "-" if both are unknown. */
export function formatChange(from: number | null, to: number | null): string {
  if (from === null && to === null) return general.empty;
  return `${formatQuantity(from, "V")} → ${formatQuantity(to, "V")}`;
}

/**
 * Whether a charging would end before it starts, counting both instants of an hour that the clocks repeat. Ignores
 * texts that are no times, which another rule reports.
 */
export function endsBeforeStart(start: string, end: string): boolean {
  const [from, to] = [parseDateTime(start), parseDateTime(end)];
  if (from === null || to === null) return false;
  const zone = getLocalTimeZone();
  return toZoned(to, zone, "later").compare(toZoned(from, zone, "earlier")) < 0;
}

export const numberFields = [
  "fromVoltage",
  "fromCellVoltage",
  "toVoltage",
  "toCellVoltage",
  "charged",
  "measuredCapacity",
  "current",
] as const satisfies readonly (keyof ChargingFields)[];

/** A finished charging in the chart. */
export type Charge = { time: string; from: number; to: number; charged: number };

/** Fewer chargings make no useful line. */
const minInChart = 3;

/** Returns the chargings that raised the voltage, oldest first; empty if they are too few for a chart. */
export function chargesOf(chargings: Charging[]): Charge[] {
  const charges = chargings
    .filter((charging) => kindOf(charging) === "charge")
    .filter(({ fromVoltage, toVoltage }) => fromVoltage !== null && toVoltage !== null)
    .map(({ chargeEndTime, fromVoltage, toVoltage, charged }) => ({
      time: chargeEndTime,
      from: fromVoltage ?? 0,
      to: toVoltage ?? 0,
      charged: charged ?? 0,
    }))
    .reverse();
  return charges.length < minInChart ? [] : charges;
}

/** Returns the smallest and the largest of the values as the ends of an axis; the two always differ. */
export function axisOf(values: number[]): PlotAxis {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return low === high ? { low: low - 0.5, high: high + 0.5 } : { low, high };
}
