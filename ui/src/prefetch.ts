// Prefetches the code of all screens once the first one is shown: at the airfield the network may be gone with the next
// tap. Independent of screens.
import type { RouteObject } from "react-router";

const firstScreenMs = 2_000;

/** Loads the screens of these routes in the background, then calls `rest`, unless the browser is set to save data. */
export function prefetchScreens(routes: RouteObject[], rest: () => Promise<void>): void {
  if (savesData()) return;
  window.addEventListener("load", () => {
    // A screen that fails to load here is loaded again when it is opened, which shows the error.
    setTimeout(
      () =>
        loadAll(routes)
          .then(rest)
          .catch(() => {}),
      firstScreenMs,
    );
  });
}

/** Sequentially, so that a call of the user's never waits for all of them. */
async function loadAll(routes: RouteObject[]): Promise<void> {
  for (const route of routes) {
    if (typeof route.lazy === "function") await route.lazy();
    if (route.children) await loadAll(route.children);
  }
}

// `connection` is missing in some browsers, and in TypeScript's types.
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
