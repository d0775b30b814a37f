// Android's Back closes what is open over the page, where the browser asks for it, instead of leaving the page. Stands
// inside of what it closes.
import { useEffect, useRef } from "react";
import { isTouchScreen } from "../lib/touch";

/** An interface of Chromium that TypeScript doesn't know. */
type CloseWatcher = EventTarget & { destroy: () => void };

/** `isHolding`: there is input, so that a first Back does nothing and the second one closes. */
export function BackCloses({ onBack, isHolding = false }: { onBack: () => void; isHolding?: boolean }) {
  const now = useRef({ onBack, isHolding });
  useEffect(() => {
    now.current = { onBack, isHolding };
  });
  useEffect(() => {
    const { CloseWatcher } = window as { CloseWatcher?: new () => CloseWatcher };
    // A desk has no button for Back; the library handles Escape.
    if (CloseWatcher === undefined || !isTouchScreen()) return;
    const watcher = new CloseWatcher();
    // The browser lets Back be refused once; after further input, once more.
    watcher.addEventListener("cancel", (event) => {
      if (now.current.isHolding) event.preventDefault();
    });
    watcher.addEventListener("close", () => now.current.onBack());
    // The browser takes Escape for Back, too.
    function keepAtEscape(event: KeyboardEvent) {
      if (event.key === "Escape" && now.current.isHolding) event.preventDefault();
    }
    document.addEventListener("keydown", keepAtEscape);
    return () => {
      document.removeEventListener("keydown", keepAtEscape);
      watcher.destroy();
    };
  }, []);
  return null;
}
