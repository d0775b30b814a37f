// The view of the flight list: its filters, its order, and its address.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FlightRow } from "../../api/generated/FlightRow";
import {
  coptersOf,
  flightsIn,
  isNarrowed,
  type ListView,
  nextSort,
  parametersOf,
  type SortColumn,
  sortNames,
  sortText,
  totalMinutes,
  viewOf,
  wholeList,
  yearsOf,
} from "./listView";

function item(dpfId: string, name: string, type = 0) {
  return { dpfId, type, name, model: "", weight: null };
}

function flight(dpfId: string, fields: Partial<FlightRow>): FlightRow {
  return {
    dpfId,
    startTime: "01.03.2026 09:05",
    location: "",
    startLatitude: null,
    startLongitude: null,
    distance: null,
    maximumDistance: null,
    maxDistance: null,
    speed: null,
    flightTime: null,
    maximumAltitude: null,
    weight: 0,
    open: false,
    copter: item("c1", "Nazgul F5"),
    equipments: [],
    payloads: [],
    firstImage: null,
    path: [],
    ...fields,
  };
}

/** Newest first, like the server's answer. */
const rows = [
  flight("d", { startTime: "02.01.2026 08:00", location: "Elbdeich", flightTime: 12 }),
  flight("c", { startTime: "31.12.2025 23:59", location: "Äußere Heide", flightTime: 5, open: true }),
  flight("b", { startTime: "01.02.2025 10:00", copter: item("c2", "Mavic"), flightTime: 65 }),
  flight("a", {
    startTime: "15.01.2025 10:00",
    location: "Zeltplatz",
    equipments: [item("e1", "Akku 7", 1)],
    payloads: [{ name: "Kescher", weight: 10 }],
  }),
];

function idsIn(view: Partial<ListView>): string {
  return flightsIn(rows, { ...wholeList, ...view })
    .map(({ dpfId }) => dpfId)
    .join("");
}

test("the whole list has the newest first and the open flight on top", () => {
  expect(idsIn({})).toBe("cdba");
});

test("a year, a copter and words leave flights out, alone and together", () => {
  expect(idsIn({ year: "2025" })).toBe("cba");
  expect(idsIn({ copter: "c1" })).toBe("cda");
  expect(idsIn({ text: "elb" })).toBe("d");
  expect(idsIn({ text: "akku kescher" })).toBe("a");
  expect(idsIn({ text: "mavic", year: "2026" })).toBe("");
  expect(idsIn({ text: "2025 nazgul" })).toBe("ca");
});

test("each order goes both ways, by German letters and real times, and flights without a value come last", () => {
  const byPlace = (isDescending: boolean) => idsIn({ sort: { column: "location", isDescending } });
  expect(byPlace(false)).toBe("cdab");
  expect(byPlace(true)).toBe("cadb");
  expect(idsIn({ sort: { column: "startTime", isDescending: false } })).toBe("cabd");
  expect(idsIn({ sort: { column: "flightTime", isDescending: true } })).toBe("cbda");
  expect(idsIn({ sort: { column: "flightTime", isDescending: false } })).toBe("cdba");
});

const anyView: fc.Arbitrary<ListView> = fc.record({
  text: fc.string().map((text) => text.trim()),
  year: fc.constantFrom("", "2025", "1999"),
  copter: fc.constantFrom("", "c1", "nobody"),
  sort: fc.record({
    column: fc.constantFrom(...(Object.keys(sortNames) as SortColumn[])),
    isDescending: fc.boolean(),
  }),
});

test("the address says all of it, and nothing of the list as it is at first", () => {
  fc.assert(
    fc.property(anyView, (view) => {
      expect(viewOf(new URLSearchParams(parametersOf(view).toString()))).toEqual(view);
    }),
  );
  expect(parametersOf(wholeList).toString()).toBe("");
  expect(viewOf(new URLSearchParams("sortierung=unsinn"))).toEqual(wholeList);
});

test("in every view no flight is invented or shown twice, and only a filter leaves one out", () => {
  fc.assert(
    fc.property(anyView, (view) => {
      const found = flightsIn(rows, view);
      expect(new Set(found).size).toBe(found.length);
      expect(rows).toEqual(expect.arrayContaining(found));
      if (!isNarrowed(view)) expect(found.length).toBe(rows.length);
    }),
  );
});

test("a heading first shows what is great or new, or A before Z, and then turns round", () => {
  const byTime = nextSort(wholeList.sort, "flightTime");
  expect(sortText(byTime)).toBe("-flugzeit");
  expect(sortText(nextSort(byTime, "flightTime"))).toBe("flugzeit");
  expect(sortText(nextSort(byTime, "location"))).toBe("ort");
  expect(sortText(nextSort(wholeList.sort, "startTime"))).toBe("startzeit");
});

test("years, copters and minutes are those of the flights", () => {
  expect(yearsOf(rows)).toEqual(["2026", "2025"]);
  expect(coptersOf(rows).map(({ name }) => name)).toEqual(["Mavic", "Nazgul F5"]);
  expect(totalMinutes(rows)).toBe(82);
});
