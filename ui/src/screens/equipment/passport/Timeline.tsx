// The history of a pack, newest first: chargings, flights, readings and logs. Readings are edited and deleted here.
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import type { BatteryPassport } from "../../../api/generated/BatteryPassport";
import type { PassportDeed } from "../../../api/generated/PassportDeed";
import type { PassportEntry } from "../../../api/generated/PassportEntry";
import { useEquipmentLogs } from "../../../api/logs";
import { useWrite } from "../../../api/useWrite";
import { Button } from "../../../components/Button";
import { ConfirmDialog } from "../../../components/Dialog";
import { Icon } from "../../../components/Icon";
import type { IconName } from "../../../components/icons";
import { Menu } from "../../../components/Menu";
import { ErrorNote, errorText } from "../../../components/states";
import { showToast } from "../../../components/toasts";
import { sortableTime } from "../../../lib/dates";
import { formatMinutes, formatQuantity } from "../../../lib/numbers";
import { general } from "../../../texts";
import { urls } from "../../../urls";
import { formatChange } from "../chargings";
import styles from "./Timeline.module.css";
import { passport } from "./texts";

const texts = passport.timeline;

const icons: Record<PassportDeed | "log", IconName> = {
  flight: "start",
  charging: "battery-charging",
  charge: "bolt",
  discharge: "battery-low",
  storage: "retire",
  reading: "gauge",
  log: "notes",
};

type Entry = {
  key: string;
  time: string;
  action: PassportDeed | "log";
  about: string;
  part: PassportEntry | null;
};

const shownAtFirst = 12;

export function Timeline({ passport: { battery, timeline } }: { passport: BatteryPassport }) {
  const logs = useEquipmentLogs(battery.dpfId).data?.logs ?? [];
  const [isWhole, setWhole] = useState(false);
  const [doomed, setDoomed] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const remove = useWrite("DeleteBatteryReading");
  const entries: Entry[] = [
    ...timeline.map((part) => ({
      key: part.dpfId,
      time: part.time,
      action: part.deed,
      about: aboutOf(part),
      part,
    })),
    ...logs.map(({ dpfId, time, info }) => ({
      key: dpfId,
      time,
      action: "log" as const,
      about: info,
      part: null,
    })),
  ].sort((one, other) => sortableTime(other.time) - sortableTime(one.time));
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
          <Row key={entry.key} entry={entry} battery={battery.dpfId} onRemove={setDoomed} />
        ))}
      </ol>
      {!isWhole && entries.length > shownAtFirst && (
        <div className={styles.more}>
          <Button onPress={() => setWhole(true)}>{texts.more}</Button>
        </div>
      )}
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
  entry: { time, action, about, part },
  battery,
  onRemove,
}: {
  entry: Entry;
  battery: string;
  onRemove: (reading: string) => void;
}) {
  const navigate = useNavigate();
  const title = action === "log" ? texts.log : texts.actions[action];
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={icons[action]} size={18} />
      </span>
      <div className={styles.main}>
        <p className={styles.title}>
          {part?.flight ? (
            <Link to={urls.flightOfItem(part.flight, battery)}>{title}</Link>
          ) : (
            <strong>{title}</strong>
          )}
          <time>{time}</time>
        </p>
        {about !== "" && <p className="quiet">{about}</p>}
      </div>
      {part?.reading && (
        <Menu
          label={texts.moreOf(time)}
          entries={[
            {
              id: "edit",
              text: texts.edit,
              icon: "edit",
              onAction: () => navigate(urls.reading(battery, part.dpfId)),
            },
            {
              id: "remove",
              text: texts.remove,
              icon: "delete",
              isDangerous: true,
              onAction: () => onRemove(part.dpfId),
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
