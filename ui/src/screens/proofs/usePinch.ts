// Fingers on a picture: two enlarge it, one moves the enlarged one or turns to the next page, two taps switch between
// the whole and the enlarged picture.
import { type PointerEvent, useRef, useState } from "react";
import { type Frame, moved, type Point, whole, zoomed } from "./zoom";

/** Shortest swipe to another page. */
const swipePx = 50;
const doubleTapMs = 300;
const tapPx = 10;
const doubleTapScale = 2.5;

/** `onSwipe`: 1 for the next page, -1 for the one before. */
export function usePinch(onSwipe: (step: 1 | -1) => void) {
  const [view, setView] = useState(whole);
  const fingers = useRef(new Map<number, Point>());
  const begun = useRef<{ at: Point } | null>(null);
  const lastTapAt = useRef(0);

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button > 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    const { at } = placeOf(event);
    fingers.current.set(event.pointerId, at);
    begun.current = fingers.current.size === 1 ? { at } : null;
  }
  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const before = fingers.current.get(event.pointerId);
    if (before === undefined) return;
    const { at, frame } = placeOf(event);
    const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    fingers.current.set(event.pointerId, at);
    if (other) {
      const factor = distance(at, other) / Math.max(distance(before, other), 1);
      const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
      setView((shown) => zoomed(shown, factor, middle, frame));
    } else {
      setView((shown) => moved(shown, { x: at.x - before.x, y: at.y - before.y }, frame));
    }
  }
  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const { at, frame } = placeOf(event);
    fingers.current.delete(event.pointerId);
    const start = begun.current;
    begun.current = null;
    if (start === null) return;
    const across = at.x - start.at.x;
    if (view.scale === 1 && Math.abs(across) > swipePx) {
      onSwipe(across > 0 ? -1 : 1);
    } else if (distance(at, start.at) < tapPx) {
      const isSecond = event.timeStamp - lastTapAt.current < doubleTapMs;
      lastTapAt.current = isSecond ? 0 : event.timeStamp;
      if (isSecond) setView(view.scale > 1 ? whole : zoomed(whole, doubleTapScale, at, frame));
    }
  }
  function onPointerCancel({ pointerId }: PointerEvent<HTMLElement>) {
    fingers.current.delete(pointerId);
    begun.current = null;
  }

  return { view, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } };
}

/** Where a finger is, from the middle of the frame. */
function placeOf({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): {
  at: Point;
  frame: Frame;
} {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return { at: { x: clientX - left - width / 2, y: clientY - top - height / 2 }, frame: { width, height } };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
