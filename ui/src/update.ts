// Registers the service worker and follows updates of the server: a tab may stay open for weeks. A new version is taken
// when the pilot moves to another screen, so that no screen loses input, and not while something is being sent.
// Independent of screens.
import type { createBrowserRouter } from "react-router";
import { healthAnswer, markHeader } from "./api/reachability";
import { isSending } from "./api/send";
import { basePath, workerUrl } from "./urls";

/** Follows updates. `script` is the URL of the script that the page has loaded. */
export function followUpdates(router: ReturnType<typeof createBrowserRouter>, script: string): void {
  const keeping = registerWorker();
  let worker: ServiceWorkerRegistration | null = null;
  keeping.then((registration) => {
    worker = registration;
    // For a known worker the browser doesn't check for an update at each start.
    if (registration?.active) checkForUpdate(registration);
  });
  let isReplaced = false;
  const replaced = () => isReplaced || Boolean(worker?.waiting);
  async function takeUpdate(): Promise<void> {
    if (!replaced() || !(await untilSent()) || !(await isServerUp())) return;
    if (worker) await activateWaiting(worker);
    // A write may have been sent meanwhile: the next change of screen tries again.
    if (isSending()) return;
    window.location.reload();
  }
  let isTaking = false;
  async function takeUpdateOnce(): Promise<void> {
    if (isTaking) return;
    isTaking = true;
    await takeUpdate().finally(() => {
      isTaking = false;
    });
  }

  let before = navigator.serviceWorker?.controller;
  navigator.serviceWorker?.addEventListener("controllerchange", () => {
    // Another tab has taken the update, or the server has `offline = false`.
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
    takeUpdateOnce();
  });
}

const pollMs = 100;
const maxPolls = 20;

/**
 * Waits up to two seconds for running writes. Returns whether all were sent; if not, the next change of screen tries
 * again.
 */
async function untilSent(): Promise<boolean> {
  for (let moments = 0; isSending() && moments < maxPolls; moments++) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return !isSending();
}

/**
 * Makes the waiting worker answer the next page. Chromium activates a worker once the one before it is idle, sometimes
 * only after minutes: then both are removed, so that the next page comes from the server and registers the new worker.
 */
async function activateWaiting(registration: ServiceWorkerRegistration): Promise<void> {
  const { waiting } = registration;
  if (!waiting) return;
  const activated = new Promise((resolve) =>
    waiting.addEventListener("statechange", resolve, { once: true }),
  );
  waiting.postMessage("take over");
  const late = new Promise((resolve) => setTimeout(resolve, pollMs * maxPolls));
  await Promise.race([activated, late]);
  if (registration.waiting) await registration.unregister().catch(() => {});
}

/** Whether the server answers. Without it a reloaded page may know less than the open one. */
async function isServerUp(): Promise<boolean> {
  const signal = AbortSignal.timeout(pollMs * maxPolls);
  return (await healthAnswer(signal).catch(() => null)) === "reachable";
}

/** Failures are ignored: the next check asks again. */
async function checkForUpdate(worker: ServiceWorkerRegistration): Promise<void> {
  await worker.update().catch(() => {});
}

/** Returns null without service workers: on plain http except localhost, and where they are forbidden. */
async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  try {
    return (await navigator.serviceWorker?.register(workerUrl)) ?? null;
  } catch {
    return null;
  }
}

/** Whether index.html names another script; file names contain a hash of their content. */
async function hasNewVersion(script: string): Promise<boolean> {
  const answer = await fetch(`${basePath}/`, { cache: "no-cache" }).catch(() => null);
  return answer?.ok === true && answer.headers.has(markHeader) && !(await answer.text()).includes(script);
}
