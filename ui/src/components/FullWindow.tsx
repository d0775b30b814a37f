// A dialog over the whole window: a picture, a path, a paper. react-aria handles focus, Escape and the return to the
// opener, BackCloses Android's Back.
import type { KeyboardEventHandler, ReactNode } from "react";
import { Dialog as AriaDialog, Modal, ModalOverlay } from "react-aria-components";
import { BackCloses } from "./BackCloses";
import styles from "./FullWindow.module.css";

/** `className`: its colours. Without `label` the heading in the slot `title` names it. */
export function FullWindow({
  className = "",
  label,
  onClose,
  onKeyDown,
  children,
}: {
  className?: string | undefined;
  label?: string;
  onClose: () => void;
  onKeyDown?: KeyboardEventHandler | undefined;
  children: ReactNode;
}) {
  return (
    <ModalOverlay
      className={`${styles.backdrop} ${className}`}
      data-full-window=""
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Modal className={styles.frame}>
        {/* Outside of the dialog, which has the focus itself until something in it is pressed. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys do what the buttons inside do */}
        <div className={styles.keys} onKeyDown={onKeyDown}>
          <AriaDialog className={styles.frame} aria-label={label}>
            <BackCloses onBack={onClose} />
            {children}
          </AriaDialog>
        </div>
      </Modal>
    </ModalOverlay>
  );
}
