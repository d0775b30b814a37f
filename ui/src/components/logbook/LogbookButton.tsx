// The button that opens the dialog of a book: the pilot's, or that of an item.
import { useState } from "react";
import { Button, IconButton } from "../Button";
import { Dialog } from "../Dialog";
import { deferred } from "../deferred";
import { logbook as texts } from "./texts";

const LogbookChoice = deferred(async () => (await import("./LogbookChoice")).LogbookChoice);

export function LogbookButton({ item, isIcon = false }: { item?: string; isIcon?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const title = item === undefined ? texts.pilot : texts.item;
  const open = () => setOpen(true);
  const close = () => setOpen(false);
  return (
    <>
      {isIcon ? (
        <IconButton icon="file-pdf" label={title} onPress={open} />
      ) : (
        <Button icon="file-pdf" onPress={open}>
          {title}
        </Button>
      )}
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        {isOpen && <LogbookChoice item={item} onClose={close} />}
      </Dialog>
    </>
  );
}
