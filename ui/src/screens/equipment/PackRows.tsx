// The packs in use as rows: the state of each, its charging button, and the ways that its page has too: on wide windows
// beside its figures, on others in a menu.
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import type { Equipment } from "../../api/generated/Equipment";
import { IconButton, IconLink } from "../../components/Button";
import { NewLogDialog } from "../../components/logs/LogDialog";
import { Menu } from "../../components/Menu";
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
  const about = [sinceOf(pack, today), sortOf(pack)].filter((text) => text !== "");
  return (
    <li className={styles.row}>
      <PackCell state={state} />
      <div className={styles.main}>
        <div className={styles.title}>
          <h2>
            <Link className={styles.link} to={urls.item(pack.type, pack.dpfId)}>
              {pack.name}
            </Link>
          </h2>
          <p className={styles.about}>
            <PackWord state={state} />
            {about.length > 0 && <span className="quiet"> · {about.join(" · ")}</span>}
          </p>
        </div>
        {isWide && (
          <dl className={styles.figures}>
            {figuresOf(pack).map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <Ways pack={pack} isWide={isWide} />
      </div>
      {(state !== "flying" || pack.lastCharging !== null) && <ChargingButton battery={pack} />}
    </li>
  );
}

function Ways({ pack, isWide }: { pack: Equipment; isWide: boolean }) {
  const navigate = useNavigate();
  const [, setParameters] = useSearchParams();
  const [isWriting, setWriting] = useState(false);
  /** The open history is part of the address, so that Back from one of its flights leads into it again. */
  function openHistory() {
    setParameters((parameters) => {
      parameters.set(historyParameter, pack.dpfId);
      return parameters;
    });
  }
  const logsUrl = urls.equipmentLogs(pack.type, pack.dpfId);
  const editorUrl = urls.equipment(pack.type, pack.dpfId);
  const named = (label: string) => `${label} ${pack.name}`;
  return (
    <div className={styles.ways}>
      {isWide ? (
        <>
          <IconButton icon="log-add" label={named(logs.create)} onPress={() => setWriting(true)} />
          <IconLink icon="notes" label={named(logs.title)} to={logsUrl} />
          <IconButton icon="history" label={named(chargings.history)} onPress={openHistory} />
          <IconLink icon="edit" label={named(texts.edit)} to={editorUrl} />
        </>
      ) : (
        <Menu
          label={named(general.more)}
          entries={[
            { id: "history", text: chargings.history, icon: "history", onAction: openHistory },
            { id: "log", text: logs.create, icon: "log-add", onAction: () => setWriting(true) },
            { id: "logs", text: logs.title, icon: "notes", onAction: () => navigate(logsUrl) },
            { id: "edit", text: texts.edit, icon: "edit", onAction: () => navigate(editorUrl) },
          ]}
        />
      )}
      <NewLogDialog
        subject={{ kind: "equipment", dpfId: pack.dpfId }}
        about={pack.model || pack.name}
        isOpen={isWriting}
        onClose={() => setWriting(false)}
      />
    </div>
  );
}
