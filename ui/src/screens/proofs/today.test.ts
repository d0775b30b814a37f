// The lights of proofs by the phone's calendar.
import { CalendarDate } from "@internationalized/date";
import { expect, test } from "vitest";
import { asOfToday } from "./today";

const answered = new CalendarDate(2026, 11, 28);
const proof = {
  light: "amber",
  sentence: "Läuft ab am 30.11.2026 (in 2 Tagen).",
  until: "30.11.2026",
} as const;

test("An answer of today says what the server says", () => {
  expect(asOfToday(proof, answered, answered)).toEqual({ light: "amber", sentence: proof.sentence });
});

test("The last day still counts, the day after it doesn't, and counted days aren't repeated later", () => {
  expect(asOfToday(proof, answered, answered.add({ days: 2 }))).toEqual({ light: "amber", sentence: "" });
  expect(asOfToday(proof, answered, answered.add({ days: 3 }))).toEqual({
    light: "red",
    sentence: "abgelaufen",
  });
});

test("What has no end stays as it is", () => {
  const endless = { light: "green", sentence: "Ohne Ablauf.", until: "" } as const;
  expect(asOfToday(endless, answered, answered.add({ years: 9 }))).toEqual({
    light: "green",
    sentence: "Ohne Ablauf.",
  });
});
