// The three charts of a passport: capacity over cycles, internal resistance over time, and the voltage of each flight.
// They need data.
import type { ReactNode } from "react";
import type { BatteryReading } from "../../../api/generated/BatteryReading";
import type { PackFlight } from "../../../api/generated/PackFlight";
import type { Trend } from "../../../api/generated/Trend";
import { formatNumber, formatQuantity } from "../../../lib/numbers";
import { shareOf } from "../../../lib/profile";
import styles from "./Charts.module.css";
import { type Axis, axisAround, cellLines, resistancesOf } from "./charts";
import { passport as texts } from "./texts";

/** Size of the drawing, in view box units. */
const width = 320;
const height = 150;
const left = 58;
const right = 8;
const top = 8;
const bottom = 22;

function xOf(part: number): number {
  return round(left + part * (width - left - right));
}

function yOf(part: number): number {
  return round(height - bottom - part * (height - top - bottom));
}

function yOn({ low, high }: Axis, value: number): number {
  return yOf(shareOf(value, low, high));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function Panel({
  title,
  value,
  about,
  children,
}: {
  title: string;
  value: string;
  about: string;
  children?: ReactNode;
}) {
  return (
    <section className={`card ${styles.panel}`} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {value !== "" && <strong>{value}</strong>}
      </div>
      <p className="quiet">{about}</p>
      {children}
    </section>
  );
}

/** A drawing. `rows`: its data as text, for screen readers. */
function Drawing({
  about,
  axis,
  unit,
  from,
  to,
  rows,
  children,
}: {
  about: string;
  axis: Axis;
  unit: string;
  from: string;
  to: string;
  rows: string[];
  children: ReactNode;
}) {
  return (
    <>
      <svg className={styles.drawing} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={about}>
        {axis.lines.map((line) => (
          <g key={line}>
            <path className={styles.grid} d={`M${left} ${yOn(axis, line)}H${width - right}`} />
            <text x={left - 6} y={yOn(axis, line) + 4} textAnchor="end">
              {formatNumber(line)}
              {unit}
            </text>
          </g>
        ))}
        {children}
        <text x={left} y={height - 4}>
          {from}
        </text>
        <text x={width - right} y={height - 4} textAnchor="end">
          {to}
        </text>
      </svg>
      <ul className="visually-hidden">
        {rows.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
    </>
  );
}

export function CapacityChart({ trend }: { trend: Trend }) {
  const { capacity: points, percent, line, forecast } = trend;
  const own = texts.capacity;
  const axis = axisAround([...points.map((point) => point.percent), 80, 100]);
  const last = points.at(-1)?.cycles ?? 0;
  const most = Math.max(last * 1.25, 1);
  const at = (cycles: number, share: number) => `${xOf(cycles / most)} ${yOn(axis, share)}`;
  const onLine = (cycles: number) => at(cycles, (line?.[0] ?? 0) + (line?.[1] ?? 0) * cycles);
  const rows = points.map((point) =>
    own.point(formatNumber(point.cycles), formatQuantity(point.percent, "%")),
  );
  return (
    <Panel
      title={own.title}
      value={percent === null ? "" : formatQuantity(Math.round(percent), "%")}
      about={forecast === "" ? own.about : forecast}
    >
      <Drawing
        about={own.about}
        axis={axis}
        unit={"\u00a0%"}
        from="0"
        to={own.axis(formatNumber(Math.round(most)))}
        rows={rows}
      >
        <path className={styles.limit} d={`M${at(0, 80)}L${at(most, 80)}`} />
        {line && <path className={styles.line} d={`M${onLine(points[0]?.cycles ?? 0)}L${onLine(last)}`} />}
        {line && line[1] < 0 && <path className={styles.ahead} d={`M${onLine(last)}L${onLine(most)}`} />}
        {points.map((point) => (
          <circle
            key={`${point.cycles} ${point.day}`}
            className={styles.dot}
            r="3.5"
            cx={xOf(point.cycles / most)}
            cy={yOn(axis, point.percent)}
          />
        ))}
      </Drawing>
    </Panel>
  );
}

export function ResistanceChart({ readings }: { readings: BatteryReading[] }) {
  const own = texts.resistance;
  const shown = resistancesOf(readings);
  const axis = axisAround(shown.flatMap(({ resistances }) => resistances));
  const lines = cellLines(shown, axis);
  const worst = lines.find(({ isWorst }) => isWorst);
  const path = (points: { x: number; y: number }[]) =>
    `M${points.map(({ x, y }) => `${xOf(x)} ${yOf(y)}`).join("L")}`;
  const degrees = degreesOf(shown);
  const about = degrees === "" ? own.about(worst?.cell ?? 0) : own.at(worst?.cell ?? 0, degrees);
  const last = worst?.points.at(-1);
  return (
    <Panel title={own.title} value={formatQuantity(worst?.last ?? null, "mΩ")} about={about}>
      <Drawing
        about={own.worst(worst?.cell ?? 0, formatQuantity(worst?.last ?? null, "mΩ"))}
        axis={axis}
        unit=""
        from={dayOf(shown[0]?.time)}
        to={shown.length > 1 ? dayOf(shown.at(-1)?.time) : ""}
        rows={shown.map(({ time, resistances }) => `${time}: ${resistances.map(formatNumber).join(", ")} mΩ`)}
      >
        {lines
          .toSorted((one, other) => Number(one.isWorst) - Number(other.isWorst))
          .map(({ cell, points, isWorst }) => (
            <path key={cell} className={isWorst ? styles.worst : styles.other} d={path(points)} />
          ))}
        {last && <circle className={styles.worstDot} r="4" cx={xOf(last.x)} cy={yOf(last.y)} />}
      </Drawing>
    </Panel>
  );
}

/** Volts per cell; a flight that ended below is highlighted. */
const lowEnd = 3.3;

/** "18 °C", "5 bis 18 °C"; "" without any temperature. */
function degreesOf(readings: readonly BatteryReading[]): string {
  const degrees = readings.flatMap(({ temperature }) => (temperature === null ? [] : [temperature]));
  if (degrees.length === 0) return "";
  const [least, most] = [Math.min(...degrees), Math.max(...degrees)].map(formatNumber) as [string, string];
  return `${least === most ? least : texts.resistance.range(least, most)}\u00a0°C`;
}

/** A bar for each flight, from its first voltage down to its last; per cell if the number of cells is known. */
export function FlightsChart({ flights, cells }: { flights: PackFlight[]; cells: number | null }) {
  const own = texts.flights;
  const share = (volts: number) => volts / (cells ?? 1);
  const bars = flights.map(({ flight, time, fromVoltage, toVoltage }) => {
    const end = share(toVoltage ?? 0);
    return { flight, time, start: fromVoltage === null ? end : share(fromVoltage), end };
  });
  const axis = axisAround(bars.flatMap(({ start, end }) => [start, end]));
  const step = 1 / bars.length;
  const thickness = Math.min(9, (width - left - right) * step * 0.6);
  const last = bars.at(-1);
  return (
    <Panel
      title={own.title}
      value={last === undefined ? "" : formatQuantity(last.end, "V")}
      about={cells === null ? own.ofPack : own.about}
    >
      <Drawing
        about={cells === null ? own.ofPack : own.about}
        axis={axis}
        unit=""
        from={dayOf(bars[0]?.time)}
        to={bars.length > 1 ? dayOf(last?.time) : ""}
        rows={bars.map(({ time, start, end }) =>
          own.row(time, `${formatQuantity(start, "V")} → ${formatQuantity(end, "V")}`),
        )}
      >
        {bars.map(({ flight, time, start, end }, place) => {
          const [upper, lower] = [yOn(axis, start), yOn(axis, end)];
          return (
            <rect
              // The id of another member's flight isn't on the wire.
              key={`${time} ${flight}`}
              className={cells !== null && end < lowEnd ? styles.lowBar : styles.bar}
              x={xOf((place + 0.5) * step) - thickness / 2}
              y={upper}
              width={thickness}
              height={Math.max(thickness, lower - upper)}
              rx={thickness / 2}
            />
          );
        })}
      </Drawing>
    </Panel>
  );
}

/** Returns "21.11.2026" of "21.11.2026 10:00". */
function dayOf(time: string | undefined): string {
  return time?.split(" ")[0] ?? "";
}
