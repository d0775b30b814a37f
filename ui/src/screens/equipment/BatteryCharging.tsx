// What a pilot does with a pack, on its page: the one-tap actions, the form of a charging and that of a reading.
import { useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { Button, ButtonLink } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { packs } from "../../components/packs/texts";
import { singlePack, useQuickCharge } from "../../components/packs/useQuickCharge";
import { ErrorNote } from "../../components/states";
import { chargings as texts } from "../../components/texts/chargings";
import { WaitingMark } from "../../components/WaitingMark";
import { urls } from "../../urls";
import styles from "./BatteryCharging.module.css";
import { ChargingDialog, type ChargingOpening } from "./ChargingDialog";
import { canQuickCharge, stateOf } from "./packs";

export function BatteryCharging({ battery }: { battery: Equipment }) {
  const [opening, setOpening] = useState<ChargingOpening | null>(null);
  const quick = useQuickCharge();
  const { lastCharging } = battery;
  return (
    <div className={lastCharging ? `${styles.charging} ${styles.open}` : styles.charging}>
      {lastCharging && (
        <p className={styles.since}>
          <Icon name="battery-charging" />
          {texts.runningSince(lastCharging.chargeStartTime)} <WaitingMark of={battery.dpfId} />
        </p>
      )}
      <div className={styles.quick}>
        {canQuickCharge(battery) && stateOf(battery) !== "full" && (
          <Button
            variant="primary"
            icon="battery"
            onPress={() => quick.charged(singlePack(battery))}
            isDisabled={quick.isBusy}
          >
            {packs.charged}
            <span className="visually-hidden"> {battery.name}</span>
          </Button>
        )}
        {canQuickCharge(battery) && stateOf(battery) !== "storage" && (
          <Button icon="retire" onPress={() => quick.stored(singlePack(battery))} isDisabled={quick.isBusy}>
            {packs.stored}
            <span className="visually-hidden"> {battery.name}</span>
          </Button>
        )}
        <Button
          icon={lastCharging ? "finish" : "bolt"}
          onPress={() => setOpening({ charging: lastCharging })}
        >
          {lastCharging ? texts.finish : texts.start}
          <span className="visually-hidden"> {battery.name}</span>
        </Button>
        <ButtonLink to={urls.reading(battery.dpfId)} icon="gauge">
          {packs.measure}
        </ButtonLink>
      </div>
      {quick.failure !== null && <ErrorNote>{quick.failure}</ErrorNote>}
      <ChargingDialog battery={battery} opening={opening} onClose={() => setOpening(null)} />
    </div>
  );
}
