// What an answer of an earlier day says today: without network the lights follow the phone's calendar.
import type { Light } from "../../api/generated/Light";
import type { Proof } from "../../api/generated/Proof";
import { type Day, parseDate, utcOf } from "../../lib/dates";
import { proofs as texts } from "./texts";

/** `sentence` is empty when it isn't known. */
export type Today = { light: Light; sentence: string };

export function asOfToday(
  { light, sentence, until }: Pick<Proof, "light" | "sentence" | "until">,
  answeredOn: Day,
  today: Day,
): Today {
  const end = parseDate(until);
  if (end === null || dayOf(answeredOn) === dayOf(today)) return { light, sentence };
  return dayOf(end) < dayOf(today) ? { light: "red", sentence: texts.expired } : { light, sentence: "" };
}

/** Without the time that a day may have. */
function dayOf({ year, month, day }: Day): number {
  return utcOf({ year, month, day });
}
