// What is open over the page. The attributes are those of DialogFrame and FullWindow.

/** Whether keys and dropped files are for something over the page, and not for the page. */
export function isPageCovered(): boolean {
  return document.querySelector("[data-dialog], [data-full-window]") !== null;
}
