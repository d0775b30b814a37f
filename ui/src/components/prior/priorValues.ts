// Hours from before Fluglog: how they count in an item's figures, and the values of their form. No React, no server.
import type { Equipment } from "../../api/generated/Equipment";
import type { PriorFlights } from "../../api/generated/PriorFlights";
import { looksGrouped, parseNumber } from "../../lib/numbers";
import { prior as texts } from "./texts";

/**
 * Minutes that an item has flown, with those from before Fluglog. `flown`: the minutes of its flights; without them,
 * its hours with two decimals count.
 */
export function flownMinutes(
  { usageTime, prior }: Pick<Equipment, "usageTime" | "prior">,
  flown = usageTime * 60,
): number {
  return flown + (prior?.minutes ?? 0);
}

/** "900 Flüge, 120 h 00 min"; "" when nothing is entered. */
export function priorText({ flights, minutes, cycles }: PriorFlights): string {
  return [
    flights > 0 && texts.flights(flights),
    minutes > 0 && texts.duration(minutes),
    cycles > 0 && texts.cycles(cycles),
  ]
    .filter((text) => text !== false)
    .join(", ");
}

export type PriorValues = { flights: string; hours: string; cycles: string; until: string; note: string };

/** The values of the form as stored; `day` of something that isn't stored yet. */
export function valuesOf(stored: PriorFlights | undefined, day: string): PriorValues {
  const isNew = stored === undefined || priorText(stored) === "";
  if (isNew) return { flights: "", hours: "", cycles: "", until: day, note: "" };
  const { flights, minutes, cycles, until, note } = stored;
  const input = (count: number) => (count === 0 ? "" : String(count));
  return { flights: input(flights), hours: hoursInput(minutes), cycles: input(cycles), until, note };
}

function hoursInput(minutes: number): string {
  if (minutes === 0) return "";
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? String(hours) : `${hours}:${String(rest).padStart(2, "0")}`;
}

/** Minutes of "120", "120,5" or "120:30"; null for anything else, and for "1.250", which may mean 1250 hours. */
export function parseHours(text: string): number | null {
  const [, hours, minutes] = /^(\d{1,9}):([0-5]\d)$/.exec(text.trim()) ?? [];
  if (hours !== undefined) return Number(hours) * 60 + Number(minutes);
  const decimal = looksGrouped(text) ? null : parseNumber(text);
  return decimal === null ? null : Math.round(decimal * 60);
}

export function isWhole(text: string): boolean {
  return /^\d{0,9}$/.test(text.trim());
}

/** Whether there is no flight, hour or cycle: then nothing is stored. What isn't a number counts as one. */
export function isNothing({ flights, hours, cycles }: PriorValues): boolean {
  const isNoTime = hours.trim() === "" || parseHours(hours) === 0;
  return isNoTime && Number(flights) === 0 && Number(cycles) === 0;
}

export type PriorFields = { minutes?: number | string } & {
  [name in "flights" | "cycles" | "until" | "note"]?: string;
};

/**
 * What is sent: only what was typed, so that what another device saved meanwhile stays. `maybeStored` names the fields
 * of an earlier press whose answer was lost: they are sent in any case, because it may have stored something else.
 */
export function changedFields(
  typed: PriorValues,
  stored: PriorValues,
  maybeStored: ReadonlySet<string> = new Set(),
): PriorFields {
  const fields: PriorFields = {};
  const isNew = isNothing(stored);
  for (const name of ["flights", "cycles", "until", "note"] as const) {
    // Of something new the day is only proposed.
    const isSent = typed[name] !== stored[name] || (isNew && name === "until");
    if (isSent || maybeStored.has(name)) fields[name] = typed[name].trim();
  }
  if (typed.hours !== stored.hours || maybeStored.has("minutes"))
    fields.minutes = parseHours(typed.hours) ?? "";
  return fields;
}
