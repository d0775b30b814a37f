// The header image of a flight without pictures and path: its distance and altitude, drawn to scale.
import { formatQuantity } from "../../../lib/numbers";
import styles from "./FigureStage.module.css";
import { Stage } from "./Stage";
import { course as texts } from "./texts";

/** Geometry of the drawing: centre and radius of the ground, and the room around it. */
const middle = { x: 180, y: 0 };
const room = { width: 360, above: 36, below: 58 };
const radius = 140;
const tilt = 0.3;
const heights = { least: 26, most: 116 };
const domeRings = [18, 36, 54, 72];

/** The drawing. `far` and `high` are in m; at least one of them isn't null. */
export function FigureStage({
  far,
  high,
  onUpload,
}: {
  far: number | null;
  high: number | null;
  onUpload?: () => void;
}) {
  const words = [
    ...(far === null ? [] : [texts.far(formatQuantity(far, "m"))]),
    ...(high === null ? [] : [texts.high(formatQuantity(high, "m"))]),
  ];
  const reach = far === null ? radius / 3 : radius;
  const top = high === null ? 0 : heightOf(far, high);
  // The back edge of the ground is higher than a low flight.
  const over = Math.max(top, reach * tilt);
  return (
    <Stage label={words.join(", ")} onUpload={onUpload}>
      <svg
        className={styles.drawing}
        viewBox={`0 ${-(over + room.above)} ${room.width} ${over + room.above + room.below}`}
        aria-hidden="true"
      >
        {[1, 2 / 3, 1 / 3].map((share) => (
          <ellipse
            key={share}
            className={share === 1 && far !== null ? styles.reach : styles.ring}
            cx={middle.x}
            cy={middle.y}
            rx={reach * share}
            ry={reach * share * tilt}
          />
        ))}
        {far !== null &&
          high !== null &&
          domeRings.map((angle) => {
            const turn = (angle * Math.PI) / 180;
            const rx = reach * Math.cos(turn);
            const cy = middle.y - top * Math.sin(turn);
            return (
              <ellipse key={angle} className={styles.ring} cx={middle.x} cy={cy} rx={rx} ry={rx * tilt} />
            );
          })}
        {high !== null && (
          <>
            <path className={styles.mast} d={`M${middle.x} ${middle.y}v${-top}`} />
            <circle className={styles.tip} cx={middle.x} cy={middle.y - top} r="5" />
            <text className={styles.word} x={middle.x} y={middle.y - top - 14}>
              {texts.high(formatQuantity(high, "m"))}
            </text>
          </>
        )}
        {far !== null && (
          <>
            <path className={styles.far} d={`M${middle.x} ${middle.y}h${reach}`} />
            <circle className={styles.farTip} cx={middle.x + reach} cy={middle.y} r="4.5" />
            <text className={`${styles.word} ${styles.wide}`} x={room.width} y={room.below - 4}>
              {texts.far(formatQuantity(far, "m"))}
            </text>
          </>
        )}
        <circle className={styles.start} cx={middle.x} cy={middle.y} r="5" />
      </svg>
    </Stage>
  );
}

/** Returns the drawn height: to the scale of the flight's distance, within the drawable range. */
function heightOf(far: number | null, high: number): number {
  if (far === null || far === 0) return heights.most;
  return Math.min(heights.most, Math.max(heights.least, (radius * high) / far));
}
