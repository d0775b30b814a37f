// Whether the device is used by touch, and so with an on-screen keyboard. Knows no screen sizes.

export function isTouchScreen(): boolean {
  return window.matchMedia("(pointer: coarse)").matches;
}

/**
 * Whether a dialog focuses its first field: on a touch screen it would be hidden until the on-screen keyboard appears,
 * and on some phones none appears by itself.
 */
export function focusesFirstField(): boolean {
  return !isTouchScreen();
}
