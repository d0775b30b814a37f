// A `ref` that scrolls to an element that appears above a list, far above the pressed row perhaps.

export function scrollIntoViewRef(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "center" });
}
