// Battery packs in their list: order, texts of a row, and proposed values of a charging. Pure functions: no React, no
// server.

import type { Charging } from "../../api/generated/Charging";
import type { Equipment } from "../../api/generated/Equipment";
import type { PackHint } from "../../api/generated/PackHint";
import type { PackState } from "../../api/generated/PackState";
import { areCellsEntered } from "../../components/packs/cells";
import { packs as packTexts } from "../../components/packs/texts";
import { equipment as texts } from "../../components/texts/equipment";
import {
  type DayTime,
  formatDate,
  formatDateTime,
  minutesBetween,
  parseDateTime,
  shortTime,
  sortableTime,
} from "../../lib/dates";
import { numberToInput } from "../../lib/numbers";
import { kindOf } from "./chargings";

/** Returns the state to show. A charging that this browser has just started is taken into account at once. */
export function stateOf({ state, lastCharging }: Equipment): PackState | null {
  return lastCharging !== null && state !== "flying" ? "charging" : state;
}

const groupNames = ["attention", "flying", "charging", "full", "empty", "unknown", "storage"] as const;
type GroupName = (typeof groupNames)[number];

function groupNameOf(pack: Equipment, isWaiting: boolean): GroupName {
  const state = stateOf(pack);
  if (state === "flying") return "flying";
  if (isWaiting) return "attention";
  if (state === "low" || state === "partial") return "empty";
  return state ?? "unknown";
}

/**
 * Groups packs by what their pilot does next; the order within a group stays, the urgent ones first. `waiting`: a hint
 * of each pack that waits for an action.
 */
export function groupsOf(
  packs: Equipment[],
  waiting: readonly PackHint[],
): { name: GroupName; packs: Equipment[] }[] {
  const ids = new Set(waiting.map(({ dpfId }) => dpfId));
  return groupNames.flatMap((name) => {
    const here = packs.filter((pack) => groupNameOf(pack, ids.has(pack.dpfId)) === name);
    return here.length === 0 ? [] : [{ name, packs: here.toSorted(byAttention) }];
  });
}

const dayMinutes = 24 * 60;

/** Returns the number of whole days (24 hours) since the pack entered its state; null if unknown. */
function daysInState({ stateSince }: Equipment, now: DayTime): number | null {
  const since = parseDateTime(stateSince);
  return since === null ? null : Math.max(0, Math.floor(minutesBetween(since, now) / dayMinutes));
}

/** From this number of days on, the date is shown instead. */
const countedDays = 60;

/**
 * Returns since when a pack is in its state. In the air or charging: "seit 16:43", or "seit 20.11. 16:43" on another
 * day; stored: "seit 14.10."; else "seit 3 Tagen". "" if unknown.
 */
export function sinceOf(pack: Equipment, now: DayTime): string {
  const state = stateOf(pack);
  const today = formatDate(now);
  if (state === "flying" || state === "charging") {
    const since = { flying: pack.lastFlight, charging: pack.lastCharging?.chargeStartTime };
    const time = since[state] ?? "";
    return time === "" ? "" : texts.since(shortTime(time, today));
  }
  const days = daysInState(pack, now);
  if (state === null || days === null) return "";
  const day = pack.stateSince.split(" ")[0] ?? "";
  const isAhead = sortableTime(pack.stateSince) > sortableTime(formatDateTime(now));
  if (days === 0) return day === today || isAhead ? packTexts.sinceToday : packTexts.sinceYesterday;
  if (state !== "storage" && days <= countedDays) return packTexts.sinceDays(days);
  return packTexts.sinceDay(day.slice(6) === today.slice(6) ? day.slice(0, 6) : day);
}

/** Whether one tap can mark the pack as charged or stored. */
export function canQuickCharge(pack: Equipment): boolean {
  return pack.state !== "flying" && (pack.deactivateTime === "" || pack.lastCharging !== null);
}

/** Compares packs by the urgency of their maintenance hints; packs without one come last. */
export function byAttention(one: Equipment, other: Equipment): number {
  const rank = ({ light }: Equipment) => (light === "red" ? 0 : light === "amber" ? 1 : 2);
  return rank(one) - rank(other);
}

/** Volts of a full cell. */
const fullCell = 4.2;

function fullVoltage(pack: Equipment): number | null {
  if (pack.cells === null || !areCellsEntered(pack)) return null;
  return Math.round(pack.cells * fullCell * 100) / 100;
}

/** Returns the most likely voltage at the start of a charging; "" if unknown. */
export function proposedStart({ stateVoltage }: Equipment): { fromVoltage: string } {
  return { fromVoltage: numberToInput(stateVoltage) };
}

/**
 * Returns the likely end of the pack's open charging: the voltage of the last charging, and the capacity that the
 * flights since then have used. "" for an unknown value.
 */
export function proposedEnd(pack: Equipment, history: Charging[]): { toVoltage: string; charged: string } {
  const finished = history.filter((entry) => kindOf(entry) !== "open");
  const before = finished.find((entry) => kindOf(entry) === "charge");
  const flights = finished.filter(
    ({ flight, chargeStartTime }) =>
      flight !== null &&
      (before === undefined || sortableTime(chargeStartTime) >= sortableTime(before.chargeStartTime)),
  );
  // A flight without a voltage has no entry.
  const isWhole = flights.some(({ chargeStartTime }) => chargeStartTime === pack.lastFlight);
  const taken = flights.map(({ charged }) => charged);
  // Before its first charging here, a pack that flew more than once was charged elsewhere.
  const isSince = before !== undefined || flights.length === 1;
  const isKnown = isWhole && isSince && !taken.includes(null);
  return {
    toVoltage: numberToInput(before?.toVoltage ?? fullVoltage(pack)),
    charged: isKnown ? numberToInput(taken.reduce<number>((sum, one) => sum + (one ?? 0), 0)) : "",
  };
}
