// Short messages of success above everything, for 6 seconds or the time that they ask for. Errors aren't shown here:
// they stay beside their cause.
import { wasQueued } from "../offline/queueState";
import { general } from "../texts";
import { loadDeferred } from "./deferred";
import type { ToastAction } from "./toastRegion";

const toastDurationMs = 6_000;

const load = loadDeferred(() => import("./toastRegion"));

/** The newest replaces the others. */
export function showToast(text: string, durationMs: number = toastDurationMs, action?: ToastAction): void {
  // Without a connection there is none: what it would say has happened all the same.
  load().then(
    ({ show }) => show(text, durationMs, action),
    () => {},
  );
}

/** After a save: without network the entry is kept on this device. */
export function savedText(answer: unknown, otherwise: string = general.saved): string {
  return wasQueued(answer) ? general.kept : otherwise;
}
