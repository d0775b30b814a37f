// The look that a pilot chose on this device. The script of the page (look.js) shows it, before the application starts.
import { useSyncExternalStore } from "react";

/** "system": as the device's own, light or dark. */
export const looks = ["system", "hell", "dunkel", "sonne"] as const;

export type Look = (typeof looks)[number];

const storageKey = "fluglog.look";
const changed = "fluglog:look";

function chosenLook(): Look {
  const chosen = localStorage.getItem(storageKey);
  return looks.find((look) => look === chosen) ?? "system";
}

export function chooseLook(look: Look): void {
  if (look === "system") localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, look);
  window.dispatchEvent(new Event(changed));
}

function subscribe(onChange: () => void): () => void {
  const events = [changed, "storage"];
  for (const event of events) window.addEventListener(event, onChange);
  return () => {
    for (const event of events) window.removeEventListener(event, onChange);
  };
}

export function useLook(): Look {
  return useSyncExternalStore(subscribe, chosenLook);
}
