import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The current size of an element in pixels; charts are drawn to it, so that text keeps its size. */
export function useSize(): [RefObject<HTMLDivElement | null>, number, number] {
  const element = useRef<HTMLDivElement>(null);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const box = entry!.contentRect;
      setSize({ width: Math.floor(box.width), height: Math.floor(box.height) });
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return [element, width, height];
}

/** The current width of an element in pixels. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const [element, width] = useSize();
  return [element, width];
}
