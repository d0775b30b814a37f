// The lights of proofs by the phone's calendar.
import { expect, test } from "vitest";
import { asOfToday } from "./today";

const answered = { year: 2026, month: 11, day: 28 };
const proof = {
  light: "amber",
  sentence: "Läuft ab am 30.11.2026 (in 2 Tagen).",
  until: "30.11.2026",
} as const;

test("An answer of today says what the server says", () => {
  expect(asOfToday(proof, answered, answered)).toEqual({ light: "amber", sentence: proof.sentence });
});

test("The last day still counts, the day after it doesn't, and counted days aren't repeated later", () => {
  expect(asOfToday(proof, answered, { ...answered, day: 30 })).toEqual({ light: "amber", sentence: "" });
  expect(asOfToday(proof, answered, { year: 2026, month: 12, day: 1 })).toEqual({
    light: "red",
    sentence: "abgelaufen",
  });
});

test("A proof without an end keeps its sentence", () => {
  const endless = { light: "green", sentence: "Ohne Ablauf.", until: "" } as const;
  expect(asOfToday(endless, answered, { ...answered, year: 2035 })).toEqual({
    light: "green",
    sentence: "Ohne Ablauf.",
  });
});
