// Starts a charging of a battery, finishes the open one, or edits a finished one. Closes by its buttons only.
import { useChargings } from "../../api/chargings";
import type { Charging } from "../../api/generated/Charging";
import type { Equipment } from "../../api/generated/Equipment";
import { Dialog } from "../../components/Dialog";
import { deferred } from "../../components/deferred";
import { Skeleton } from "../../components/states";
import { chargings as texts } from "../../components/texts/chargings";

const ChargingForm = deferred(async () => (await import("./ChargingForm")).ChargingForm);

/** The charging that the dialog was opened for, as it was then; `null` starts a new one. */
export type ChargingOpening = { charging: Charging | null };

export function ChargingDialog({
  battery,
  opening,
  onClose,
}: {
  battery: Equipment;
  opening: ChargingOpening | null;
  onClose: () => void;
}) {
  // Loaded before the form opens, so that the end of an open charging is proposed at once.
  const isEnding = opening?.charging?.chargeEndTime === "";
  const query = useChargings(battery.dpfId, battery.lastCharging !== null || isEnding);
  return (
    <Dialog title={texts.dialogTitle(battery.name)} isOpen={opening !== null} onClose={onClose} isBlocking>
      {opening &&
        (isEnding && query.isPending ? (
          <Skeleton height={22} />
        ) : (
          <ChargingForm
            battery={battery}
            charging={opening.charging}
            history={query.data?.chargings ?? []}
            onClose={onClose}
          />
        ))}
    </Dialog>
  );
}
