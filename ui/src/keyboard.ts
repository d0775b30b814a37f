// Publishes the height of an on-screen keyboard that covers the window as `--keyboard-height`. It is 0 where the window
// shrinks instead, as the page's viewport asks for; Safari doesn't shrink it.

export function trackKeyboard(): void {
  const visible = window.visualViewport;
  if (!visible) return;
  function follow(): void {
    // A zoomed page has a smaller visual viewport without any keyboard.
    const covered =
      visible && visible.scale === 1 ? window.innerHeight - visible.height - visible.offsetTop : 0;
    document.documentElement.style.setProperty("--keyboard-height", `${Math.max(0, Math.round(covered))}px`);
  }
  visible.addEventListener("resize", follow);
  visible.addEventListener("scroll", follow);
}
