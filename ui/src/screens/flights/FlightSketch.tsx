// A small drawing of a flight's start, end and, before it is stored, track: north up, with a scale, without a map.
// Needs no third-party server.

import type { Flight } from "../../api/generated/Flight";
import { type Coordinates, metresBetween } from "../../lib/gps";
import { formatLength } from "../../lib/numbers";
import { directionTo, type Point, sketchOf } from "../../lib/sketch";
import styles from "./FlightSketch.module.css";
import { sketch } from "./texts";

const texts = sketch;

/** Size of the view box; the style sheet gives its frame the same proportions. */
const size = { width: 160, height: 100, margin: 14 };

type Places = Pick<Flight, "startLatitude" | "startLongitude" | "endLatitude" | "endLongitude">;

function placeOf(latitude: number | null, longitude: number | null): Coordinates | null {
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** The sketch; renders nothing unless both places are known. */
export function FlightSketch({ flight }: { flight: Places }) {
  const start = placeOf(flight.startLatitude, flight.startLongitude);
  const end = placeOf(flight.endLatitude, flight.endLongitude);
  if (start === null || end === null) return null;
  return <Drawing start={start} end={end} track={[]} />;
}

/** The drawing itself, also of a flight that isn't stored yet. */
export function Drawing({
  start,
  end,
  track,
}: {
  start: Coordinates;
  end: Coordinates;
  track: Coordinates[];
}) {
  const { pointOf, scale } = sketchOf([start, end, ...track], size);
  const [from, to] = [pointOf(start), pointOf(end)];
  const metres = Math.round(metresBetween(start, end));
  const apart = texts.apart(formatLength(metres), directionTo(start, end));
  const hasTrack = track.length > 1;
  return (
    <figure className={styles.sketch}>
      <div className={styles.field}>
        <svg
          role="img"
          aria-label={`${hasTrack ? texts.withTrack : texts.title}. ${apart}`}
          viewBox={`0 0 ${size.width} ${size.height}`}
        >
          {hasTrack && <path className={styles.track} d={pathOf(track.map(pointOf))} />}
          <circle className={styles.start} cx={from.x} cy={from.y} r="3.4" />
          <rect className={styles.end} x={to.x - 2.8} y={to.y - 2.8} width="5.6" height="5.6" />
        </svg>
        <span className={styles.north} aria-hidden="true">
          <svg viewBox="0 0 12 16" width="12" height="16" aria-hidden="true">
            <path d="M6 16V2M1.5 6.5 6 1.5l4.5 5" />
          </svg>
          {texts.north}
        </span>
      </div>
      {/* Drawn to the scale of the frame above. */}
      <span
        className={styles.scale}
        style={{ inlineSize: `${(100 * scale.length) / size.width}%` }}
        aria-hidden="true"
      >
        {formatLength(scale.metres)}
      </span>
      <figcaption>
        <span className={styles.key}>
          <svg viewBox="0 0 10 10" width="12" height="12" aria-hidden="true">
            <circle className={styles.start} cx="5" cy="5" r="4" />
          </svg>
          {texts.start}
        </span>
        <span className={styles.key}>
          <svg viewBox="0 0 10 10" width="12" height="12" aria-hidden="true">
            <rect className={styles.end} x="1.5" y="1.5" width="7" height="7" />
          </svg>
          {texts.end}
        </span>
        <span className="quiet">{apart}</span>
      </figcaption>
    </figure>
  );
}

function pathOf(points: Point[]): string {
  return `M${points.map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}`;
}
