// The charging history of the battery named in the address, as a dialog.
import { useSearchParams } from "react-router";
import type { Equipment } from "../../api/generated/Equipment";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { deferred } from "../../components/deferred";
import { useGoBack } from "../../components/Page";
import { chargings as texts } from "../../components/texts/chargings";
import { general } from "../../texts";
import { historyParameter } from "../../urls";

const ChargingHistory = deferred(async () => (await import("./ChargingHistory")).ChargingHistory);

/** The dialog. `page`: the address that it closes to after a direct visit. */
export function HistoryDialog({ batteries, page }: { batteries: Equipment[]; page: string }) {
  const [parameters] = useSearchParams();
  const battery = batteries.find(({ dpfId }) => dpfId === parameters.get(historyParameter));
  const close = useGoBack(page);
  return (
    <Dialog
      title={
        <>
          {texts.historyTitle("")}
          <wbr />
          {battery?.name}
        </>
      }
      isOpen={battery !== undefined}
      onClose={close}
      isWide
      isPrinted
    >
      <DialogBody>{battery && <ChargingHistory battery={battery} />}</DialogBody>
      <DialogActions>
        <Button onPress={close}>{general.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
