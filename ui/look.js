// Shows the look that was chosen on this device before anything is painted, and follows every later choice. Without one
// it is the system's, and "Sonne" where the system asks for more contrast. Knows no look's colours but the window's
// frame.
{
  const contrast = window.matchMedia("(prefers-contrast: more)");
  const frames = { hell: "#f6f8fa", dunkel: "#0e141b", sonne: "#ffffff" };

  function chosen() {
    try {
      return localStorage.getItem("fluglog.look");
    } catch {
      return null;
    }
  }

  function show() {
    const choice = chosen();
    const look = choice in frames ? choice : contrast.matches ? "sonne" : "";
    document.documentElement.dataset.look = look;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.dataset.own ??= meta.content;
      meta.content = frames[look] ?? meta.dataset.own;
    }
  }

  show();
  contrast.addEventListener("change", show);
  window.addEventListener("storage", show);
  window.addEventListener("fluglog:look", show);
}
