import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

const FIRST_WIDTH = 640;

/** The width of an element in pixels, while it changes. */
export function useWidth<T extends HTMLElement>(): readonly [RefObject<T | null>, number] {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth || FIRST_WIDTH);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth || FIRST_WIDTH));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
