// The pages of a list after a change, compared with those that the server would answer.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type FlightsPage, withFlight } from "./flightLists";
import type { FlightRow } from "./generated/FlightRow";

function row(id: number, minute: number): FlightRow {
  const startTime = `01.03.2026 10:${String(minute).padStart(2, "0")}`;
  return { dpfId: String(id).padStart(2, "0"), startTime } as FlightRow;
}

/** Newest start first; in the same minute the later id. */
function inOrder(rows: FlightRow[]): FlightRow[] {
  return [...rows].sort((one, other) =>
    `${one.startTime} ${one.dpfId}` < `${other.startTime} ${other.dpfId}` ? 1 : -1,
  );
}

function firstPages(rows: FlightRow[], size: number, count: number): FlightsPage[] {
  const pages: FlightsPage[] = [];
  for (let page = 0; page < count; page++) {
    const part = rows.slice(page * size, (page + 1) * size);
    pages.push({ rows: part, isLast: part.length < size });
    if (part.length < size) break;
  }
  return pages;
}

const minutes = fc.integer({ min: 0, max: 5 });
const flown = fc.uniqueArray(fc.record({ id: fc.nat(40), minute: minutes }), {
  selector: ({ id }) => id,
  maxLength: 12,
});

test("after any change the pages have the newest flights, none is left out, none is there twice", () => {
  fc.assert(
    fc.property(
      flown,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(40),
      fc.option(minutes),
      (flights, size, count, id, minute) => {
        const before = inOrder(flights.map((flight) => row(flight.id, flight.minute)));
        const changed = minute === null ? null : row(id, minute);
        const { dpfId } = row(id, 0);
        const others = before.filter((flight) => flight.dpfId !== dpfId);
        const after = inOrder(changed ? [...others, changed] : others);
        const loaded = firstPages(before, size, count);

        const patched = withFlight(loaded, dpfId, changed);

        const rows = patched.flatMap((page) => page.rows);
        expect(rows).toEqual(after.slice(0, rows.length));
        // All other rows stay.
        const shown = loaded.flatMap((page) => page.rows).filter((flight) => flight.dpfId !== dpfId);
        expect(rows).toEqual(expect.arrayContaining(shown));
        if (patched.at(-1)?.isLast) expect(rows).toEqual(after);
        expect(patched.map(({ isLast }) => isLast)).toEqual(loaded.map(({ isLast }) => isLast));
      },
    ),
    { numRuns: 1000 },
  );
});

test("a flight that only gets another text keeps its place, at the end of what is loaded too", () => {
  const pages = [{ rows: [row(2, 2), row(1, 1)], isLast: false }];
  const saved = { ...row(1, 1), location: "Elbdeich" };
  expect(withFlight(pages, "01", saved)).toEqual([{ rows: [row(2, 2), saved], isLast: false }]);
});
