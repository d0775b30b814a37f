// Short messages of success above everything, for 6 seconds or a given time. Errors are shown beside their cause
// instead.
import { wasQueued } from "../offline/queueState";
import { general } from "../texts";
import { loadDeferred } from "./deferred";
import type { ToastAction } from "./toastRegion";

const toastDurationMs = 6_000;

const load = loadDeferred(() => import("./toastRegion"));

/** Shows a toast in place of the previous one. */
export function showToast(text: string, durationMs: number = toastDurationMs, action?: ToastAction): void {
  // Best effort: without network its code can't be loaded; what it reports has happened all the same.
  load().then(
    ({ show }) => show(text, durationMs, action),
    () => {},
  );
}

/** The message after a save: with or without the server. */
export function savedText(answer: unknown, otherwise: string = general.saved): string {
  return wasQueued(answer) ? general.kept : otherwise;
}
