// The charging controls of a battery's page: since when a charging is open, the button that starts or finishes one, and
// the one-tap actions.
import { useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { packs } from "../../components/packs/texts";
import { singlePack, useQuickCharge } from "../../components/packs/useQuickCharge";
import { ErrorNote } from "../../components/states";
import { WaitingMark } from "../../components/WaitingMark";
import { chargings as texts } from "../../texts";
import styles from "./BatteryCharging.module.css";
import { ChargingDialog, type ChargingOpening } from "./ChargingDialog";
import { canQuickCharge, stateOf } from "./packs";

/** Takes two taps at best: the button here and the one in its dialog, whose fields are prefilled. */
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
      <Button
        variant={lastCharging ? "primary" : "secondary"}
        icon={lastCharging ? "check" : "bolt"}
        onPress={() => setOpening({ charging: lastCharging })}
      >
        {lastCharging ? texts.finish : texts.start}
        <span className="visually-hidden"> {battery.name}</span>
      </Button>
      {canQuickCharge(battery) && (
        <div className={styles.quick}>
          {stateOf(battery) !== "full" && (
            <Button
              icon="battery"
              onPress={() => quick.charged(singlePack(battery))}
              isDisabled={quick.isBusy}
            >
              {packs.charged}
              <span className="visually-hidden"> {battery.name}</span>
            </Button>
          )}
          {stateOf(battery) !== "storage" && (
            <Button icon="retire" onPress={() => quick.stored(singlePack(battery))} isDisabled={quick.isBusy}>
              {packs.stored}
              <span className="visually-hidden"> {battery.name}</span>
            </Button>
          )}
        </div>
      )}
      {quick.failure !== null && <ErrorNote>{quick.failure}</ErrorNote>}
      <ChargingDialog battery={battery} opening={opening} onClose={() => setOpening(null)} />
    </div>
  );
}
