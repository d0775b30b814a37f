// Dialogs over the page: one for any content, one for a question with Ja and Nein. On phones they rise from the bottom.
// react-aria handles focus, Escape and the return to the opener; a dialog that holds input is `isBlocking` and closes
// by its buttons only. Knows no content.
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { general } from "../texts";
import { Button } from "./Button";
import styles from "./Dialog.module.css";

export function Dialog({
  title,
  isOpen,
  onClose,
  isBlocking = false,
  isWide = false,
  isPrinted = false,
  role = "dialog",
  children,
}: {
  /** The title; a node only to mark where it may break. */
  title: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  isBlocking?: boolean;
  /** For content that is wider than a form. */
  isWide?: boolean;
  /** Printed in full, instead of the page below it. */
  isPrinted?: boolean;
  role?: "dialog" | "alertdialog";
  children: ReactNode;
}) {
  return (
    <ModalOverlay
      className={isPrinted ? `${styles.backdrop} ${styles.printed}` : styles.backdrop}
      data-dialog=""
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!isBlocking}
      isKeyboardDismissDisabled={isBlocking}
    >
      <Modal className={isWide ? `${styles.frame} ${styles.wide}` : styles.frame}>
        <AriaDialog className={styles.dialog} role={role}>
          <Heading slot="title" level={2} className={styles.title}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The part of a dialog that scrolls. */
export function DialogBody({ children }: { children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}

/** The buttons of a dialog, always visible. The main one comes last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className={styles.actions} data-dialog-actions="">
      {children}
    </div>
  );
}

/** `onYes` may return a promise: the dialog stays open and busy until it settles, and closes if it was fulfilled. */
export function ConfirmDialog({
  question,
  isOpen,
  onClose,
  onYes,
  isDangerous = false,
  children,
}: {
  question: string;
  isOpen: boolean;
  onClose: () => void;
  onYes: () => unknown;
  isDangerous?: boolean;
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
          {general.no}
        </Button>
        <Button variant={isDangerous ? "danger" : "primary"} onPress={confirm}>
          {general.yes}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
