// The start: puts the application into the page. Reloads once when the files that this page would load next didn't come.
// Knows nothing of screens.
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { I18nProvider } from "react-aria-components";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { loadAhead } from "./ahead";
import { cache } from "./api/cache";
import { untilReachable } from "./api/reachability";
import { removeStaleDrafts } from "./lib/drafts";
import { router, routes } from "./router";
import { followUpdates } from "./update";
import "./styles/index.css";

const reloadedAtKey = "fluglog.reloadedAt";
const reloadLoopMs = 30_000;

// A screen's file didn't come: an update has replaced it, or the server can't be reached. Until that is known the error
// page stands in its place; a reload without a server would leave the pilot with the browser's own error.
window.addEventListener("vite:preloadError", async () => {
  // A file that is missing again right after the reload is shown as an error, or it would go on for ever.
  if (Date.now() - Number(sessionStorage.getItem(reloadedAtKey)) < reloadLoopMs) return;
  await untilReachable();
  // Without an error page the pilot has gone elsewhere meanwhile.
  if (router.state.errors === null) return;
  sessionStorage.setItem(reloadedAtKey, String(Date.now()));
  window.location.reload();
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <I18nProvider locale="de-DE">
      <QueryClientProvider client={cache}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);

removeStaleDrafts();
loadAhead(routes);
if (import.meta.env.PROD) followUpdates(router);
