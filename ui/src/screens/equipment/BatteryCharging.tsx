// The charging of a battery: the button that starts or finishes one, with its dialog, and on a card also since when one
// is open, and the button of the history.
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { Equipment } from "../../api/generated/Equipment";
import { Button } from "../../components/Button";
import { CardAction } from "../../components/CardAction";
import { Icon } from "../../components/Icon";
import { chargings as texts } from "../../texts";
import { historyParameter } from "../../urls";
import styles from "./BatteryCharging.module.css";
import { ChargingDialog, type ChargingOpening } from "./ChargingDialog";

export function BatteryCharging({ battery }: { battery: Equipment }) {
  const { lastCharging } = battery;
  return (
    <div className={lastCharging ? `${styles.charging} ${styles.open}` : styles.charging}>
      {lastCharging && (
        <p className={styles.since}>
          <Icon name="battery-charging" />
          {texts.runningSince(lastCharging.chargeStartTime)}
        </p>
      )}
      <ChargingButton battery={battery} hasIcon />
    </div>
  );
}

/** Two taps, this one and the one in its dialog, where everything is known. */
export function ChargingButton({ battery, hasIcon = false }: { battery: Equipment; hasIcon?: boolean }) {
  const [opening, setOpening] = useState<ChargingOpening | null>(null);
  const { lastCharging } = battery;
  return (
    <>
      <Button
        variant={lastCharging && hasIcon ? "primary" : "secondary"}
        {...(hasIcon && { icon: lastCharging ? "check" : "bolt" })}
        onPress={() => setOpening({ charging: lastCharging })}
      >
        {lastCharging ? texts.finish : texts.start}
        <span className="visually-hidden"> {battery.name}</span>
      </Button>
      <ChargingDialog battery={battery} opening={opening} onClose={() => setOpening(null)} />
    </>
  );
}

/** The open history is part of the address, so that Back from one of its flights leads into it again. */
export function HistoryButton({ battery }: { battery: Equipment }) {
  const [, setParameters] = useSearchParams();
  function open() {
    setParameters((parameters) => {
      parameters.set(historyParameter, battery.dpfId);
      return parameters;
    });
  }
  return <CardAction icon="history" label={texts.history} about={battery.name} way={open} />;
}
