// The start weight: copter, batteries, video cameras and payloads.
import fc from "fast-check";
import { expect, test } from "vitest";
import { startWeight } from "./weight";

const weights = fc.integer({ min: 0, max: 1_000_000 }).map((tenths) => tenths / 10);
const items = fc.array(
  fc.record({ type: fc.integer({ min: 0, max: 4 }), weight: fc.option(weights, { nil: null }) }),
  { maxLength: 12 },
);
const payloads = fc.array(fc.record({ name: fc.string(), weight: weights }), { maxLength: 12 });

test("goggles and transmitters never count", () => {
  fc.assert(
    fc.property(items, payloads, (chosen, carried) => {
      const onBoard = chosen.filter((item) => item.type !== 2 && item.type !== 3);
      expect(startWeight(chosen, carried)).toBe(startWeight(onBoard, carried));
    }),
  );
});

test("items and payloads add up, in any order", () => {
  fc.assert(
    fc.property(items, payloads, (chosen, carried) => {
      const together = startWeight(chosen, carried);
      expect(startWeight([...chosen].reverse(), [...carried].reverse())).toBe(together);
      expect(together).toBeCloseTo(startWeight(chosen, []) + startWeight([], carried), 3);
    }),
  );
});

test("no weight counts nothing", () => {
  expect(startWeight([{ type: 0, weight: null }], [])).toBe(0);
  expect(startWeight([], [])).toBe(0);
});

test("binary fractions make no noise", () => {
  expect(startWeight([], [{ weight: 0.1 }, { weight: 0.2 }])).toBe(0.3);
  expect(
    startWeight(
      [
        { type: 0, weight: 680 },
        { type: 1, weight: 205.5 },
        { type: 2, weight: 300 },
        { type: 4, weight: 154 },
      ],
      [{ weight: 9.5 }],
    ),
  ).toBe(1049);
});
