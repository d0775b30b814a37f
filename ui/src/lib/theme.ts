// The theme that was chosen on this device. The script look.js applies it before the application starts.
import { useSyncExternalStore } from "react";

/** "system" follows the device's light or dark mode. */
export const themes = ["system", "hell", "dunkel", "sonne"] as const;

export type Theme = (typeof themes)[number];

const storageKey = "fluglog.look";
const changed = "fluglog:look";

function chosenTheme(): Theme {
  const chosen = localStorage.getItem(storageKey);
  return themes.find((look) => look === chosen) ?? "system";
}

export function chooseTheme(look: Theme): void {
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

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}
