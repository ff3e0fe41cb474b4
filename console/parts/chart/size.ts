import { useEffect, useId, useRef, useState } from 'react';

/** The width of an element in pixels; 0 until it is known. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** An id for references by address, which colons would break. */
export const useDrawingId = (): string => `chart${useId().replaceAll(':', '')}`;

/** About the width of a letter of an axis. */
export const LETTER = 7;

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** `12K` */
export const shortNumber = (value: number): string => compact.format(value);
