// The size of an element in px, for a drawing that fills it.
import { useCallback, useState } from "react";

export type Size = { width: number; height: number };

/** Returns a ref and the size; null until the element is rendered. */
export function useSize() {
  const [size, setSize] = useState<Size | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      // A hidden page has no size.
      if (width > 0 && height > 0) setSize({ width, height });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size] as const;
}
