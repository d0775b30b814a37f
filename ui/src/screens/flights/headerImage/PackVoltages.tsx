// The packs of a flight with their voltage per cell before and after it, drawn on the scale of a cell.
import { useEquipment } from "../../../api/equipment";
import type { Flight } from "../../../api/generated/Flight";
import type { FlightItem } from "../../../api/generated/FlightItem";
import { Kind } from "../../../api/generated/Kind";
import { shareOf } from "../../../lib/profile";
import styles from "./PackVoltages.module.css";
import { course as texts } from "./texts";

/** Volts per cell: the ends of the scale, and the limits of what is physically possible. */
const empty = 3;
const full = 4.2;
const possible = { least: 2, most: 4.5 };

type Voltages = Pick<Flight, "batteryStartVoltage" | "batteryEndVoltage">;

export function PackVoltages({ flight }: { flight: Voltages & Pick<Flight, "equipments"> }) {
  const { batteryStartVoltage: start, batteryEndVoltage: end } = flight;
  const packs = flight.equipments.filter(({ type }) => type === Kind.Battery);
  if (start === null || end === null || packs.length === 0) return null;
  return (
    <ul className={styles.packs}>
      {packs.map((pack) => (
        <Pack key={pack.dpfId} pack={pack} start={start} end={end} />
      ))}
    </ul>
  );
}

/** A pack; renders nothing if its number of cells is unknown or doesn't fit these voltages. */
function Pack({ pack, start, end }: { pack: FlightItem; start: number; end: number }) {
  const cells = useEquipment(pack.dpfId).data?.cells ?? null;
  if (cells === null) return null;
  const [from, to] = [start / cells, end / cells];
  if (Math.min(from, to) < possible.least || Math.max(from, to) > possible.most) return null;
  const top = Math.max(full, from, to);
  const percent = (voltage: number) => 100 * Math.min(1, Math.max(0, shareOf(voltage, empty, top)));
  const [low, high] = [percent(Math.min(from, to)), percent(Math.max(from, to))];
  return (
    <li>
      <p className={styles.words}>
        <strong className={styles.name}>{pack.name}</strong>
        <span>{texts.ofCell(volts(from), volts(to))}</span>
      </p>
      <div className={styles.bar} role="img" aria-label={texts.cellScale(volts(empty), volts(top))}>
        <span
          className={styles.flown}
          style={{ insetInlineStart: `${low}%`, inlineSize: `${high - low}%` }}
        />
      </div>
      <p className={styles.ends} aria-hidden="true">
        <span>{volts(empty)}</span>
        <span>{volts(top)}</span>
      </p>
    </li>
  );
}

/** Formats "4,20 V": only two decimals tell cells apart. */
function volts(voltage: number): string {
  return `${voltage.toFixed(2).replace(".", ",")}\u00a0V`;
}
