// Whether fingers do the pointing, and a keyboard on the screen the typing. Knows nothing of screen sizes.

export function isTouchScreen(): boolean {
  return window.matchMedia("(pointer: coarse)").matches;
}

/**
 * Whether a dialog puts the focus into its first field: it would stay hidden until the keyboard on the screen is there, and
 * on some phones none comes by itself.
 */
export function focusesFirstField(): boolean {
  return !isTouchScreen();
}
