// The subject of a write, and which earlier writes it waits for. Independent of storage and cache.
import type { QueueableWrite, QueuedWrite } from "./queuedWrites";

/**
 * The subject and the object of a write. The object of a creation is the new id; that of QuickCharge and QuickStore is
 * the request id, by which they are undone.
 */
export function targetOf(
  { call, fields }: QueueableWrite,
  requestId: string,
): { subject: string; object: string } {
  switch (call) {
    case "CreateFlight":
    case "AddFlight":
    case "DeleteFlight":
      return { subject: fields.dpfId ?? "", object: fields.dpfId ?? "" };
    case "SaveFlight":
      return { subject: fields.flight.dpfId, object: fields.flight.dpfId };
    case "SaveCharging":
    case "SaveBatteryReading":
    case "DeleteBatteryReading": {
      const { battery, dpfId, charging, reading } = fields as Partial<Record<string, string | null>>;
      return { subject: battery ?? "", object: dpfId ?? charging ?? reading ?? "" };
    }
    case "QuickCharge":
    case "QuickStore":
      return { subject: fields.battery, object: requestId };
    case "CompleteJob":
    case "SkipJob":
    case "PutOffJob":
      return { subject: fields.jobId, object: requestId };
    case "Undo":
      return { subject: fields.undo, object: fields.undo };
    case "SaveEquipmentLog":
    case "SaveFlightLog":
      return { subject: fields.dpfId, object: fields.log ?? "" };
    case "EditLog":
    case "DeleteLog":
      return { subject: fields.dpfId, object: fields.dpfId };
    case "UploadImageForFlight":
      return { subject: fields.flight, object: requestId };
  }
}

type Ordered = QueueableWrite & Pick<QueuedWrite, "subject" | "object">;

/** Whether a write may only be sent after an earlier one. */
export function follows(later: Ordered, earlier: Pick<QueuedWrite, "state"> & Ordered): boolean {
  // Pictures take long: only the deletion of their flight and other pictures wait for them.
  if (isImageUpload(earlier) && !isImageUpload(later) && later.call !== "DeleteFlight") return false;
  if (sharesSubject(later.subject, earlier.subject) || later.object === earlier.object) return true;
  if (earlier.state === "stuck") return false;
  // Only one flight can be open: its end goes first.
  if (later.call === "CreateFlight") return opensOrEnds(earlier);
  // A job begins to count anew at what the server knows by then.
  return isAboutJob(later) && counts(earlier);
}

export function isImageUpload({ call }: Pick<QueuedWrite, "call">): boolean {
  return call === "UploadImageForFlight";
}

export function isAboutJob({ call }: Pick<QueuedWrite, "call">): boolean {
  return call === "CompleteJob" || call === "SkipJob" || call === "PutOffJob";
}

/** Whether a write changes the flights or the charge cycles that jobs count. */
function counts({ call }: QueueableWrite): boolean {
  const isOfFlight = call === "CreateFlight" || call === "AddFlight" || call === "SaveFlight";
  return isOfFlight || call === "DeleteFlight" || call === "SaveCharging" || call === "QuickCharge";
}

/** Whether two subjects share an id; several packs are separated by `;`. */
function sharesSubject(one: string, other: string): boolean {
  const others = other.split(";");
  return one.split(";").some((id) => others.includes(id));
}

function opensOrEnds({ call, fields }: QueueableWrite): boolean {
  if (call === "SaveFlight") return fields.endFlight === true;
  return call === "CreateFlight" || call === "AddFlight" || call === "DeleteFlight";
}
