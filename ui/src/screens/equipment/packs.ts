// Battery packs in their list: their order, what a row says of one, and what is proposed for its charging. Rules only:
// no React, no server.
import type { Charging } from "../../api/generated/Charging";
import type { Equipment } from "../../api/generated/Equipment";
import type { PackState } from "../../api/generated/PackState";
import { shortTime, sortableTime } from "../../lib/dates";
import { numberToInput } from "../../lib/numbers";
import { equipment as texts } from "../../texts";
import { kindOf } from "./chargings";

/** The state that a row shows: a charging that this browser has just started counts at once. */
export function stateOf({ state, lastCharging }: Equipment): PackState | null {
  return lastCharging !== null && state !== "flying" ? "charging" : state;
}

const first: (PackState | null)[] = ["flying", "charging", "full"];

/** In the air, on the charger, full, and then the others; each by name, as they come. */
export function readyFirst(packs: Equipment[]): Equipment[] {
  const rank = (pack: Equipment) => {
    const place = first.indexOf(stateOf(pack));
    return place === -1 ? first.length : place;
  };
  return packs.toSorted((one, other) => rank(one) - rank(other));
}

/** Since when it is in the air or on the charger: "16:43", on another day "20.11. 16:43". Else "". */
export function sinceOf(pack: Equipment, today: string): string {
  const since = { flying: pack.lastFlight, charging: pack.lastCharging?.chargeStartTime };
  const state = stateOf(pack);
  const time = (state === "flying" || state === "charging" ? since[state] : "") ?? "";
  if (time === "") return "";
  return texts.since(shortTime(time, today));
}

/** Volts; of one cell that is full. */
const fullCell = 4.2;

/** Only of a pack whose texts say how many cells it has: a number guessed from a low voltage is too small. */
function fullVoltage({ cells, batteryType, model, name }: Equipment): number | null {
  const said = new RegExp(`(?<![\\w.,])${cells} ?s(?![a-zäöüß])`, "i");
  if (cells === null || !said.test([batteryType, model, name].join("\n"))) return null;
  return Math.round(cells * fullCell * 100) / 100;
}

/** The voltage that a charging of this pack most likely begins with; "" when it isn't known. */
export function proposedStart({ state, currentCharge }: Equipment): { fromVoltage: string } {
  return { fromVoltage: state === null ? "" : numberToInput(currentCharge) };
}

/**
 * The likely end of the open charging of this pack: the voltage that it was charged to before, and what its
 * flights have taken since then. "" for what nobody can say.
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
  // Before its first charging here a pack that flew more than once was charged elsewhere.
  const isSince = before !== undefined || flights.length === 1;
  const isKnown = isWhole && isSince && !taken.includes(null);
  return {
    toVoltage: numberToInput(before?.toVoltage ?? fullVoltage(pack)),
    charged: isKnown ? numberToInput(taken.reduce<number>((sum, one) => sum + (one ?? 0), 0)) : "",
  };
}
