// Horizontal swipes over an element whose style sheet leaves only other gestures to the browser.
import { type PointerEvent, useRef } from "react";

/** Shortest swipe; anything shorter is a tap. */
const swipePx = 50;

/** `onSwipe`: 1 for a swipe to the left (next), -1 to the right. `isTouchOnly`: a mouse selects text instead. */
export function useSwipe(onSwipe: (step: 1 | -1) => void, { isTouchOnly = false } = {}) {
  const start = useRef<{ pointerId: number; x: number } | null>(null);
  return {
    onPointerDown({ isPrimary, pointerId, pointerType, clientX, currentTarget, target }: PointerEvent) {
      // React also passes on the events of dialogs that belong to the element.
      const isInside = target instanceof Node && currentTarget.contains(target);
      // A second finger zooms.
      const isSwipe = isPrimary && isInside && !(isTouchOnly && pointerType !== "touch");
      start.current = isSwipe ? { pointerId, x: clientX } : null;
    },
    onPointerUp({ pointerId, clientX }: PointerEvent) {
      const begun = start.current;
      start.current = null;
      if (begun === null || begun.pointerId !== pointerId) return;
      const distance = clientX - begun.x;
      if (Math.abs(distance) > swipePx) onSwipe(distance > 0 ? -1 : 1);
    },
    onPointerCancel() {
      start.current = null;
    },
  };
}
