// The charging history of a battery: its chart, and every charging and flight, newest first. Finished chargings can be
// edited here; entries of flights follow their flight.
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import { useChargings } from "../../api/chargings";
import type { Charging } from "../../api/generated/Charging";
import type { Equipment } from "../../api/generated/Equipment";
import { mayEdit, mayUse } from "../../api/spaces";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { chargings as texts } from "../../components/texts/chargings";
import { equipment } from "../../components/texts/equipment";
import { formatQuantity } from "../../lib/numbers";
import { urls } from "../../urls";
import { ChargingChart } from "./ChargingChart";
import { ChargingDialog, type ChargingOpening } from "./ChargingDialog";
import styles from "./ChargingHistory.module.css";
import { type ChargingKind, chargesOf, formatAmperes, formatChange, kindOf } from "./chargings";
import { LabelledIconButton } from "./LabelledIconButton";

/** Number of rows that a slow phone renders without a pause. */
const rowsAtFirst = 60;

export function ChargingHistory({ battery }: { battery: Equipment }) {
  const query = useChargings(battery.dpfId);
  const [opening, setOpening] = useState<ChargingOpening | null>(null);
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    // Paper has no button for the remaining rows.
    const showAll = () => flushSync(() => setWhole(true));
    window.addEventListener("beforeprint", showAll);
    return () => window.removeEventListener("beforeprint", showAll);
  }, []);
  return (
    <div className="stack">
      <QueryView query={query} failure={texts.historyFailed} skeleton={<Skeleton count={4} height={6.5} />}>
        {({ chargings }) => {
          const charges = chargesOf(chargings);
          const rows = isWhole ? chargings : chargings.slice(0, rowsAtFirst);
          if (rows.length === 0) return <EmptyState icon="history">{texts.empty}</EmptyState>;
          return (
            <>
              {charges.length > 0 && <ChargingChart charges={charges} />}
              <ul className={styles.rows} aria-label={texts.list}>
                {rows.map((charging) => (
                  <Row
                    key={charging.dpfId}
                    charging={charging}
                    rights={battery}
                    onEdit={() => setOpening({ charging })}
                  />
                ))}
              </ul>
              {rows.length < chargings.length && (
                <Button onPress={() => setWhole(true)}>{texts.showAll(chargings.length)}</Button>
              )}
            </>
          );
        }}
      </QueryView>
      <ChargingDialog battery={battery} opening={opening} onClose={() => setOpening(null)} />
    </div>
  );
}

const icons: Record<ChargingKind, IconName> = {
  flight: "start",
  open: "battery-charging",
  charge: "bolt",
  discharge: "battery-low",
  level: "battery",
};

const rowClass: Record<ChargingKind, string | undefined> = {
  flight: styles.flight,
  open: styles.open,
  charge: styles.charge,
  discharge: undefined,
  level: undefined,
};

function Row({
  charging,
  rights,
  onEdit,
}: {
  charging: Charging;
  rights: Pick<Equipment, "rights">;
  onEdit: () => void;
}) {
  const kind = kindOf(charging);
  const { chargeStartTime, flight, pilot } = charging;
  const isOpen = kind === "open";
  const voltage = isOpen ? (from: number | null) => formatQuantity(from, "V") : formatChange;
  const isTaken = kind === "flight" || kind === "discharge";
  const hasCellVoltage = charging.fromCellVoltage !== null || charging.toCellVoltage !== null;
  return (
    <li className={`${styles.row} ${rowClass[kind] ?? ""}`}>
      <span className={styles.icon}>
        <Icon name={icons[kind]} />
      </span>
      <div className={styles.what}>
        {flight === null ? (
          <strong>{texts.kinds[kind]}</strong>
        ) : (
          <Link className={styles.link} to={urls.flight(flight)}>
            {texts.kinds.flight}
            <span className="visually-hidden"> {texts.flightAt(chargeStartTime)}</span>
            <Icon name="chevron-right" size={18} />
          </Link>
        )}
        <When charging={charging} />
        {pilot !== undefined && <span className={styles.when}>{pilot}</span>}
      </div>
      <dl className={styles.figures}>
        <Figure label={texts.labels.voltage} value={voltage(charging.fromVoltage, charging.toVoltage)} />
        {!isOpen && (
          <Figure
            label={isTaken ? texts.labels.taken : texts.labels.charged}
            value={formatAmperes(charging.charged)}
          />
        )}
        {hasCellVoltage && (
          <Figure
            label={texts.labels.cellVoltage}
            value={texts.ofCell(voltage(charging.fromCellVoltage, charging.toCellVoltage))}
          />
        )}
      </dl>
      {isOpen
        ? mayUse(rights) && (
            <Button variant="primary" icon="check" onPress={onEdit}>
              {texts.finish}
            </Button>
          )
        : flight === null &&
          mayEdit(rights, charging) && (
            <span className={styles.edit}>
              <LabelledIconButton
                icon="edit"
                label={equipment.edit}
                about={chargeStartTime}
                onPress={onEdit}
              />
            </span>
          )}
    </li>
  );
}

/** Formats "20.11.2026 10:00 bis 11:05", with the date of the end only if it differs. */
function When({ charging: { chargeStartTime, chargeEndTime } }: { charging: Charging }) {
  const [day, clock] = chargeEndTime.split(" ");
  return (
    <span className={styles.when}>
      {chargeStartTime}
      {chargeEndTime !== "" && (
        <>
          {texts.until}
          {chargeStartTime.startsWith(`${day} `) ? (
            <>
              <span className="visually-hidden">{day} </span>
              {clock}
            </>
          ) : (
            chargeEndTime
          )}
        </>
      )}
    </span>
  );
}

/** A value with its unit. The label is for screen readers. */
function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="visually-hidden">{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
