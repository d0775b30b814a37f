// Keeps the screen on while the component is mounted: over https only, as browsers want it.
import { useEffect } from "react";

export function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    // The browser ends the lock whenever the page is hidden. With a low battery it gives none.
    const keepOn = () => {
      if (document.visibilityState === "visible") {
        lock = navigator.wakeLock?.request("screen").catch(() => undefined);
      }
    };
    keepOn();
    document.addEventListener("visibilitychange", keepOn);
    return () => {
      document.removeEventListener("visibilitychange", keepOn);
      lock?.then((held) => held?.release());
    };
  }, []);
}
