// Follows an update of the server: a tab may stay open for weeks, and would keep the app of the day it was opened.
// Knows neither screens nor calls.
import type { createBrowserRouter } from "react-router";
import { basePath } from "./urls";

/**
 * Reloads the app when it has been replaced. Checks whenever the user comes back to the tab, and reloads only with the
 * next navigation, so that no screen loses anything.
 */
export function followUpdates(router: ReturnType<typeof createBrowserRouter>): void {
  let isReplaced = false;
  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState === "visible") isReplaced ||= await hasOtherFiles();
  });
  let path = router.state.location.pathname;
  router.subscribe(({ location }) => {
    if (location.pathname === path) return;
    path = location.pathname;
    if (isReplaced) window.location.reload();
  });
}

/** The page names the files with a hash of what is in them, this one too. */
async function hasOtherFiles(): Promise<boolean> {
  const answer = await fetch(`${basePath}/`, { cache: "no-cache" }).catch(() => null);
  return answer?.ok === true && !(await answer.text()).includes(new URL(import.meta.url).pathname);
}
