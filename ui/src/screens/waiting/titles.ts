// Titles and icons of queued writes.
import type { IconName } from "../../components/icons";
import { formatClock } from "../../lib/dates";
import { formatQuantity } from "../../lib/numbers";
import type { QueuedWrite } from "../../offline/queuedWrites";
import { waiting as texts } from "./texts";

export function iconOf({ call }: QueuedWrite): IconName {
  if (call === "UploadImageForFlight") return "file-image";
  if (call === "SaveCharging" || call === "QuickCharge") return "bolt";
  if (call.endsWith("Job")) return "check";
  if (call === "QuickStore" || call.endsWith("BatteryReading")) return "battery";
  return call.endsWith("Log") ? "notes" : "drone";
}

export function titleOf(entry: QueuedWrite): string {
  const { about } = entry;
  const what = kindOf(entry);
  return about === "" ? what : `${what}: ${about}`;
}

function kindOf(entry: QueuedWrite): string {
  if (entry.call === "SaveFlight" && entry.fields.endFlight) return texts.flightEnded;
  if (entry.call === "SaveCharging" && !entry.fields.dpfId) return texts.chargingStarted;
  if (entry.call === "SaveCharging" && entry.fields.chargeEndTime && !entry.base.chargeEndTime)
    return texts.chargingEnded;
  return texts.calls[entry.call];
}

export function detailOf(entry: QueuedWrite): string {
  const clock = formatClock(new Date(entry.madeAt));
  if (entry.call === "AddFlight") {
    const { startTime, flightTime, location } = entry.fields.flight;
    const minutes = flightTime ? formatQuantity(Number(String(flightTime).replace(",", ".")), "min") : "";
    return [startTime.slice(-5), minutes, location ?? ""].filter((text) => text !== "").join(" · ");
  }
  if (entry.pictures) return `${clock} · ${texts.pictures(entry.pictures.count, entry.pictures.bytes)}`;
  if ("info" in entry.fields) return `${clock} · ${entry.fields.info}`;
  return clock;
}
