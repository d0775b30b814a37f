// The start: puts the application into the page. Reloads once when an update of the server has replaced the files
// that this page would load next. Knows nothing of screens.
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { I18nProvider } from "react-aria-components";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { cache } from "./api/cache";
import { router } from "./router";
import "./styles/index.css";

const reloadedAtKey = "fluglog.reloadedAt";
const reloadLoopMs = 30_000;

window.addEventListener("vite:preloadError", (event) => {
  // A file that is missing again right after the reload is shown as an error, or it would go on for ever.
  if (Date.now() - Number(sessionStorage.getItem(reloadedAtKey)) < reloadLoopMs) return;
  sessionStorage.setItem(reloadedAtKey, String(Date.now()));
  event.preventDefault();
  // The address changes only when a screen has come: a reload alone would show the old one again.
  const wanted = router.state.navigation.location;
  if (wanted) window.location.assign(router.createHref(wanted));
  else window.location.reload();
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
