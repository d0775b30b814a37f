// Two small charts of the same chargings, oldest on the left: voltage before and after, and charged capacity. A wearing
// battery shows as a falling line; the rows below have every number.
import { Bars, Chart, Plot, rounded, plotSize as size } from "../../components/Plot";
import { formatQuantity } from "../../lib/numbers";
import { chargings as texts } from "../../texts";
import styles from "./ChargingChart.module.css";
import { axisOf, type Charge, formatAmperes } from "./chargings";

export function ChargingChart({ charges, isCard = false }: { charges: Charge[]; isCard?: boolean }) {
  const voltages = axisOf(charges.flatMap(({ from, to }) => [from, to]));
  const amounts = axisOf([0, ...charges.map(({ charged }) => charged)]);
  const x = (position: number) => ((position + 0.5) / charges.length) * size;
  const scale = (value: number, { low, high }: Axis) => size * (1 - (value - low) / (high - low));

  const after = charges.map(({ to }, position) => point(x(position), scale(to, voltages)));
  const before = charges.map(({ from }, position) => point(x(position), scale(from, voltages)));

  const first = charges.at(0)?.time.slice(0, dayLength) ?? "";
  const last = charges.at(-1)?.time.slice(0, dayLength) ?? "";
  const range = (values: number[], format: (value: number) => string) =>
    texts.chart.range(format(Math.min(...values)), format(Math.max(...values)));
  const ranges = {
    before: range(
      charges.map(({ from }) => from),
      volts,
    ),
    after: range(
      charges.map(({ to }) => to),
      volts,
    ),
    charged: range(
      charges.map(({ charged }) => charged),
      formatAmperes,
    ),
  };
  return (
    <Chart isCard={isCard}>
      <figcaption>{texts.chart.title(charges.length)}</figcaption>
      <Plot
        title={texts.chart.voltage}
        about={texts.chart.voltageAbout(charges.length, first, last, ranges.before, ranges.after)}
        top={volts(voltages.high)}
        bottom={volts(voltages.low)}
        height="tall"
      >
        <path className={styles.area} d={`M${[...after, ...before.toReversed()].join("L")}Z`} />
        <path className={`${styles.line} ${styles.before}`} d={`M${before.join("L")}`} />
        <path className={styles.line} d={`M${after.join("L")}`} />
        <path className={styles.dots} d={after.map((dot) => `M${dot}h0`).join("")} />
      </Plot>
      <Plot
        title={texts.chart.charged}
        about={texts.chart.chargedAbout(ranges.charged, formatAmperes(charges.at(-1)?.charged ?? null))}
        top={formatAmperes(amounts.high)}
        bottom={formatAmperes(0)}
        height="low"
      >
        <Bars values={charges.map(({ charged }) => charged)} high={amounts.high} />
      </Plot>
      <div className={styles.days} aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </Chart>
  );
}

type Axis = { low: number; high: number };

/** Length of the date in "20.11.2026 10:00". */
const dayLength = 10;

function volts(value: number): string {
  return formatQuantity(value, "V");
}

function point(x: number, y: number): string {
  return `${rounded(x)} ${rounded(y)}`;
}
