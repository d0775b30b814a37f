// Whether the app was put on the device by its browser. Knows no worker.

/** In a window of its own. */
export function isInstalled(): boolean {
  return window.matchMedia("(display-mode: standalone)").matches || isOnHomeScreen() === true;
}

/** iOS deletes what a page has stored after seven days without a visit, unless the page is on the home screen. */
export function isEvictedByIos(): boolean {
  return isOnHomeScreen() === false;
}

/** Only iOS says it. */
function isOnHomeScreen(): boolean | undefined {
  return (navigator as { standalone?: boolean }).standalone;
}
