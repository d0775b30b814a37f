// What was done to a pack, newest first: chargings and readings. Readings are edited and deleted here. Flights and logs
// have their own sections.
import { useState } from "react";
import { useNavigate } from "react-router";
import { useChargings } from "../../../api/chargings";
import type { BatteryPassport } from "../../../api/generated/BatteryPassport";
import type { Equipment } from "../../../api/generated/Equipment";
import type { PassportDeed } from "../../../api/generated/PassportDeed";
import type { PassportEntry } from "../../../api/generated/PassportEntry";
import { mayEdit } from "../../../api/spaces";
import { useWrite } from "../../../api/useWrite";
import { Button, ButtonLink } from "../../../components/Button";
import { ConfirmDialog } from "../../../components/Dialog";
import { Icon } from "../../../components/Icon";
import type { IconName } from "../../../components/icons";
import { Menu } from "../../../components/Menu";
import { ErrorNote, errorText } from "../../../components/states";
import { chargings } from "../../../components/texts/chargings";
import { showToast } from "../../../components/toasts";
import { formatMinutes, formatQuantity } from "../../../lib/numbers";
import { general } from "../../../texts";
import { urls } from "../../../urls";
import { formatChange } from "../chargings";
import styles from "./Timeline.module.css";
import { passport } from "./texts";

const texts = passport.timeline;

const icons: Record<PassportDeed, IconName> = {
  flight: "start",
  charging: "battery-charging",
  charge: "bolt",
  discharge: "battery-low",
  storage: "retire",
  reading: "gauge",
};

const shownAtFirst = 8;

export function Timeline({ passport: { battery, timeline } }: { passport: BatteryPassport }) {
  const history = useChargings(battery.dpfId).data?.chargings ?? [];
  const [isWhole, setWhole] = useState(false);
  const [doomed, setDoomed] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const remove = useWrite("DeleteBatteryReading");
  const entries = timeline.filter(({ deed }) => deed !== "flight");
  async function removeDoomed() {
    setFailure(null);
    try {
      await remove.mutateAsync({ battery: battery.dpfId, dpfId: doomed ?? "" });
      showToast(texts.removed);
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  return (
    <section className={`card ${styles.timeline}`} aria-labelledby="timeline-title">
      <h2 id="timeline-title">{texts.title}</h2>
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      {entries.length === 0 && <p className="quiet">{texts.none}</p>}
      <ol>
        {(isWhole ? entries : entries.slice(0, shownAtFirst)).map((entry) => (
          <Row key={entry.dpfId} entry={entry} battery={battery} onRemove={setDoomed} />
        ))}
      </ol>
      <div className={styles.more}>
        {!isWhole && entries.length > shownAtFirst && (
          <Button onPress={() => setWhole(true)}>{texts.more}</Button>
        )}
        {history.length > 0 && (
          <ButtonLink to={urls.itemHistory(battery.dpfId)} icon="history">
            {chargings.showAll(history.length)}
          </ButtonLink>
        )}
      </div>
      <ConfirmDialog
        question={texts.removeQuestion}
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        onYes={removeDoomed}
        isDangerous
      />
    </section>
  );
}

function Row({
  entry,
  battery,
  onRemove,
}: {
  entry: PassportEntry;
  battery: Equipment;
  onRemove: (reading: string) => void;
}) {
  const navigate = useNavigate();
  const { time, deed, reading, dpfId } = entry;
  const about = aboutOf(entry);
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={icons[deed]} size={18} />
      </span>
      <div className={styles.main}>
        <p className={styles.title}>
          <strong>{texts.actions[deed]}</strong>
          <time>{time}</time>
        </p>
        {about !== "" && <p className="quiet">{about}</p>}
      </div>
      {reading && mayEdit(battery, reading) && (
        <Menu
          label={texts.moreOf(time)}
          entries={[
            {
              id: "edit",
              text: texts.edit,
              icon: "edit",
              onAction: () => navigate(urls.reading(battery.dpfId, dpfId)),
            },
            {
              id: "remove",
              text: texts.remove,
              icon: "delete",
              isDangerous: true,
              onAction: () => onRemove(dpfId),
            },
          ]}
        />
      )}
    </li>
  );
}

function aboutOf({ reading, minutes, fromVoltage, toVoltage, charged }: PassportEntry): string {
  if (reading) {
    const { cellVoltages, resistances, temperature, charger, swollen, damaged, info, ofFile } = reading;
    const range = (values: number[], unit: string, say: (low: string, high: string) => string) =>
      values.length === 0
        ? ""
        : say(formatNumberOf(Math.min(...values)), formatQuantity(Math.max(...values), unit));
    return [
      toVoltage === null ? "" : formatQuantity(toVoltage, "V"),
      range(cellVoltages, "V", texts.cells),
      range(resistances, "mΩ", texts.ohms),
      temperature === null ? "" : formatQuantity(temperature, "°C"),
      swollen ? texts.swollen : "",
      damaged ? texts.damaged : "",
      charger,
      info,
      ofFile ? texts.ofFile : "",
    ]
      .filter((text) => text !== "")
      .join(" · ");
  }
  return [
    fromVoltage === null && toVoltage === null ? "" : formatChange(fromVoltage, toVoltage),
    charged === null ? "" : formatQuantity(charged, "mAh"),
    minutes === null || minutes === 0 ? "" : formatMinutes(minutes),
  ]
    .filter((text) => text !== "")
    .join(" · ");
}

function formatNumberOf(value: number): string {
  return formatQuantity(value, "").trim();
}
