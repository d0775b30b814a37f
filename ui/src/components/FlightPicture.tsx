// The picture of a flight in a list: its first photo, else its path, else a drawing of how far and how high it went.
import { useState } from "react";
import type { FlightRow } from "../api/generated/FlightRow";
import { boxAround, lineThrough, pointsOf } from "../lib/paths";
import { imagePreviewUrl } from "../urls";
import "../styles/stage.css";
import styles from "./FlightPicture.module.css";

export type PicturedFlight = Pick<FlightRow, "firstImage" | "path" | "maximumDistance" | "maximumAltitude">;

export function FlightPicture({ flight }: { flight: PicturedFlight }) {
  const { firstImage, path } = flight;
  const [missing, setMissing] = useState<string | null>(null);
  if (firstImage === null || firstImage === missing) {
    // A list that was stored on this device by an earlier version has no paths.
    return path?.length > 2 ? <PathPicture path={path} /> : <FigurePicture flight={flight} />;
  }
  return (
    <img
      className={styles.picture}
      src={imagePreviewUrl(firstImage)}
      alt=""
      width={48}
      height={48}
      loading="lazy"
      onError={() => setMissing(firstImage)}
    />
  );
}

/** Lines that are as wide in every size. Attributes, because every class is part of the first load. */
export const line = {
  fill: "none",
  strokeWidth: 1.5,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  vectorEffect: "non-scaling-stroke",
} as const;
const start = <path {...line} stroke="var(--on-stage)" strokeWidth="5" d="M0 0h0" />;

function PathPicture({ path }: { path: readonly number[] }) {
  const points = pointsOf(path);
  const { x, y, width, height } = boxAround(points);
  const edge = 0.18 * Math.max(width, height);
  return (
    <svg
      className={styles.picture}
      viewBox={`${x - edge} ${y - edge} ${width + 2 * edge} ${height + 2 * edge}`}
      aria-hidden="true"
    >
      <path {...line} stroke="var(--line-on-stage)" d={lineThrough(points)} />
      {start}
    </svg>
  );
}

/** Sizes in the drawing: of nothing known, of 10 m, and of 10 times more. */
const reaches = { none: 6, tens: 9, tenfold: 6 };
const heights = { none: 0, tens: 12, tenfold: 12 };
const largest = 21;
const tilt = 0.36;

/** A dome as wide and high as the flight, a ring or a mast if only one of both is known, else a quiet ring. */
function FigurePicture({ flight: { maximumDistance, maximumAltitude } }: { flight: PicturedFlight }) {
  const high = maximumAltitude ?? 0;
  return (
    <svg className={styles.picture} viewBox={`-24 ${high > 0 ? -32 : -24} 48 48`} aria-hidden="true">
      <FigureDrawing far={maximumDistance ?? 0} high={high} />
    </svg>
  );
}

/** `far` and `high` in m, on logarithmic scales: a hall and a valley both fit. */
export function FigureDrawing({ far, high }: { far: number; high: number }) {
  const reach = sizeOf(far, reaches);
  const top = sizeOf(high, heights);
  function ring(share: number): string {
    const radius = reach * Math.sqrt(1 - share ** 2);
    const half = `a${radius} ${radius * tilt} 0 0 0`;
    return `M${-radius} ${-top * share}${half} ${2 * radius} 0${half} ${-2 * radius} 0`;
  }
  return (
    <g>
      <path {...line} fill="var(--stage-raised)" stroke="var(--area-on-stage)" d={ring(0)} />
      {far > 0 && top > 0 && (
        <>
          <path
            {...line}
            stroke="var(--stage-line)"
            strokeWidth="1"
            d={[0.35, 0.65, 0.88].map(ring).join("")}
          />
          <path {...line} stroke="var(--line-on-stage)" d={`M${-reach} 0A${reach} ${top} 0 0 1 ${reach} 0`} />
        </>
      )}
      {far > 0 && <path {...line} stroke="var(--area-on-stage)" strokeWidth="2" d={`M0 0h${reach}`} />}
      {top > 0 && <path {...line} stroke="var(--on-stage)" strokeWidth="2" d={`M0 0v${-top}`} />}
      {far + high > 0 && start}
    </g>
  );
}

function sizeOf(metres: number, { none, tens, tenfold }: typeof reaches): number {
  return metres > 0 ? Math.min(largest, Math.max(4, tens + tenfold * Math.log10(metres / 10))) : none;
}
