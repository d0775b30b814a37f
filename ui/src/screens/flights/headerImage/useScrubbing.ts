// Pointer events for selecting a moment on a drawing: one finger or a pressed button moves, two fingers and the wheel
// don't.
import type { PointerEvent } from "react";

/**
 * Returns the event handlers. `onPoint` receives the pointer's position as fractions of the element's width and height.
 */
export function useScrubbing(onPoint: (x: number, y: number) => void, { hovers = false } = {}) {
  function point({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) {
    const box = currentTarget.getBoundingClientRect();
    onPoint((clientX - box.left) / box.width, (clientY - box.top) / box.height);
  }
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      // A swipe over the rest of the page turns to the next flight.
      event.stopPropagation();
      if (!event.isPrimary || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      point(event);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const isHeld = event.currentTarget.hasPointerCapture(event.pointerId);
      if (isHeld || (hovers && event.pointerType === "mouse")) point(event);
    },
  };
}
