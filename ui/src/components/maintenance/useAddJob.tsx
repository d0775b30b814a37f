// The dialog that adds a job to an item.
import { type ReactNode, useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { useJobsOf } from "../../api/maintenance";
import { Dialog } from "../Dialog";
import { deferred } from "../deferred";
import { jobForm as texts } from "./texts";

const AddJob = deferred(async () => (await import("./AddJob")).AddJob);

export function useAddJob(item: Equipment): { open: () => void; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const present = (useJobsOf(item).data ?? []).map(({ title }) => title);
  const close = () => setOpen(false);
  return {
    open: () => setOpen(true),
    dialog: (
      <Dialog title={texts.newTitle(item.name)} isOpen={isOpen} onClose={close} isBlocking>
        <AddJob item={item} present={present} onClose={close} />
      </Dialog>
    ),
  };
}
