// Draws the picture to save or share on a canvas: what the pilot ticked, and nothing else.
import type { Review } from "../../api/generated/Review";
import type { ReviewPart } from "../../api/generated/ReviewPart";
import { formatNumber, formatQuantity, hoursText } from "../../lib/numbers";
import { fittingBox, pointsOf } from "../../lib/paths";
import type { Point } from "../../lib/sketch";
import { calendarOf, type Line, lineOf, spanOf } from "./review";
import { review as texts } from "./texts";

/** Optional parts besides the hours, in the order of the form. */
export const ticks = [
  "paths",
  "figures",
  "distance",
  "records",
  "calendar",
  "copters",
  "name",
  "places",
] as const;

export type Tick = (typeof ticks)[number];

/** Name and places would identify the pilot: they are added only when ticked. */
export const tickedAtFirst: ReadonlySet<Tick> = new Set([
  "paths",
  "figures",
  "distance",
  "records",
  "calendar",
]);

/** Content of a picture. */
export type Picture = {
  title: string;
  name: string;
  hours: string;
  figures: { value: string; label: string }[];
  lists: { label: string; names: string[] }[];
  line: Line;
  /** Drawn instead of the line, the newest last; none if not ticked. */
  paths: Point[][];
  /** Level of each day of the year, from 0 to 4. */
  calendar: { columns: number; squares: { column: number; row: number; level: number }[] } | null;
};

export type Subject = {
  review: Review;
  /** Null for all time. */
  year: number | null;
  of: "all" | "copter" | "place";
  nickname: string;
  today: string;
  /** The turn of each path in radians: no place can be read from paths that are turned at random. */
  turns: readonly number[];
};

/** Slant of the paths. */
const tilt = 0.6;
const maxNames = 3;
const maxFigures = 8;

export function pictureOf(subject: Subject, ticked: ReadonlySet<Tick>): Picture {
  const { review, year, nickname, today, turns } = subject;
  const { span, until } = spanOf(review.days, year, today);
  const days = new Map(review.days.map((day) => [day.day, day]));
  const list = (tick: "copters" | "places", label: string, { most }: { most: ReviewPart[] }) =>
    ticked.has(tick) && most.length > 0
      ? [{ label, names: most.slice(0, maxNames).map(({ name }) => name) }]
      : [];
  return {
    title: titleOf(subject, ticked),
    name: ticked.has("name") ? nickname : "",
    hours: hoursText(review.minutes),
    figures: figuresOf(review, ticked).slice(0, maxFigures),
    lists: [
      ...list("copters", texts.coptersTitle, review.copters),
      ...list("places", texts.placesTitle, review.places),
    ],
    line: lineOf(review.days, span, until, review.minutes),
    paths: ticked.has("paths") ? review.paths.map((path, at) => turned(pointsOf(path), turns[at] ?? 0)) : [],
    calendar: ticked.has("calendar") && year !== null ? calendarOf(year, days, [0, 11]) : null,
  };
}

function turned(points: Point[], turn: number): Point[] {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return points.map(({ x, y }) => ({ x: x * cos - y * sin, y: (x * sin + y * cos) * tilt }));
}

function titleOf({ review, year, of }: Subject, ticked: ReadonlySet<Tick>): string {
  const period = year === null ? "" : ` ${year}`;
  if (of === "copter") return (ticked.has("copters") ? review.name : texts.picture.withCopter) + period;
  if (of === "place") return (ticked.has("places") ? review.name : texts.picture.atPlace) + period;
  return year === null ? texts.picture.allMyFlights : texts.picture.myYear(year);
}

function figuresOf(review: Review, ticked: ReadonlySet<Tick>): Picture["figures"] {
  const { picture } = texts;
  const of = (tick: Tick, value: string | null, label: string) =>
    ticked.has(tick) && value !== null ? [{ value, label }] : [];
  const record = (best: { value: number } | null, unit: string) =>
    best === null ? null : formatQuantity(best.value, unit);
  const days = review.days.length;
  return [
    ...of("figures", formatNumber(review.flights), texts.flightsWord(review.flights)),
    ...of("figures", formatNumber(days), texts.daysWord(days)),
    ...of("distance", review.distance > 0 ? kilometres(review.distance) : null, texts.distance),
    ...of("records", record(review.longest, "min"), picture.longest),
    ...of("records", record(review.furthest, "m"), picture.furthest),
    ...of("records", record(review.highest, "m"), picture.highest),
    ...of("records", record(review.fastest, "km/h"), picture.fastest),
  ];
}

/** Formats "612 km", "3,5 km". */
export function kilometres(distance: number): string {
  return formatQuantity(distance >= 100 ? Math.round(distance) : Math.round(distance * 10) / 10, "km");
}

export const pictureSize = { width: 1080, height: 1350 };

const colours = {
  ground: "#0e1a27",
  text: "#f3f8fd",
  quiet: "#a9bdd0",
  edge: "#2b4056",
  line: "#46d0e6",
  deep: "#3d7cf0",
  levels: ["#1c2b3a", "#1f4f9a", "#3d7cf0", "#46d0e6", "#eafff9"],
};
const margin = 72;
const inner = pictureSize.width - 2 * margin;
const family = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

type Canvas = CanvasRenderingContext2D;

/** Shortens a text to a width. */
function fitted(canvas: Canvas, text: string, width: number): string {
  if (canvas.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length > 1 && canvas.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

type Style = {
  x: number;
  y: number;
  size: number;
  weight?: number;
  colour?: string;
  width?: number;
  align?: CanvasTextAlign;
};

/** Draws a text, and returns its width. */
function write(
  canvas: Canvas,
  text: string,
  { x, y, size, weight = 400, colour = colours.text, width = inner, align = "left" }: Style,
): number {
  canvas.font = `${weight} ${size}px ${family}`;
  canvas.fillStyle = colour;
  canvas.textAlign = align;
  const shown = fitted(canvas, text, width);
  canvas.fillText(shown, x, y);
  return canvas.measureText(shown).width;
}

/** Draws a whole text, in smaller letters if needed. */
function writeWhole(canvas: Canvas, text: string, { width, ...style }: Style & { width: number }): number {
  canvas.font = `${style.weight ?? 400} ${style.size}px ${family}`;
  const fitting = Math.min(style.size, Math.floor((style.size * width) / canvas.measureText(text).width));
  return write(canvas, text, { ...style, size: fitting });
}

/** Draws the picture from the bottom up; the line gets the remaining height. */
export function draw(canvas: Canvas, picture: Picture): void {
  canvas.fillStyle = colours.ground;
  canvas.fillRect(0, 0, pictureSize.width, pictureSize.height);
  canvas.textBaseline = "alphabetic";
  write(canvas, "Fluglog", { x: margin, y: 112, size: 36, weight: 700 });
  const nameEdge = { x: pictureSize.width - margin, align: "right" as const };
  write(canvas, picture.name, { ...nameEdge, y: 112, size: 36, colour: colours.quiet, width: inner - 240 });
  write(canvas, picture.title, { x: margin, y: 206, size: 54, weight: 700 });
  let foot = pictureSize.height - margin;
  if (picture.calendar) foot = drawCalendar(canvas, picture.calendar, foot) - 44;
  for (const { label, names } of picture.lists.toReversed()) {
    const width = write(canvas, label, { x: margin, y: foot, size: 30, colour: colours.quiet });
    const begin = Math.max(width + 24, 140);
    write(canvas, names.join(" · "), { x: margin + begin, y: foot, size: 30, width: inner - begin });
    foot -= 52;
  }
  if (picture.lists.length > 0) foot -= 16;
  for (const row of rowsOf(picture.figures).toReversed()) foot = drawFigures(canvas, row, foot) - 36;
  const wide = writeWhole(canvas, picture.hours, {
    x: margin,
    y: foot - 8,
    size: 190,
    weight: 700,
    width: 660,
  });
  const [first = "", ...rest] = texts.inTheAir.split(" ");
  const beside = margin + wide + 32;
  write(canvas, first, { x: beside, y: foot - 62, size: 40, weight: 600, width: inner - wide - 32 });
  write(canvas, rest.join(" "), { x: beside, y: foot - 12, size: 40, weight: 600, width: inner - wide - 32 });
  const room = { top: 268, bottom: foot - 210 };
  if (picture.paths.length > 0) drawPaths(canvas, picture.paths, room);
  else drawLine(canvas, picture.line, room);
}

/** Splits figures into rows of up to four, as evenly as possible. */
export function rowsOf<T>(figures: readonly T[]): T[][] {
  const rows = Math.ceil(figures.length / 4);
  const each = Math.ceil(figures.length / Math.max(1, rows));
  return Array.from({ length: rows }, (_, row) => figures.slice(row * each, (row + 1) * each));
}

function drawFigures(canvas: Canvas, figures: Picture["figures"], foot: number): number {
  const step = inner / Math.max(4, figures.length);
  figures.forEach(({ value, label }, position) => {
    const x = margin + position * step;
    writeWhole(canvas, value, { x, y: foot - 44, size: 52, weight: 700, width: step - 24 });
    writeWhole(canvas, label, { x, y: foot, size: 30, colour: colours.quiet, width: step - 24 });
  });
  return foot - 100;
}

function drawCalendar(canvas: Canvas, calendar: NonNullable<Picture["calendar"]>, foot: number): number {
  const pitch = inner / calendar.columns;
  const top = foot - 7 * pitch;
  for (const { column, row, level } of calendar.squares) {
    canvas.fillStyle = colours.levels[level] ?? colours.ground;
    canvas.beginPath();
    canvas.roundRect(margin + column * pitch, top + row * pitch, pitch - 3, pitch - 3, 4);
    canvas.fill();
  }
  return top;
}

function drawPaths(canvas: Canvas, paths: Point[][], { top, bottom }: { top: number; bottom: number }): void {
  const box = fittingBox(paths);
  const high = Math.max(0, bottom - top);
  const scale = Math.min(inner / box.width, high / box.height);
  canvas.save();
  canvas.beginPath();
  canvas.rect(0, top - margin / 2, pictureSize.width, high + margin);
  canvas.clip();
  canvas.translate(
    pictureSize.width / 2 - (box.x + box.width / 2) * scale,
    (top + bottom) / 2 - (box.y + box.height / 2) * scale,
  );
  canvas.lineJoin = "round";
  paths.forEach((points, at) => {
    const isNewest = at === paths.length - 1;
    canvas.globalAlpha = isNewest ? 1 : 0.5;
    canvas.lineWidth = isNewest ? 5 : 3;
    canvas.strokeStyle = isNewest ? colours.text : (colours.levels[2 + (at % 2)] ?? colours.line);
    trace(
      canvas,
      points.map(({ x, y }) => ({ x: x * scale, y: y * scale })),
    );
    canvas.stroke();
  });
  canvas.beginPath();
  canvas.arc(0, 0, 12, 0, 2 * Math.PI);
  canvas.fillStyle = colours.ground;
  canvas.fill();
  canvas.lineWidth = 6;
  canvas.strokeStyle = colours.text;
  canvas.stroke();
  canvas.restore();
}

/** Begins a line through these points with rounded corners. */
function trace(canvas: Canvas, points: Point[]): void {
  canvas.beginPath();
  points.forEach(({ x, y }, at) => {
    const next = points[at + 1];
    if (at === 0) canvas.moveTo(x, y);
    else if (next) canvas.quadraticCurveTo(x, y, (x + next.x) / 2, (y + next.y) / 2);
    else canvas.lineTo(x, y);
  });
}

function drawLine(canvas: Canvas, line: Line, { top, bottom }: { top: number; bottom: number }): void {
  const high = Math.max(0, bottom - top);
  const x = (part: number) => part * pictureSize.width;
  const y = (part: number) => bottom - part * high;
  canvas.beginPath();
  for (const point of line) canvas.lineTo(x(point.x), y(point.y));
  canvas.lineWidth = 6;
  canvas.lineJoin = "round";
  canvas.strokeStyle = colours.line;
  canvas.stroke();
  canvas.lineTo(x(line.at(-1)?.x ?? 0), bottom);
  const fade = canvas.createLinearGradient(0, top, 0, bottom);
  fade.addColorStop(0, `${colours.deep}99`);
  fade.addColorStop(1, `${colours.deep}11`);
  canvas.fillStyle = fade;
  canvas.fill();
  canvas.fillStyle = colours.edge;
  canvas.fillRect(0, bottom, pictureSize.width, 2);
}
