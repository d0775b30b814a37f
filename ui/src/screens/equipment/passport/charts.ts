// Geometry of a passport's drawings: columns of cells, axes, and positions of values. Pure functions.
import type { BatteryReading } from "../../../api/generated/BatteryReading";
import type { PlotAxis } from "../../../components/Plot";
import { earliestDate, parseDateTime, utcOf } from "../../../lib/dates";
import { shareOf } from "../../../lib/profile";

/** Volts per cell at the bottom and at the top of a column. */
const emptyCell = 3.2;
const fullCell = 4.2;
/** A cell stands out by this many volts below the others, or by this multiple of their resistance. */
const standsOutVolts = 0.03;
const standsOutTimes = 1.5;

type CellColumn = {
  cell: number;
  volts: number;
  ohms: number | null;
  /** Filled share of the column. */
  part: number;
  isWorst: boolean;
};

export function columnsOf({ cellVoltages, resistances }: BatteryReading): CellColumn[] {
  const highest = Math.max(...cellVoltages);
  const usual = medianOf(resistances);
  return cellVoltages.map((volts, at) => {
    const ohms = resistances[at] ?? null;
    const isLow = highest - volts >= standsOutVolts - 1e-9;
    const isHigh = ohms !== null && usual !== null && ohms >= usual * standsOutTimes;
    const part = (volts - emptyCell) / (fullCell - emptyCell);
    return { cell: at + 1, volts, ohms, part: Math.min(1, Math.max(0.04, part)), isWorst: isLow || isHigh };
  });
}

function medianOf(values: number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return null;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

export type Axis = PlotAxis & { lines: number[] };

const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200];

/** Returns an axis around these values, with two to five lines at round numbers. */
export function axisAround(values: number[]): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = steps.find((one) => (high - low) / one <= 3) ?? high - low;
  const first = Math.floor(low / step + 1e-9) * step;
  const last = Math.max(Math.ceil(high / step - 1e-9) * step, first + step);
  const count = Math.round((last - first) / step) + 1;
  return {
    low: first,
    high: last,
    lines: Array.from({ length: count }, (_, at) => Math.round((first + at * step) * 100) / 100),
  };
}

/** Resistances of one cell over time. `x` and `y` are from 0 to 1, y upwards. */
type CellLine = { cell: number; last: number; isWorst: boolean; points: { x: number; y: number }[] };

/** Returns the readings with internal resistances, oldest first, that have as many cells as the latest. */
export function resistancesOf(readings: BatteryReading[]): BatteryReading[] {
  const cells = readings.find(({ resistances }) => resistances.length > 0)?.resistances.length;
  return readings.filter(({ resistances }) => resistances.length === cells).toReversed();
}

export function cellLines(readings: BatteryReading[], axis: Axis): CellLine[] {
  const times = readings.map(({ time }) => utcOf(parseDateTime(time) ?? earliestDate));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const last = readings.at(-1)?.resistances ?? [];
  const worst = last.indexOf(Math.max(...last));
  return last.map((ohms, cell) => ({
    cell: cell + 1,
    last: ohms,
    isWorst: cell === worst,
    points: readings.map(({ resistances }, at) => ({
      x: to === from ? 1 : ((times[at] ?? 0) - from) / (to - from),
      y: shareOf(resistances[cell] ?? 0, axis.low, axis.high),
    })),
  }));
}
