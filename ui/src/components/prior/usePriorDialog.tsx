// The dialog of hours from before Fluglog: those of the pilot, or of an item.
import { type ReactNode, useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import type { PriorFlights } from "../../api/generated/PriorFlights";
import { Dialog } from "../Dialog";
import { deferred } from "../deferred";
import { priorForm as texts } from "./texts";

const PriorForm = deferred(async () => (await import("./PriorForm")).PriorForm);

/** `item`: undefined for the pilot. */
export function usePriorDialog(
  item: Pick<Equipment, "dpfId" | "type"> | undefined,
  stored: PriorFlights | undefined,
): { open: () => void; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return {
    open: () => setOpen(true),
    dialog: (
      <Dialog title={texts.title} isOpen={isOpen} onClose={close} isBlocking>
        <PriorForm item={item?.dpfId} isPack={item?.type === Kind.Battery} stored={stored} onClose={close} />
      </Dialog>
    ),
  };
}
