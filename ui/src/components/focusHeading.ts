// Moves the focus to the page's heading after its element is gone, such as the row of a deleted object.

/** react-aria returns the focus to a dialog's opener, if it still exists, a moment after the dialog has closed. */
const settledMs = 150;

export function focusHeadingIfLost(): void {
  setTimeout(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) document.querySelector("h1")?.focus();
  }, settledMs);
}
