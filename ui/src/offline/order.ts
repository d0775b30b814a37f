// The subject of a write, and which writes are sent one after the other. Knows no storage and no cache.
import type { QueueableWrite, QueuedWrite } from "./queuedWrites";

/**
 * The subject of a write; the id of what it creates counts for a new object. What packs were said to be has that of its
 * request, by which it is taken back.
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

/** Whether a write has to be sent after another one that waits. */
export function follows(later: Ordered, earlier: Pick<QueuedWrite, "state"> & Ordered): boolean {
  // Pictures take long: nothing but the end of their flight comes after them.
  if (isImageUpload(earlier) && !isImageUpload(later) && later.call !== "DeleteFlight") return false;
  if (sharesSubject(later.subject, earlier.subject) || later.object === earlier.object) return true;
  // One flight is open at a time.
  return later.call === "CreateFlight" && earlier.state !== "stuck" && opensOrEnds(earlier);
}

export function isImageUpload({ call }: Pick<QueuedWrite, "call">): boolean {
  return call === "UploadImageForFlight";
}

/** Several packs have `;` between. */
function sharesSubject(one: string, other: string): boolean {
  const others = other.split(";");
  return one.split(";").some((id) => others.includes(id));
}

function opensOrEnds({ call, fields }: QueueableWrite): boolean {
  if (call === "SaveFlight") return fields.endFlight === true;
  return call === "CreateFlight" || call === "AddFlight" || call === "DeleteFlight";
}
