// Loads the files of all screens once the first one stands: at the airfield the network may be gone with the next tap.
// Knows no screen.
import type { RouteObject } from "react-router";

const firstScreenMs = 2_000;

/** Loads the screens of these routes in the background; not where the pilot asked the browser to save data. */
export function loadAhead(routes: RouteObject[]): void {
  if (savesData()) return;
  window.addEventListener("load", () => {
    // A screen that doesn't come now comes, or says so, when it is opened.
    setTimeout(() => loadAll(routes).catch(() => {}), firstScreenMs);
  });
}

/** One after the other, so that a call of the pilot's never waits for all of them. */
async function loadAll(routes: RouteObject[]): Promise<void> {
  for (const route of routes) {
    if (typeof route.lazy === "function") await route.lazy();
    if (route.children) await loadAll(route.children);
  }
}

// Not every browser tells, and TypeScript doesn't know it yet.
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
