// The state of a pack by its voltage while the server doesn't answer.
import { expect, test } from "vitest";
import { Chemistry } from "../api/generated/Chemistry";
import { emptyVolts, fullVolts, stateAt } from "./cells";

const pack = (cells: number | null, chemistry: Chemistry | null = null, model = "") => ({
  ...{ cells, chemistry, model },
  batteryType: "",
});

test.each([
  [Chemistry.Polymer, 3.3, "empty", 3.7, "storage", 4.1],
  [Chemistry.HighVoltage, 3.3, "empty", 3.75, "storage", 4.25],
  [Chemistry.Ion, 2.9, "empty", 3.4, "storage", 4.1],
])(
  "a value at a border belongs to the upper state (chemistry %i)",
  (chemistry, low, empty, top, storage, full) => {
    const six = pack(6, chemistry);
    const at = (volts: number) => stateAt(six, Math.round(volts * 600) / 100);
    expect([at(low - 0.01), at(low), at(top - 0.01), at(top)]).toEqual(["low", empty, empty, storage]);
    expect([at(full - 0.01), at(full)]).toEqual(["partial", "full"]);
  },
);

test.each([
  [pack(6), 22.14, 25.2],
  [pack(4, null, "LiHV 4S"), 14.96, 17.4],
  [pack(4, null, "Graphene HV 650"), 14.96, 17.4],
  [pack(6, Chemistry.Polymer, "LiHV"), 22.14, 25.2],
  [pack(6, null, "Li-Ion 21700"), 20.34, 25.2],
  [pack(null), null, null],
])("%o is empty at %d V and full at %d V", (one, empty, full) => {
  expect([emptyVolts(one), fullVolts(one)]).toEqual([empty, full]);
  if (empty !== null) expect(stateAt(one, empty)).toBe("empty");
});
