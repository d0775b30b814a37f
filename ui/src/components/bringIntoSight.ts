// For what appears above a list whose row was used, far down perhaps: a `ref` that scrolls to it.

export function bringIntoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "center" });
}
