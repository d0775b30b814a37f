// The paths of many flights on a dark ground, each from its own start: faint, the newest one bright. Slanted, with
// rings around the start, and without a place.
import { type ReactNode, useMemo } from "react";
import { type Box, fittingBox, lineThrough, pointsOf } from "../lib/paths";
import { roundLength } from "../lib/sketch";
import "../styles/stage.css";
import styles from "./Bouquet.module.css";
import { bouquet as texts } from "./bouquetTexts";
import { line } from "./FlightPicture";

const tilt = 0.55;
const margin = 0.06;
const ringCount = 4;
const rampLength = 4;

/** The ground, with a large line above the drawing and a small one below it. */
export function Stage({
  label,
  title = "",
  note = "",
  children,
}: {
  label: string;
  title?: string;
  note?: string;
  children: ReactNode;
}) {
  return (
    <section className={styles.stage} aria-label={label}>
      {title !== "" && <p>{title}</p>}
      <div className={styles.drawing}>{children}</div>
      {note !== "" && <p className={styles.note}>{note}</p>}
    </section>
  );
}

/** The drawing. `paths`: at least one, the newest last. */
export function Bouquet({ paths, label }: { paths: readonly number[][]; label?: string }) {
  const { lines, box, rings } = useMemo(() => drawn(paths), [paths]);
  return (
    <svg
      className={styles.bouquet}
      role="img"
      aria-label={label ?? texts.about(paths.length)}
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
    >
      {rings.map((radius) => (
        <ellipse
          key={radius}
          {...line}
          stroke="var(--stage-line)"
          rx={radius}
          ry={radius * tilt}
          opacity="0.6"
        />
      ))}
      {lines.map((d, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the paths of an answer have no ids and never move.
        <path key={at} {...line} stroke={`var(--ramp-${(at % rampLength) + 1})`} opacity="0.5" d={d} />
      ))}
      <path {...line} stroke="var(--on-stage)" strokeWidth="2" d={lines.at(-1)} />
      <path {...line} stroke="var(--on-stage)" strokeWidth="13" d="M0 0h0" />
      <path {...line} stroke="var(--stage)" strokeWidth="7" d="M0 0h0" />
    </svg>
  );
}

function drawn(paths: readonly number[][]): { lines: string[]; box: Box; rings: number[] } {
  const all = paths.map((path) => pointsOf(path, tilt));
  const box = fittingBox(all);
  const step = roundLength(Math.max(box.width, box.height / tilt) / ringCount);
  return {
    lines: all.map(lineThrough),
    box: withMargin(box),
    rings: Array.from({ length: 2 * ringCount }, (_, at) => (at + 1) * step),
  };
}

function withMargin({ x, y, width, height }: Box): Box {
  const edge = margin * Math.max(width, height);
  return { x: x - edge, y: y - edge, width: width + 2 * edge, height: height + 2 * edge };
}
