// Loads the files of all screens once the first one is shown: at the airfield the network may be gone with the next
// tap. Knows no screen.
import type { RouteObject } from "react-router";

const firstScreenMs = 2_000;

/** Loads the screens of these routes in the background, and then the rest, unless the browser is set to save data. */
export function prefetchScreens(routes: RouteObject[], rest: () => Promise<void>): void {
  if (savesData()) return;
  window.addEventListener("load", () => {
    // A screen that fails to load here is loaded, or its error shown, when it is opened.
    setTimeout(
      () =>
        loadAll(routes)
          .then(rest)
          .catch(() => {}),
      firstScreenMs,
    );
  });
}

/** One after the other, so that a call of the user's never waits for all of them. */
async function loadAll(routes: RouteObject[]): Promise<void> {
  for (const route of routes) {
    if (typeof route.lazy === "function") await route.lazy();
    if (route.children) await loadAll(route.children);
  }
}

// Not in every browser, and not in TypeScript's types yet.
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
