import { expect, test } from "vitest";
import { reading } from "../../../test/objects";
import { columnsOf } from "./charts";

const worst = (fields: Parameters<typeof reading>[0]) =>
  columnsOf(reading(fields))
    .filter(({ isWorst }) => isWorst)
    .map(({ cell }) => cell);

test("a cell stands out by its voltage, or by its resistance beside the usual one", () => {
  const even = [4.18, 4.18, 4.17, 4.18];
  expect(worst({ cellVoltages: [4.18, 4.15, 4.18, 4.18] })).toEqual([2]);
  expect(worst({ cellVoltages: even, resistances: [4, 9, 2, 6] })).toEqual([2]);
  expect(worst({ cellVoltages: even, resistances: [9, 4, 6, 2] })).toEqual([1]);
  expect(worst({ cellVoltages: even.slice(1), resistances: [8, 2, 6] })).toEqual([]);
});
