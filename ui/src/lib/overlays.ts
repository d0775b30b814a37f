// Overlays over the page, found by the attributes that DialogFrame and FullWindow set.

/** Whether keys and dropped files are for something over the page, and not for the page. */
export function isPageCovered(): boolean {
  return document.querySelector("[data-dialog], [data-full-window]") !== null;
}
