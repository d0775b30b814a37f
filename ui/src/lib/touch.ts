// Whether the device is used by touch, and so with an on-screen keyboard. Independent of screen sizes.

export function isTouchScreen(): boolean {
  return window.matchMedia("(pointer: coarse)").matches;
}

/**
 * Whether a dialog focuses its first field. On a touch screen the field would be hidden until the on-screen keyboard
 * appears, and some phones show none without a tap.
 */
export function focusesFirstField(): boolean {
  return !isTouchScreen();
}
