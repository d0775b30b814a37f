// Whether fingers do the pointing, and a keyboard on the screen the typing. Knows nothing of screen sizes.

export function isTouchScreen(): boolean {
  return window.matchMedia("(pointer: coarse)").matches;
}
