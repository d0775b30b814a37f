// The stage of a pack: state, the voltage that tells it, and each cell as a column.
import type { BatteryReading } from "../../../api/generated/BatteryReading";
import type { Equipment } from "../../../api/generated/Equipment";
import { PackCell, PackWord } from "../../../components/PackState";
import { formatDate, wallClock } from "../../../lib/dates";
import { formatNumber, formatQuantity } from "../../../lib/numbers";
import { sinceOf, stateOf } from "../packs";
import { columnsOf } from "./charts";
import styles from "./PackStage.module.css";
import { passport as texts } from "./texts";

/** `reading`: the latest one of the cells. */
export function PackStage({ pack, reading }: { pack: Equipment; reading: BatteryReading | undefined }) {
  const state = stateOf(pack);
  const now = wallClock();
  const since = sinceOf(pack, now);
  const today = formatDate(now);
  return (
    <section className={styles.stage} aria-label={texts.title}>
      <div className={styles.head}>
        <div>
          <p className={styles.word}>
            <PackCell state={state} />
            <PackWord state={state} />
          </p>
          <p className={styles.since}>
            {[since, reading && texts.measured(dayOf(reading.time, today), formatTemperature(reading))]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
        {pack.stateVoltage !== null && (
          <p className={styles.volts}>
            {formatNumber(pack.stateVoltage)}
            <small>{"\u00a0"}V</small>
          </p>
        )}
      </div>
      {reading && <Cells reading={reading} />}
    </section>
  );
}

/** Formats "21.11." for a day of this year, else "21.11.2025". */
function dayOf(time: string, today: string): string {
  const day = time.split(" ")[0] ?? "";
  return day.slice(6) === today.slice(6) ? day.slice(0, 6) : day;
}

function formatTemperature({ temperature }: BatteryReading): string {
  return temperature === null ? "" : formatQuantity(temperature, "°C");
}

function Cells({ reading }: { reading: BatteryReading }) {
  return (
    <ol className={styles.cells} aria-label={texts.cells}>
      {columnsOf(reading).map(({ cell, volts, ohms, part, isWorst }) => {
        const about = texts.cellAbout(
          cell,
          formatQuantity(volts, "V"),
          ohms === null ? "" : formatQuantity(ohms, "mΩ"),
        );
        return (
          <li key={cell} className={isWorst ? `${styles.cell} ${styles.worst}` : styles.cell}>
            <span className="visually-hidden">{about}</span>
            <span className={styles.column} aria-hidden="true">
              <span className={styles.fill} style={{ blockSize: `${part * 100}%` }} />
              <span className={styles.number}>{cell}</span>
            </span>
            <strong aria-hidden="true">{twoDecimals.format(volts)}</strong>
            {ohms !== null && <small aria-hidden="true">{oneDecimal.format(ohms)} mΩ</small>}
          </li>
        );
      })}
    </ol>
  );
}

const twoDecimals = new Intl.NumberFormat("de-DE", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const oneDecimal = new Intl.NumberFormat("de-DE", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
