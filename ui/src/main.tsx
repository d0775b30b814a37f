// The entry point: renders the application. Reloads once when a file of this version is missing.
import "./lib/storage";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { I18nProvider } from "react-aria-components";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { cache } from "./api/cache";
import { prefetchFlights } from "./api/flights";
import { untilReachable } from "./api/reachability";
import { currentUser } from "./api/session";
import { loadDeferred } from "./components/deferred";
import { trackKeyboard } from "./keyboard";
import { removeStaleDrafts } from "./lib/drafts";
import { prefetchScreens } from "./prefetch";
import { router, routes } from "./router";
import "./styles/index.css";

const reloadedAtKey = "fluglog.reloadedAt";
const reloadLoopMs = 30_000;

// A screen's file failed to load: an update has replaced it, or the server can't be reached. Until that is known the
// error page is shown; a reload without a server would end at the browser's own error page.
window.addEventListener("vite:preloadError", async () => {
  // A file that is missing again right after the reload is an error, or the reloads would never end.
  if (Date.now() - Number(sessionStorage.getItem(reloadedAtKey)) < reloadLoopMs) return;
  await untilReachable();
  // Without an error page the user has gone elsewhere meanwhile.
  if (router.state.errors === null) return;
  sessionStorage.setItem(reloadedAtKey, String(Date.now()));
  window.location.reload();
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// As a transition the first screen is rendered in slices, between which a slow phone can scroll and take a tap.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <I18nProvider locale="de-DE">
        <QueryClientProvider client={cache}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  ),
);

removeStaleDrafts();
trackKeyboard();
prefetchScreens(routes, async () => {
  if (currentUser() !== null) await prefetchFlights();
  if (currentUser()?.hasProofs) await (await import("./api/proofs")).prefetchProofs();
});
// Shown to somebody who waits: its screen is there before that of the others.
loadDeferred(async () => {
  if (currentUser()?.hasProofs) await import("./screens/proofs/ProofsPage");
});
if (import.meta.env.PROD) {
  loadDeferred(async () => {
    const [{ followUpdates }, { persistAnswers }] = await Promise.all([
      import("./update"),
      import("./offline/snapshot"),
    ]);
    followUpdates(router, import.meta.url);
    persistAnswers();
  });
}
