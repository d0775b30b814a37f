// A callback ref that scrolls to its element, which may appear far from the pressed row.

export function scrollIntoViewRef(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "center" });
}
