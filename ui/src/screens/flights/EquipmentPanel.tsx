// The equipment of a flight: copter, equipment and payloads with their weights at that time, and the sum. Goggles and
// transmitters have no weight, because they stayed with the pilot.
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { FlightItem } from "../../api/generated/FlightItem";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { kindIcons } from "../../components/kindIcons";
import { equipment } from "../../components/texts/equipment";
import { flights } from "../../components/texts/flights";
import { formatNumber, formatQuantity } from "../../lib/numbers";
import { urls } from "../../urls";
import styles from "./EquipmentPanel.module.css";
import { isCarried } from "./startWeight";

export function EquipmentPanel({
  flight,
}: {
  flight: Pick<FlightRow, "copter" | "equipments" | "payloads" | "weight">;
}) {
  return (
    <div className={styles.panel}>
      <ul className={styles.items}>
        {[flight.copter, ...flight.equipments].map((item) => (
          <PanelItem
            key={item.dpfId}
            icon={kindIcons[item.type]}
            kind={equipment.kind[item.type]}
            name={
              <Link className={`row-link ${styles.link}`} to={urls.item(item.type, item.dpfId)}>
                {item.name}
              </Link>
            }
            detail={modelBeside(item)}
            weight={isCarried[item.type] ? item.weight : null}
          />
        ))}
        {flight.payloads.map((payload, position) => (
          <PanelItem
            // biome-ignore lint/suspicious/noArrayIndexKey: a flight's payloads never change, and two may be alike
            key={position}
            icon="payload"
            kind={flights.payload}
            name={payload.name}
            detail=""
            weight={payload.weight}
          />
        ))}
      </ul>
      <p className={styles.sum}>{flights.totalWeight(formatNumber(flight.weight))}</p>
    </div>
  );
}

/** Returns the model, unless it equals the item's name. */
function modelBeside(item: FlightItem): string {
  return item.model === item.name ? "" : item.model;
}

function PanelItem({
  icon,
  kind,
  name,
  detail,
  weight,
}: {
  icon: IconName;
  kind: string;
  name: ReactNode;
  detail: string;
  weight: number | null;
}) {
  return (
    <li className={styles.item}>
      <Icon name={icon} />
      <span className={`row-text ${styles.name}`}>
        <span className="quiet">{kind}</span>
        <span>
          <strong>{name}</strong>
          {detail !== "" && <span className="quiet"> {detail}</span>}
        </span>
      </span>
      {weight !== null && <span className={styles.weight}>{formatQuantity(weight, "g")}</span>}
    </li>
  );
}
