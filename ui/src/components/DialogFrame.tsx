// The frame of a dialog: react-aria handles focus, Escape and the return to the opener, BackCloses Android's Back.
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { BackCloses } from "./BackCloses";
import styles from "./Dialog.module.css";

export type DialogProps = {
  /** A node only where the title may break. */
  title: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  isBlocking?: boolean;
  isWide?: boolean;
  /** Printed in full instead of the page below. */
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
          <BackCloses onBack={onClose} isHolding={isBlocking} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
