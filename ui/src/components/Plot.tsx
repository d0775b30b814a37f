// Small charts: the ends of an axis on the left, a drawing with a description for screen readers, bars, and the values
// as a hidden table. Independent of the data.
import { type ReactNode, useId } from "react";
import { shareOf } from "../lib/profile";
import styles from "./Plot.module.css";

/** Size of the drawing's view box, which is stretched to the available room: x to the right, y downwards. */
export const plotSize = 100;

/** Share of a bar in the distance to the next one; its largest width. */
const barShare = 0.64;
const widestBar = 5;

const heightClass = { tall: styles.tall, low: styles.low };

/** One or several plots with their caption. */
export function Chart({
  isCard = false,
  labelledBy,
  children,
}: {
  isCard?: boolean;
  labelledBy?: string;
  children: ReactNode;
}) {
  return (
    <figure className={isCard ? `card ${styles.chart}` : styles.chart} aria-labelledby={labelledBy}>
      {children}
    </figure>
  );
}

export function Plot({
  title,
  about,
  top,
  bottom,
  height,
  children,
}: {
  title: string;
  about: string;
  /** The ends of the axis. */
  top: string;
  bottom: string;
  height: "tall" | "low";
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.plot}>
      <p className={styles.title} aria-hidden="true">
        {title}
      </p>
      <div className={`${styles.area} ${heightClass[height]}`}>
        <div className={styles.axis} aria-hidden="true">
          <span>{top}</span>
          <span>{bottom}</span>
        </div>
        <svg
          role="img"
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-about`}
          viewBox={`0 0 ${plotSize} ${plotSize}`}
          preserveAspectRatio="none"
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-about`}>{about}</desc>
          <path className={styles.grid} d={`M0 0H${plotSize}M0 ${plotSize}H${plotSize}`} />
          {children}
        </svg>
      </div>
    </div>
  );
}

/** One bar for each value, from 0 to `high`, evenly over the whole width. */
export function Bars({ values, high }: { values: number[]; high: number }) {
  const step = plotSize / values.length;
  const half = Math.min((step * barShare) / 2, widestBar / 2);
  const bars = values.map((value, position) => {
    const middle = (position + 0.5) * step;
    const top = plotY(value, { low: 0, high });
    return `M${rounded(middle - half)} ${plotSize}V${top}H${rounded(middle + half)}V${plotSize}Z`;
  });
  return <path className={styles.bars} d={bars.join("")} />;
}

/** The values of a chart as a table for screen readers. The first cell of a row names it. */
export function PlotTable({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: string[];
  rows: string[][];
}) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, at) => (
                <td key={columns[at + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export type PlotAxis = { low: number; high: number };

/** The height of a value in the drawing, downwards from the top. */
export function plotY(value: number, { low, high }: PlotAxis): number {
  return rounded(plotSize * (1 - shareOf(value, low, high)));
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
