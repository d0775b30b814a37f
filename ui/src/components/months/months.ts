// Months of the chart: always twelve, including those without a flight. Pure.
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightMonth } from "../../api/generated/FlightMonth";

const monthsShown = 12;

/** The twelve months up to the last one with a flight. */
export function lastMonths(months: FlightMonth[]): FlightMonth[] {
  const [year = 0, month = 0] = (months.at(-1)?.month ?? "").split("-").map(Number);
  return twelveFrom(months, year, month - monthsShown);
}

/** January to December. */
export function monthsOf(months: FlightMonth[], year: string): FlightMonth[] {
  return twelveFrom(months, Number(year), 0);
}

/** `first` is the month's index from January (0) of `year`; negative in the year before. */
function twelveFrom(months: FlightMonth[], year: number, first: number): FlightMonth[] {
  const known = new Map(months.map((one) => [one.month, one]));
  return Array.from({ length: monthsShown }, (_, position) => {
    const month = nameOf(year, first + position);
    return known.get(month) ?? { month, flights: 0, minutes: 0 };
  });
}

function nameOf(year: number, month: number): string {
  const inYear = ((month % 12) + 12) % 12;
  return `${year + Math.floor(month / 12)}-${String(inYear + 1).padStart(2, "0")}`;
}

/** The years with a flight, newest first. */
export function yearsOf(months: FlightMonth[]): string[] {
  const flown = months.filter(({ flights }) => flights > 0).map(({ month }) => month.slice(0, 4));
  return [...new Set(flown)].reverse();
}

/** Half of the last digit of an item's hours, in minutes, and what the sum of decimals is off. */
const roundingMinutes = 0.31;

/**
 * Returns the minutes of an item's flights from its months. Undefined while the months aren't known, and for an item
 * that others flew, too: months hold only the pilot's own flights.
 */
export function minutesOf(
  { usageTime }: Pick<Equipment, "usageTime">,
  months: FlightMonth[] | undefined,
): number | undefined {
  if (months === undefined) return undefined;
  const { minutes } = totalOf(months);
  return Math.abs(minutes - usageTime * 60) <= roundingMinutes ? minutes : undefined;
}

export function totalOf(months: FlightMonth[]): { flights: number; minutes: number } {
  return {
    flights: months.reduce((sum, month) => sum + month.flights, 0),
    minutes: months.reduce((sum, month) => sum + month.minutes, 0),
  };
}
