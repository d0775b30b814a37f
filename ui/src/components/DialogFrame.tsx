// The frame of a dialog: react-aria handles focus, Escape and the return to the opener.
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import styles from "./Dialog.module.css";

export type DialogProps = {
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
};

export function DialogFrame({
  title,
  isOpen,
  onClose,
  isBlocking = false,
  isWide = false,
  isPrinted = false,
  role = "dialog",
  children,
}: DialogProps) {
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
