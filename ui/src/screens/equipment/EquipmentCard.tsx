// One item in the list: its name, the figures that matter for its kind, and the link to its editor. A battery is
// charged from here.
import { Link } from "react-router";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { CardAction } from "../../components/CardAction";
import { Icon } from "../../components/Icon";
import { kindIcons } from "../../components/kindIcons";
import { logs, equipment as texts } from "../../texts";
import { urls } from "../../urls";
import { BatteryCharging, HistoryButton } from "./BatteryCharging";
import styles from "./EquipmentCard.module.css";
import { figuresOf } from "./kinds";
import { NewLog } from "./NewLog";

export function EquipmentCard({ item }: { item: Equipment }) {
  const isRetired = item.deactivateTime !== "";
  const isBattery = item.type === Kind.Battery;
  const about = [item.model, item.manufacturer].filter((text) => text !== "").join(" · ");
  return (
    <div className={isRetired ? `card stack ${styles.retired}` : "card stack"}>
      <div className={styles.head}>
        <span className={styles.icon}>
          <Icon name={kindIcons[item.type]} size={26} />
        </span>
        <div className={styles.title}>
          <h2>
            <Link className={styles.link} to={urls.item(item.type, item.dpfId)}>
              {item.name}
            </Link>
          </h2>
          {about !== "" && <p className="quiet">{about}</p>}
        </div>
      </div>
      {isRetired && (
        <div className={styles.retirement}>
          <Icon name="retire" />
          <div>
            <p className={styles.retirementTime}>{texts.retiredAt(item.deactivateTime)}</p>
            <p>{item.deactivateText}</p>
          </div>
        </div>
      )}
      <dl className={styles.figures}>
        {figuresOf(item).map(({ label, value, isWide }) => (
          <div key={label} className={isWide ? styles.wide : undefined}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isBattery && (!isRetired || item.lastCharging) && <BatteryCharging battery={item} />}
      <div className={styles.actions}>
        <NewLog item={item} />
        <div className={styles.ways}>
          <CardAction
            icon="notes"
            label={logs.title}
            about={item.name}
            way={urls.equipmentLogs(item.type, item.dpfId)}
          />
          {isBattery && <HistoryButton battery={item} />}
          <CardAction
            icon="edit"
            label={texts.edit}
            about={item.name}
            way={urls.equipment(item.type, item.dpfId)}
          />
        </div>
      </div>
    </div>
  );
}
