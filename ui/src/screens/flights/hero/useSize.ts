// The size of an element in px, for a drawing that fills it.
import { useCallback, useState } from "react";

export type Size = { width: number; height: number };

/** Null until the element is there. */
export function useSize() {
  const [size, setSize] = useState<Size | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      // Nothing is drawn in a page that isn't shown.
      if (width > 0 && height > 0) setSize({ width, height });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size] as const;
}
