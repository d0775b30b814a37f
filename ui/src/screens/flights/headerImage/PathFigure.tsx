// The drawing of a flight's path, with its scale and the moment that is pointed at.

import { type CSSProperties, memo, type ReactNode, useEffect, useId, useMemo, useRef } from "react";
import {
  nearestPoint,
  type PathView,
  type Projection,
  projectionOf,
  type Run,
  runsOf,
} from "../../../lib/flightPath";
import { metresBetween } from "../../../lib/gps";
import { formatLength } from "../../../lib/numbers";
import { clockOf } from "../../../lib/profile";
import { directionTo, type Point } from "../../../lib/sketch";
import { sketch } from "../texts";
import { type Course, formatValue, isTogether, type Lane } from "./course";
import styles from "./PathFigure.module.css";
import { useScrub } from "./Scrub";
import { course as texts } from "./texts";
import { useScrubbing } from "./useScrubbing";
import { type Size, useSize } from "./useSize";

/** Number of shades of the colour ramp. */
const shades = 17;
const margin = 14;
/** Height reserved below the path for the values of a moment. */
const readingHeight = 22;

/** How a path is looked at. */
export type Look = {
  view: PathView;
  /** Turned clockwise, in degrees. */
  turned: number;
  /** The values that colour the path; undefined for one colour. */
  lane: Lane | undefined;
};

type Drawn = {
  projection: Projection;
  points: (Point | null)[];
  grounds: (Point | null)[];
  runs: Run[];
};

/** The figure. `isNew`: draws the path like a pen once; `tool`: a button beside the arrow to north. */
export function PathFigure({
  course,
  look,
  isNew = false,
  isWhole = false,
  tool,
}: {
  course: Course;
  look: Look;
  isNew?: boolean;
  isWhole?: boolean;
  tool?: ReactNode;
}) {
  const [field, size] = useSize();
  const { view, turned, lane } = look;
  const drawn = useMemo(
    () => size && drawnIn(size, course, { view, turned, lane }),
    [size, course, view, turned, lane],
  );
  return (
    <>
      <div className={isWhole ? `${styles.field} ${styles.whole}` : styles.field} ref={field}>
        {size && drawn && (
          <>
            <PathDrawing drawn={drawn} size={size} about={aboutOf(course, look)} isNew={isNew} />
            {isTogether(course) && <Moment course={course} drawn={drawn} size={size} />}
          </>
        )}
        <div className={styles.corner}>
          {drawn && <North turn={drawn.projection.north} />}
          {tool}
        </div>
      </div>
      {size && drawn && <Key projection={drawn.projection} width={size.width} lane={lane} />}
    </>
  );
}

function drawnIn({ width, height }: Size, course: Course, { view, turned, lane }: Look): Drawn {
  const { spots } = course;
  const room = { width, height: isTogether(course) ? height - readingHeight : height, margin };
  const projection = projectionOf(
    spots.filter((spot) => spot !== null),
    view,
    room,
    (turned * Math.PI) / 180,
  );
  return {
    projection,
    points: spots.map((spot) => spot && projection.pointOf(spot)),
    grounds: view === "slanted" ? spots.map((spot) => spot && projection.groundOf(spot)) : [],
    runs: runsOf(spots, lane?.values ?? [], lane?.range ?? [0, 0], shades),
  };
}

function aboutOf({ places }: Course, { view, turned }: Look): string {
  const known = places.filter((place) => place !== null);
  const [start, end] = [known[0], known.at(-1)];
  const fromAbove = turned === 0 ? sketch.withTrack : texts.path;
  const title = view === "slanted" ? texts.slantedPath : fromAbove;
  if (!start || !end) return title;
  const length = formatLength(Math.round(metresBetween(start, end)));
  return `${title}. ${sketch.apart(length, directionTo(start, end))}`;
}

/** The line that uncovers the path, wider than it. */
const uncovering = {
  fill: "none",
  stroke: "#ffffff",
  strokeWidth: 12,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  strokeDasharray: 1,
} as const;
const drawMs = 2_400;
const curtainMs = 600;

/** Draws the path once, and then its curtain, unless the pilot wants no motion. */
function useArrival(isNew: boolean) {
  const uncovered = useRef<SVGPathElement>(null);
  const curtain = useRef<SVGGElement>(null);
  useEffect(() => {
    if (!isNew || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    uncovered.current?.animate({ strokeDashoffset: [1, 0] }, { duration: drawMs, easing: "ease-in-out" });
    curtain.current?.animate(
      { opacity: [0, 1] },
      { duration: curtainMs, delay: drawMs - curtainMs / 2, fill: "backwards" },
    );
  }, [isNew]);
  return [uncovered, curtain] as const;
}

type PathDrawingProps = { drawn: Drawn; size: Size; about: string; isNew: boolean };

const PathDrawing = memo(({ drawn, size, about, isNew }: PathDrawingProps) => {
  const { projection, points, grounds, runs } = drawn;
  const mask = useId();
  const [uncovered, curtain] = useArrival(isNew);
  const known = points.filter((point) => point !== null);
  const [start, end] = [known[0], known.at(-1)];
  const base = grounds.find((ground) => ground != null) ?? start;
  const lines = shapesOf(runs, (run) => pathOf(points.slice(run.from, run.to + 1)));
  const curtains = grounds.length > 0 ? shapesOf(runs, (run) => curtainOf(drawn, run)) : [];
  return (
    <svg role="img" aria-label={about} viewBox={`0 0 ${size.width} ${size.height}`}>
      {base &&
        ringsOf(projection, size).map((radius) => (
          <ellipse
            key={radius}
            className={styles.ring}
            cx={base.x}
            cy={base.y}
            rx={radius}
            ry={radius * projection.tilt}
          />
        ))}
      <g ref={curtain}>
        {curtains.map(({ shade, d }) => (
          <path key={shade} className={styles.curtain} style={colourOf(shade)} d={d} />
        ))}
      </g>
      <g mask={isNew ? `url(#${mask})` : undefined}>
        {lines.map(({ shade, d }) => (
          <path key={shade} className={styles.line} style={colourOf(shade)} d={d} />
        ))}
      </g>
      {isNew && (
        <mask id={mask} maskUnits="userSpaceOnUse" {...size}>
          <path ref={uncovered} {...uncovering} pathLength="1" d={pathOf(points)} />
        </mask>
      )}
      {start && <circle className={styles.start} cx={start.x} cy={start.y} r="5" />}
      {end && <rect className={styles.end} x={end.x - 4} y={end.y - 4} width="8" height="8" />}
    </svg>
  );
});

/** Joins the runs of each shade into one path, lowest shade first: higher values are drawn over lower ones. */
function shapesOf(runs: Run[], draw: (run: Run) => string): { shade: number | null; d: string }[] {
  const shapes = new Map<number | null, string>();
  for (const run of runs) shapes.set(run.shade, (shapes.get(run.shade) ?? "") + draw(run));
  return [...shapes]
    .map(([shade, d]) => ({ shade, d }))
    .sort((one, other) => (one.shade ?? -1) - (other.shade ?? -1));
}

function pathOf(points: (Point | null)[]): string {
  const known = points.filter((point) => point !== null);
  return `M${known.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

function curtainOf({ points, grounds }: Drawn, { from, to }: Run): string {
  return `${pathOf([...points.slice(from, to + 1), ...grounds.slice(from, to + 1).reverse()])}Z`;
}

/** Returns the radii of rings around the start, as far apart as the scale is long. */
function ringsOf({ scale }: Projection, { width, height }: Size): number[] {
  const count = Math.min(12, Math.ceil(Math.hypot(width, height) / scale.length));
  return Array.from({ length: count }, (_, at) => (at + 1) * scale.length);
}

/** Returns a colour of the ramp, mixed from two of its five colours. */
function colourOf(shade: number | null): CSSProperties {
  if (shade === null) return { color: "var(--path)" };
  const at = (shade / (shades - 1)) * 4;
  const low = Math.min(3, Math.floor(at));
  const share = Math.round(100 * (at - low));
  return { color: `color-mix(in oklab, var(--ramp-${low + 2}) ${share}%, var(--ramp-${low + 1}))` };
}

/** The point on the path at the selected moment, and its values. */
function Moment({ course, drawn, size }: { course: Course; drawn: Drawn; size: Size }) {
  const { row, moveTo } = useScrub();
  const scrubbing = useScrubbing((x, y) => {
    const nearest = nearestPoint(drawn.points, { x: x * size.width, y: y * size.height });
    if (nearest !== null) moveTo(nearest);
  });
  const point = row === null ? null : drawn.points[row];
  const ground = row === null ? null : drawn.grounds[row];
  return (
    <div className={styles.pointed} {...scrubbing}>
      {point && (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
          {ground && <path className={styles.plumb} d={`M${point.x} ${point.y}V${ground.y}`} />}
          {ground && <ellipse className={styles.foot} cx={ground.x} cy={ground.y} rx="5" ry="2.5" />}
          <circle className={styles.point} data-moment="" cx={point.x} cy={point.y} r="7" />
        </svg>
      )}
      {row !== null && (
        <p className={styles.reading}>
          <strong>{clockOf(course.seconds[row] ?? 0)}</strong>
          {course.lanes.map(({ name, values }) => (
            <span key={name}>{formatValue(name, values[row] ?? null)}</span>
          ))}
        </p>
      )}
    </div>
  );
}

function North({ turn }: { turn: number }) {
  return (
    <span className={styles.north} aria-hidden="true">
      <svg viewBox="0 0 16 16" width="16" height="16" style={{ rotate: `${turn}deg` }} aria-hidden="true">
        <path d="M8 15V2M3.5 6.5 8 1.5l4.5 5" />
      </svg>
      {sketch.north}
    </span>
  );
}

/** The scale, drawn to the scale of the path, and the legend of the colours. */
function Key({
  projection: { scale, raised },
  width,
  lane,
}: {
  projection: Projection;
  width: number;
  lane: Lane | undefined;
}) {
  const [least, most] = lane ? lane.range.map((value) => formatValue(lane.name, value)) : [];
  return (
    <div className={styles.key}>
      <span
        className={styles.scale}
        style={{ inlineSize: `${(100 * scale.length) / width}%` }}
        aria-hidden="true"
      >
        {formatLength(scale.metres)}
      </span>
      {raised > 1 && <span className={styles.raised}>{texts.raised(raised)}</span>}
      {lane && least !== undefined && most !== undefined && (
        <span
          className={styles.legend}
          role="img"
          aria-label={texts.colours(texts.values[lane.name], least, most)}
        >
          {least}
          <span className={styles.ramp} />
          {most}
        </span>
      )}
    </div>
  );
}
