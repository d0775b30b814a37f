// The device's position. Independent of forms.
import type { Coordinates } from "./gps";

const timeoutMs = 20_000;
const maximumAgeMs = 30_000;

/** Why there is no position: no API, no https, or refused or not found. */
export type NoPosition = "unsupported" | "insecure" | "failed";

/** Some browsers and extensions keep the property without a value. */
const isSupported = () => Boolean(navigator.geolocation);

/** Gets the position; the browser may ask the pilot. */
export async function requestPosition(): Promise<Coordinates | NoPosition> {
  if (!isSupported()) return "unsupported";
  if (!window.isSecureContext) return "insecure";
  try {
    const { latitude, longitude } = (await currentPosition()).coords;
    return { latitude, longitude };
  } catch {
    return "failed";
  }
}

/** Whether the position can be read without asking the pilot; "denied" also without the API. */
export async function positionPermission(): Promise<PermissionState> {
  if (!(isSupported() && window.isSecureContext && "permissions" in navigator)) return "denied";
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
