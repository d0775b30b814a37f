// The packs in use as rows: the state of each and its charging button. Its name leads to its page, which has everything
// else; wide windows have its figures and the ways of its page beside it.
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { Equipment } from "../../api/generated/Equipment";
import { IconButton, IconLink } from "../../components/Button";
import { NewLogDialog } from "../../components/logs/LogDialog";
import { PackCell, PackWord } from "../../components/PackState";
import { useMedia } from "../../components/useMedia";
import { formatDate, wallClock } from "../../lib/dates";
import { formatQuantity } from "../../lib/numbers";
import { chargings, general, logs, equipment as texts } from "../../texts";
import { historyParameter, urls } from "../../urls";
import { ChargingButton } from "./BatteryCharging";
import styles from "./PackRows.module.css";
import { sinceOf, sortOf, stateOf } from "./packs";

export function PackRows({ packs }: { packs: Equipment[] }) {
  const today = formatDate(wallClock());
  const isWide = useMedia("(width >= 60rem)");
  return (
    <div className={`card ${styles.frame}`}>
      {isWide && <Head />}
      <ul className={styles.rows}>
        {packs.map((pack) => (
          <PackRow key={pack.dpfId} pack={pack} today={today} isWide={isWide} />
        ))}
      </ul>
    </div>
  );
}

/** The columns of wide windows. */
function figuresOf(pack: Equipment) {
  const { currentCharge, chargeCount, lastChargeTime } = texts.figures;
  return [
    { label: currentCharge, value: formatQuantity(pack.currentCharge, "V") },
    { label: chargeCount, value: String(pack.chargeCount) },
    { label: lastChargeTime, value: pack.lastChargeTime || general.empty },
  ];
}

/** Each row names its figures for screen readers. */
function Head() {
  const { currentCharge, chargeCount, lastChargeTime } = texts.figures;
  return (
    <div className={styles.head} aria-hidden="true">
      <span className={styles.first}>{texts.fields.name}</span>
      {[currentCharge, chargeCount, lastChargeTime].map((label) => (
        <span key={label}>{label}</span>
      ))}
    </div>
  );
}

function PackRow({ pack, today, isWide }: { pack: Equipment; today: string; isWide: boolean }) {
  const state = stateOf(pack);
  // Of what is under way the time counts; what sort it is, its page says.
  const since = sinceOf(pack, today);
  const about = since || sortOf(pack);
  return (
    <li className={styles.row}>
      <PackCell state={state} />
      <div className={styles.main}>
        <div className={styles.title}>
          <h2>
            <Link className={`row-link ${styles.link}`} to={urls.item(pack.type, pack.dpfId)}>
              {pack.name}
            </Link>
          </h2>
          <p className={since === "" ? styles.about : `${styles.about} ${styles.since}`}>
            <PackWord state={state} />
            {about !== "" && <span className="quiet"> · {about}</span>}
          </p>
        </div>
        {isWide && (
          <>
            <dl className={styles.figures}>
              {figuresOf(pack).map(({ label, value }) => (
                <div key={label}>
                  <dt className="visually-hidden">{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <Ways pack={pack} />
          </>
        )}
      </div>
      {(state !== "flying" || pack.lastCharging !== null) && <ChargingButton battery={pack} />}
    </li>
  );
}

function Ways({ pack }: { pack: Equipment }) {
  const [, setParameters] = useSearchParams();
  const [isWriting, setWriting] = useState(false);
  /** The open history is part of the address, so that Back from one of its flights leads into it again. */
  function openHistory() {
    setParameters((parameters) => {
      parameters.set(historyParameter, pack.dpfId);
      return parameters;
    });
  }
  const named = (label: string) => `${label} ${pack.name}`;
  return (
    <div className={styles.ways}>
      <IconButton icon="log-add" label={named(logs.create)} onPress={() => setWriting(true)} />
      <IconLink icon="notes" label={named(logs.title)} to={urls.equipmentLogs(pack.type, pack.dpfId)} />
      <IconButton icon="history" label={named(chargings.history)} onPress={openHistory} />
      <IconLink icon="edit" label={named(texts.edit)} to={urls.equipment(pack.type, pack.dpfId)} />
      <NewLogDialog
        subject={{ kind: "equipment", dpfId: pack.dpfId }}
        about={pack.model || pack.name}
        isOpen={isWriting}
        onClose={() => setWriting(false)}
      />
    </div>
  );
}
