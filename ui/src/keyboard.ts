// The height of an on-screen keyboard that covers the window, for the style sheets. Where the window shrinks instead,
// as the page asks for, it is 0. Safari doesn't shrink it.

export function trackKeyboard(): void {
  const visible = window.visualViewport;
  if (!visible) return;
  function follow(): void {
    // A page that is zoomed in shows less of the window too.
    const covered =
      visible && visible.scale === 1 ? window.innerHeight - visible.height - visible.offsetTop : 0;
    document.documentElement.style.setProperty("--keyboard-height", `${Math.max(0, Math.round(covered))}px`);
  }
  visible.addEventListener("resize", follow);
  visible.addEventListener("scroll", follow);
}
