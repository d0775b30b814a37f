import { expect, test } from "vitest";
import type { Review } from "../../api/generated/Review";
import {
  draw,
  kilometres,
  type Picture,
  pictureOf,
  rowsOf,
  type Subject,
  type Tick,
  tickedAtFirst,
  ticks,
} from "./picture";

const flight = (value: number) => ({
  dpfId: "f",
  startTime: "03.05.2026 10:00",
  value,
  location: "Elbwiesen",
  copter: "Albatros",
  maximumDistance: null,
  maximumAltitude: null,
  firstImage: null,
  path: [],
});
const parts = (...names: string[]) => ({
  count: names.length,
  most: names.map((name) => ({ dpfId: name, name, flights: 1, minutes: 1 })),
});
const review: Review = {
  name: "",
  flights: 221,
  minutes: 1842,
  distance: 612.4,
  days: [{ day: "2026-05-03", flights: 221, minutes: 1842 }],
  months: [],
  monthsBefore: [],
  years: [],
  longest: flight(19),
  furthest: flight(502),
  highest: null,
  fastest: flight(131),
  places: parts("Elbwiesen", "Heide", "Kiesgrube", "Halle"),
  copters: parts("Albatros"),
  batteries: parts("Akku 5"),
  paths: [
    [0, 0, 300, 400],
    [0, 0, -500, 0, 0, 0],
  ],
};
const year: Subject = {
  review,
  year: 2026,
  of: "all",
  nickname: "Luftikus",
  today: "2026-11-24",
  turns: [1, 2],
};

const all = new Set<Tick>(ticks);
const without = (tick: Tick) => new Set(ticks.filter((one) => one !== tick));
const said = (picture: Picture) => JSON.stringify({ ...picture, line: [], calendar: null });

test("A picture says what is ticked, and at first neither a name nor a place", () => {
  const picture = pictureOf(year, tickedAtFirst);
  expect(picture).toMatchObject({ title: "Mein Flugjahr 2026", name: "", hours: "30:42", lists: [] });
  expect(picture.figures.map(({ value, label }) => `${value} ${label}`.replaceAll("\u00a0", " "))).toEqual([
    "221 Flüge",
    "1 Flugtag",
    "612 km Strecke",
    "19 min längster Flug",
    "502 m am weitesten",
    "131 km/h am schnellsten",
  ]);
  expect(picture.calendar?.squares.filter(({ level }) => level > 0)).toHaveLength(1);
  expect(pictureOf(year, new Set())).toMatchObject({
    figures: [],
    lists: [],
    calendar: null,
    hours: "30:42",
  });
});

test("Whatever else is ticked, a place is on it only when places are", () => {
  for (const of of ["all", "copter", "place"] as const) {
    const there = { ...year, of, review: { ...review, name: of === "place" ? "Elbwiesen" : of } };
    expect(said(pictureOf(there, without("places")))).not.toMatch(/Elbwiesen|Heide|Kiesgrube|Halle/);
    expect(said(pictureOf(there, all))).toContain("Elbwiesen");
    expect(said(pictureOf(there, all))).not.toContain("Halle");
  }
});

test("The pilot's name and a copter's are on the picture only when they are ticked", () => {
  expect(said(pictureOf(year, without("name")))).not.toContain("Luftikus");
  expect(said(pictureOf(year, all))).toContain("Luftikus");
  const of = { ...year, of: "copter" as const, review: { ...review, name: "Albatros" } };
  expect(said(pictureOf(of, without("copters")))).not.toContain("Albatros");
  expect(pictureOf(of, without("copters")).title).toBe("Mit einem Copter 2026");
  expect(pictureOf(of, all).title).toBe("Albatros 2026");
});

test("All time has no calendar", () => {
  const picture = pictureOf({ ...year, year: null }, all);
  expect(picture).toMatchObject({ title: "Alle meine Flüge", calendar: null });
});

test("Figures stand in rows of up to four, and lengths are as exact as one reads them", () => {
  expect(rowsOf([])).toEqual([]);
  expect(rowsOf([1, 2, 3, 4])).toEqual([[1, 2, 3, 4]]);
  expect(rowsOf([1, 2, 3, 4, 5])).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  expect([612.4, 3.46, 0.04].map(kilometres)).toEqual(["612\u00a0km", "3,5\u00a0km", "0\u00a0km"]);
});

test("The longest texts end at the edge of the picture", () => {
  const written: { text: string; x: number; align: string }[] = [];
  const canvas = new Proxy({} as Record<string, unknown>, {
    get: (own, name: string) => {
      if (name === "measureText") return (text: string) => ({ width: [...text].length * 20 });
      if (name === "fillText")
        return (text: string, x: number) => written.push({ text, x, align: String(own.textAlign) });
      if (name === "createLinearGradient") return () => ({ addColorStop: () => {} });
      return own[name] ?? (() => {});
    },
  }) as unknown as CanvasRenderingContext2D;
  const long = "Ä".repeat(150);
  const endless = { ...review, name: long, copters: parts(long, long), places: parts(long) };
  draw(canvas, pictureOf({ ...year, of: "place", review: endless, nickname: long }, all));
  expect(written.length).toBeGreaterThan(10);
  for (const { text, x, align } of written) {
    const width = [...text].length * 20;
    const [left, right] = align === "right" ? [x - width, x] : [x, x + width];
    expect([left >= 72, right <= 1080 - 72], text).toEqual([true, true]);
  }
});

test("The paths are on the picture unless they are switched off, each turned", () => {
  const turns = [Math.PI, Math.PI / 2];
  const { paths } = pictureOf({ ...year, turns }, tickedAtFirst);
  expect(paths.map((path) => path.map(({ x, y }) => [Math.round(x) + 0, Math.round(y) + 0]))).toEqual([
    [
      [0, 0],
      [-300, 240],
    ],
    [
      [0, 0],
      [0, -300],
      [0, 0],
    ],
  ]);
  expect(pictureOf(year, without("paths")).paths).toEqual([]);
});
