// The start weight: copter, batteries, video cameras and payloads.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Kind } from "../../api/generated/Kind";
import { kinds } from "../../api/kinds";
import { startWeight } from "./startWeight";

const weights = fc.integer({ min: 0, max: 1_000_000 }).map((tenths) => tenths / 10);
const items = fc.array(
  fc.record({ type: fc.constantFrom(...kinds), weight: fc.option(weights, { nil: null }) }),
  { maxLength: 12 },
);
const payloads = fc.array(fc.record({ name: fc.string(), weight: weights }), { maxLength: 12 });

test("goggles and transmitters never count", () => {
  fc.assert(
    fc.property(items, payloads, (chosen, carried) => {
      const onBoard = chosen.filter((item) => item.type !== Kind.Goggles && item.type !== Kind.Transmitter);
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
  expect(startWeight([{ type: Kind.Copter, weight: null }], [])).toBe(0);
  expect(startWeight([], [])).toBe(0);
});

test("binary fractions are rounded away", () => {
  expect(startWeight([], [{ weight: 0.1 }, { weight: 0.2 }])).toBe(0.3);
  expect(
    startWeight(
      [
        { type: Kind.Copter, weight: 680 },
        { type: Kind.Battery, weight: 205.5 },
        { type: Kind.Goggles, weight: 300 },
        { type: Kind.VideoCamera, weight: 154 },
      ],
      [{ weight: 9.5 }],
    ),
  ).toBe(1049);
});
