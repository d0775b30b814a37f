// Dialogs: one for any content, and one for a question with Ja and Nein. On phones they rise from the bottom. A dialog
// that holds input is `isBlocking` and closes by its buttons only, or when Android's Back is pressed twice.
import { type ReactNode, useState } from "react";
import { general } from "../texts";
import { Button } from "./Button";
import styles from "./Dialog.module.css";
import type { DialogProps } from "./DialogFrame";
import { deferred } from "./deferred";

const DialogFrame = deferred(async () => (await import("./DialogFrame")).DialogFrame);

export function Dialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  return wasOpen && <DialogFrame {...props} />;
}

/** The scrolling part of a dialog. */
export function DialogBody({ children }: { children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}

/** The buttons of a dialog, always visible; the main one comes last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className={styles.actions} data-dialog-actions="">
      {children}
    </div>
  );
}

/**
 * A question with Ja and Nein or other labels. `onYes` may return a promise: the dialog stays open and busy until it
 * settles, and closes if it was fulfilled.
 */
export function ConfirmDialog({
  question,
  isOpen,
  onClose,
  onYes,
  isDangerous = false,
  yes = general.yes,
  no = general.no,
  children,
}: {
  question: string;
  isOpen: boolean;
  onClose: () => void;
  onYes: () => unknown;
  isDangerous?: boolean;
  yes?: string;
  no?: string;
  children?: ReactNode;
}) {
  async function confirm() {
    await onYes();
    onClose();
  }
  return (
    <Dialog title={question} isOpen={isOpen} onClose={onClose} role="alertdialog">
      {children && <DialogBody>{children}</DialogBody>}
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {no}
        </Button>
        <Button variant={isDangerous ? "danger" : "primary"} onPress={confirm}>
          {yes}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
