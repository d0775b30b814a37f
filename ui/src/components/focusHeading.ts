// Where the focus goes when what had it is gone, such as the row of something that was deleted: to the page's heading.

/** The library gives the focus back to a dialog's opener a moment after the dialog has closed, if it is still there. */
const settledMs = 150;

export function focusHeadingIfLost(): void {
  setTimeout(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) document.querySelector("h1")?.focus();
  }, settledMs);
}
