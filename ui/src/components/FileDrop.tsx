// Accepts files that are dropped anywhere on a screen, and says so while they are dragged over it.
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { isPageCovered } from "../lib/overlays";
import styles from "./FileDrop.module.css";
import { Icon } from "./Icon";

export function FileDrop({ label, onDrop }: { label: string; onDrop: (files: File[]) => void }) {
  const isOver = useDroppedFiles(onDrop);
  if (!isOver) return null;
  return createPortal(
    <div className={styles.overlay} aria-hidden="true">
      <p>
        <Icon name="upload" size={40} />
        {label}
      </p>
    </div>,
    document.body,
  );
}

/** Whether files are dragged over the window. */
function useDroppedFiles(onDrop: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onDrop);
  useEffect(() => {
    latest.current = onDrop;
  });
  useEffect(() => {
    const isOfPage = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes("Files") === true && !isPageCovered();
    function over(event: DragEvent) {
      if (!isOfPage(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
      setOver(true);
    }
    function leave(event: DragEvent) {
      // Left the window, not just an element.
      if (event.relatedTarget === null) setOver(false);
    }
    function drop(event: DragEvent) {
      setOver(false);
      if (!isOfPage(event)) return;
      event.preventDefault();
      const files = filesOf(event.dataTransfer);
      if (files.length > 0) latest.current(files);
    }
    const listeners = { dragenter: over, dragover: over, dragleave: leave, drop };
    for (const [name, listener] of Object.entries(listeners)) {
      window.addEventListener(name, listener as EventListener);
    }
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        window.removeEventListener(name, listener as EventListener);
      }
    };
  }, []);
  return isOver;
}

/** The dropped files, without folders, which no browser can read as files. */
function filesOf(transfer: DataTransfer | null): File[] {
  const items = [...(transfer?.items ?? [])].filter(({ kind }) => kind === "file");
  return items
    .filter((item) => item.webkitGetAsEntry()?.isDirectory !== true)
    .map((item) => item.getAsFile())
    .filter((file) => file !== null);
}
