/** Small lines in tables, whose figures are read once they are seen. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { none } from '../view/format.ts';

/** Whether an element is or was within the window, or near it. */
export function useSeen(): [RefObject<HTMLSpanElement | null>, boolean] {
  const element = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen) return;
    const observer = new IntersectionObserver(
      (entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '25% 0%' },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [isSeen]);
  return [element, isSeen];
}

type TrendProps = {
  /** Undefined where they are unknown. */
  readonly values: readonly (number | undefined)[] | undefined;
  readonly write: (value: number) => string;
};

/** A small line with its range and its last figure in words; one figure makes no line. */
export function Trend({ values = [], write }: TrendProps) {
  const known = values.filter((value) => value !== undefined);
  if (known.length < 2) return <>{none}</>;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const words = `${write(low)} to ${write(high)}, last ${write(known.at(-1)!)}`;
  return (
    <span title={words}>
      <Line values={values} low={low} high={high} />
      <span class="visually-hidden">{words}</span>
    </span>
  );
}

const width = 88;
const height = 24;

type LineProps = {
  readonly values: readonly (number | undefined)[];
  readonly low: number;
  readonly high: number;
};

/** The line on its own scale; missing figures break it. */
function Line({ values, low, high }: LineProps) {
  const x = (place: number) => (place / (values.length - 1)) * (width - 4) + 2;
  const y = (value: number) =>
    high === low ? height / 2 : height - 2 - ((value - low) / (high - low)) * (height - 4);
  const path = values.map((value, place) => {
    if (value === undefined) return '';
    const isGoingOn = values[place - 1] !== undefined;
    // A figure between gaps is a dot.
    const dot = !isGoingOn && values[place + 1] === undefined ? 'h0' : '';
    return `${isGoingOn ? 'L' : 'M'}${x(place).toFixed(1)} ${y(value).toFixed(1)}${dot}`;
  });
  const last = values.findLastIndex((value) => value !== undefined);
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path class="line" d={path.join('')} />
      <circle class="end" cx={x(last)} cy={y(values[last]!)} r="1.8" />
    </svg>
  );
}
