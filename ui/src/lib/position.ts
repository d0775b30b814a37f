// The device's position, as far as the browser gives it. Knows no forms.
import type { Coordinates } from "./gps";

const timeoutMs = 20_000;
const maximumAgeMs = 30_000;

/** The browser has no position, only gives it over https, or the pilot refused or it wasn't found. */
export type NoPosition = "unsupported" | "insecure" | "failed";

/** Asks the pilot, if the browser wants that. */
export async function requestPosition(): Promise<Coordinates | NoPosition> {
  if (!("geolocation" in navigator)) return "unsupported";
  if (!window.isSecureContext) return "insecure";
  try {
    const { latitude, longitude } = (await currentPosition()).coords;
    return { latitude, longitude };
  } catch {
    return "failed";
  }
}

/** Whether the pilot allowed it before, so that nobody is asked. "denied" also without such a thing. */
export async function positionPermission(): Promise<PermissionState> {
  if (!("geolocation" in navigator && window.isSecureContext && "permissions" in navigator)) return "denied";
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state;
  } catch {
    return "prompt";
  }
}

function currentPosition(): Promise<GeolocationPosition> {
  return new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, {
      enableHighAccuracy: true,
      timeout: timeoutMs,
      maximumAge: maximumAgeMs,
    }),
  );
}
