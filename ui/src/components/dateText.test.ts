// The text of a typed date.
import { expect, test } from "vitest";
import { dateError, type Part, pastedValue, textOfParts, toText } from "./dateText";

function parts(values: Record<string, number | null>): Part[] {
  const typed = Object.entries(values).map(([type, value]) => ({
    type,
    value: value ?? undefined,
    isPlaceholder: value === null,
    isEditable: true,
  }));
  return typed.flatMap((part) => [part, { type: "literal", isPlaceholder: false, isEditable: false }]);
}

test("nothing typed is an empty text, and some of it is no date", () => {
  expect(textOfParts(parts({ day: null, month: null, year: null }), false)).toBe("");
  const some = textOfParts(parts({ day: 3, month: null, year: 2026 }), false);
  expect(dateError(some, false)).toBe("Ungültige Eingabe");
});

test("a typed date is its text, with its time", () => {
  expect(textOfParts(parts({ day: 3, month: 5, year: 2026 }), false)).toBe("03.05.2026");
  expect(textOfParts(parts({ day: 3, month: 5, year: 2026, hour: 9, minute: 5 }), true)).toBe(
    "03.05.2026 09:05",
  );
});

test("a year of two digits is one of this century", () => {
  expect(textOfParts(parts({ day: 1, month: 5, year: 24 }), false)).toBe("01.05.2024");
  expect(textOfParts(parts({ day: 1, month: 5, year: 5, hour: 9, minute: 5 }), true)).toBe(
    "01.05.2005 09:05",
  );
  expect(dateError(textOfParts(parts({ day: 1, month: 5, year: 202 }), false), false)).toBe(
    "Das Jahr muss zwischen 1900 und 2099 liegen.",
  );
});

test("a day that doesn't exist stays as typed, and the error names it", () => {
  const text = textOfParts(parts({ day: 31, month: 2, year: 2026 }), false);
  expect(dateError(text, false)).toBe("Ungültige Eingabe: 31.02.2026");
});

test("a date of another century is no wrong format", () => {
  for (const text of ["03.05.1899", "03.05.2100"]) {
    expect(dateError(text, false)).toBe("Das Jahr muss zwischen 1900 und 2099 liegen.");
    expect(dateError(`${text} 09:05`, true)).toBe("Das Jahr muss zwischen 1900 und 2099 liegen.");
  }
});

test.each([
  ["03.05.2026 09:05", true, "03.05.2026 09:05"],
  ["03.05.2026", true, "03.05.2026 00:00"],
  ["03.05.2026 09:05", false, "03.05.2026"],
  ["1.5.24", false, "01.05.2024"],
  ["1.5.24 9:05", true, "01.05.2024 09:05"],
  ["morgen", true, ""],
])("%j is pasted as a date", (text, withTime, pasted) => {
  expect(toText(pastedValue(text, withTime))).toBe(pasted);
});
