// The link to the screen on which a queued write is edited; changes there go into the queued write.
import { useEquipment } from "../../api/equipment";
import { ButtonLink } from "../../components/Button";
import { flightWithQueued } from "../../offline/overlay";
import type { QueuedWrite } from "../../offline/queuedWrites";
import { useQueueState } from "../../offline/queueState";
import { urls } from "../../urls";
import { waiting as texts } from "./texts";

export function EditLink({ entry, isQuiet = false }: { entry: QueuedWrite; isQuiet?: boolean }) {
  const to = useEditUrl(entry);
  return (
    to !== null && (
      <ButtonLink to={to} variant={isQuiet ? "quiet" : "secondary"}>
        {texts.edit}
      </ButtonLink>
    )
  );
}

function useEditUrl(entry: QueuedWrite): string | null {
  const isOfItem = entry.call === "SaveEquipmentLog" || entry.call === "SaveCharging";
  const item = useEquipment(entry.subject, isOfItem).data;
  const { entries } = useQueueState();
  switch (entry.call) {
    case "SaveEquipmentLog":
      return item ? urls.equipmentLogs(item.type, item.dpfId) : null;
    case "SaveCharging":
      return urls.itemHistory(entry.subject);
    case "SaveFlightLog":
      return urls.flight(entry.subject);
    case "CreateFlight":
    case "AddFlight":
    case "SaveFlight": {
      const isOpen = entry.flight !== null && flightWithQueued(entry.flight, entries).open;
      return isOpen ? urls.newFlight(entry.object) : urls.editFlight(entry.object);
    }
    default:
      return null;
  }
}
