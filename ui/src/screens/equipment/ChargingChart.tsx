// Two small charts of the same chargings, oldest on the left: voltage before and after, and charged capacity. A wearing
// battery shows as a falling line; the rows below have every number.
import { Bars, Chart, Plot, plotSize, plotY, rounded } from "../../components/Plot";
import { chargings as texts } from "../../components/texts/chargings";
import { formatQuantity } from "../../lib/numbers";
import styles from "./ChargingChart.module.css";
import { axisOf, type Charge, formatAmperes } from "./chargings";

export function ChargingChart({ charges }: { charges: Charge[] }) {
  const voltages = axisOf(charges.flatMap(({ from, to }) => [from, to]));
  const amounts = axisOf([0, ...charges.map(({ charged }) => charged)]);
  const point = (value: number, position: number) =>
    `${rounded(((position + 0.5) / charges.length) * plotSize)} ${plotY(value, voltages)}`;
  const after = charges.map(({ to }, position) => point(to, position));
  const before = charges.map(({ from }, position) => point(from, position));

  const first = charges.at(0)?.time.slice(0, dayLength) ?? "";
  const last = charges.at(-1)?.time.slice(0, dayLength) ?? "";
  const range = (of: "from" | "to" | "charged", format: (value: number) => string) => {
    const values = charges.map((charge) => charge[of]);
    return texts.chart.range(format(Math.min(...values)), format(Math.max(...values)));
  };
  return (
    <Chart>
      <figcaption>{texts.chart.title(charges.length)}</figcaption>
      <Plot
        title={texts.chart.voltage}
        about={texts.chart.voltageAbout(
          charges.length,
          first,
          last,
          range("from", volts),
          range("to", volts),
        )}
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
        about={texts.chart.chargedAbout(
          range("charged", formatAmperes),
          formatAmperes(charges.at(-1)?.charged ?? null),
        )}
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

/** Length of the date in "20.11.2026 10:00". */
const dayLength = 10;

function volts(value: number): string {
  return formatQuantity(value, "V");
}
