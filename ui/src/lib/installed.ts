// Whether the app is installed on this device. Independent of the service worker.

export function isInstalled(): boolean {
  return window.matchMedia("(display-mode: standalone)").matches || isOnHomeScreen() === true;
}

/**
 * Whether iOS will delete what the page has stored: after seven days without a visit, unless the page is on the home
 * screen.
 */
export function isEvictedByIos(): boolean {
  return isOnHomeScreen() === false;
}

/** Undefined except on iOS. */
function isOnHomeScreen(): boolean | undefined {
  return (navigator as { standalone?: boolean }).standalone;
}
