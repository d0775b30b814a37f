// What an answer of an earlier day says today: without network the lights follow the phone's calendar.
import type { CalendarDate } from "@internationalized/date";
import type { Light } from "../../api/generated/Light";
import type { Proof } from "../../api/generated/Proof";
import { parseDate } from "../../lib/dates";
import { proofs as texts } from "./texts";

/** `sentence` is empty when it isn't known. */
export type Today = { light: Light; sentence: string };

export function asOfToday(
  { light, sentence, until }: Pick<Proof, "light" | "sentence" | "until">,
  answeredOn: CalendarDate,
  today: CalendarDate,
): Today {
  const end = parseDate(until);
  if (end === null || answeredOn.compare(today) === 0) return { light, sentence };
  return end.compare(today) < 0 ? { light: "red", sentence: texts.expired } : { light, sentence: "" };
}
