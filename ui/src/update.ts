// Keeps the app on this device, and follows an update of the server: a tab may stay open for weeks, and would keep the
// app of the day it was opened. A new one is taken with a step to another screen, so that no screen loses anything, and
// not while something is being sent. Knows no screens.
import type { createBrowserRouter } from "react-router";
import { isSending } from "./api/send";
import { basePath, healthUrl, workerUrl } from "./urls";

/** `script` is the address of the one that the page names. */
export function followUpdates(router: ReturnType<typeof createBrowserRouter>, script: string): void {
  const keeping = registerWorker();
  let worker: ServiceWorkerRegistration | null = null;
  keeping.then((registration) => {
    worker = registration;
    // A browser that knows this worker doesn't ask for another one by itself at each start.
    if (registration?.active) checkForUpdate(registration);
  });
  let isReplaced = false;
  let isTaking = false;
  const replaced = () => isReplaced || Boolean(worker?.waiting);
  async function takeUpdate(): Promise<void> {
    if (!replaced() || !(await untilSent()) || !(await isServerUp())) return;
    // The page's own worker would answer with the app that is here.
    isTaking = Boolean(worker?.waiting);
    if (isTaking) worker?.waiting?.postMessage("take over");
    else window.location.reload();
  }

  let before = navigator.serviceWorker?.controller;
  navigator.serviceWorker?.addEventListener("controllerchange", () => {
    if (isTaking) window.location.reload();
    // Taken in another tab, or `offline = false`.
    isReplaced ||= before !== null;
    before = navigator.serviceWorker.controller;
  });
  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState !== "visible" || replaced()) return;
    const registration = await keeping;
    if (registration) await checkForUpdate(registration);
    else isReplaced = await hasNewVersion(new URL(script).pathname);
  });
  let path = router.state.location.pathname;
  router.subscribe(({ location }) => {
    if (location.pathname === path) return;
    path = location.pathname;
    takeUpdate();
  });
}

const pollMs = 100;
const maxPolls = 20;

/** Waits a little for what is on its way. What takes longer is left alone: there will be another step. */
async function untilSent(): Promise<boolean> {
  for (let moments = 0; isSending() && moments < maxPolls; moments++) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return !isSending();
}

/** Without the server a page that is loaded anew may know less than the one that is open. */
async function isServerUp(): Promise<boolean> {
  const signal = AbortSignal.timeout(pollMs * maxPolls);
  const answer = await fetch(healthUrl, { cache: "no-store", signal }).catch(() => null);
  return answer?.ok === true;
}

/** Asks for a newer worker; an answer that doesn't come changes nothing. */
async function checkForUpdate(worker: ServiceWorkerRegistration): Promise<void> {
  await worker.update().catch(() => {});
}

/** Null where a browser has no workers: on plain http, but for this machine's own, and where they are forbidden. */
async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  try {
    return (await navigator.serviceWorker?.register(workerUrl)) ?? null;
  } catch {
    return null;
  }
}

/** The page names the files with a hash of what is in them. */
async function hasNewVersion(script: string): Promise<boolean> {
  const answer = await fetch(`${basePath}/`, { cache: "no-cache" }).catch(() => null);
  return answer?.ok === true && !(await answer.text()).includes(script);
}
