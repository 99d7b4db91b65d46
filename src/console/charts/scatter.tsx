/**
 * Marks of spend against ACOS. The pointer or the arrow keys choose a mark, a click or Enter opens
 * it, and a drag chooses a range of both.
 */
import { scaleLinear, scaleLog } from 'd3-scale';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { amount, percent } from '../view/format.ts';
import { type Box, type Placed, placeLabels, shortened } from './labels.ts';
import { Frame, layout } from './scatterFrame.tsx';
import type { Mark, ScatterProps, Shape } from './scatterMarks.ts';
import { useWidth } from './width.ts';

const { top, bottom, left, right, height, narrow } = layout;

const labelsMax = 9;
const labelsMaxNarrow = 5;
/** Pixels that the pointer moves before a press is a drag. */
const dragMin = 6;

/** The highest ACOS that is drawn in its place; others lie at the upper edge. */
function scaleTopOf(marks: readonly Mark[], line: number | undefined): number {
  const known = marks.flatMap(({ acos }) => acos ?? []);
  return Math.min(1.04 * Math.max(20, ...known), Math.max(80, 4 * (line ?? 20)));
}

function useScales({ marks, line }: ScatterProps, width: number) {
  return useMemo(() => {
    const spends = marks.map(({ spend }) => spend);
    const [low, high] = [Math.min(...spends), Math.max(...spends)];
    const x = scaleLog()
      .domain([Math.max(0.01, low / 1.35), Math.max(high * 1.5, low * 4)])
      .range([left, Math.max(left + 1, width - right)]);
    const y = scaleLinear()
      .domain([0, scaleTopOf(marks, line?.acos)])
      .nice(4)
      .range([height - bottom, top])
      .clamp(true);
    const most = Math.max(1, ...marks.map(({ sales }) => sales));
    const radiusMax = width < narrow ? 12 : 18;
    const radius = ({ sales }: Mark) => Math.max(3.5, radiusMax * Math.sqrt(sales / most));
    return { x, y, radius };
  }, [marks, line?.acos, width]);
}
type Scales = ReturnType<typeof useScales>;

/** The chart, as wide as its place. */
export function Scatter(props: ScatterProps) {
  const { name, marks, currency } = props;
  const [element, width] = useWidth();
  const [at, point] = useState<string>();
  const id = useId();
  const scales = useScales(props, width);
  const { drag, handlers } = useDrag(props, scales, width);
  const onKeyDown = useKeys(props, at, point);
  const pointed = marks.find(({ key }) => key === at);
  return (
    <div
      class="lines scatter"
      ref={element}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys choose a mark.
      tabIndex={0}
      role="application"
      aria-label={`${name}, chart; arrow keys read the marks, Enter opens one`}
      aria-describedby={id}
      onKeyDown={onKeyDown}
      onBlur={() => point(undefined)}
    >
      <span id={id} class="visually-hidden" aria-live="polite">
        {pointed && wordsOf(pointed, currency)}
      </span>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true" {...handlers}>
          <Frame {...props} {...scales} width={width} />
          <g>
            {marks.map((mark) => (
              <Dot
                key={mark.key}
                mark={mark}
                scales={scales}
                isPointed={mark.key === at}
                point={point}
              />
            ))}
          </g>
          <Labels marks={marks} line={props.line} scales={scales} width={width} />
          {drag && (
            <rect
              class="drag"
              x={Math.min(drag.from[0], drag.to[0])}
              y={Math.min(drag.from[1], drag.to[1])}
              width={Math.abs(drag.to[0] - drag.from[0])}
              height={Math.abs(drag.to[1] - drag.from[1])}
            />
          )}
          {pointed && !drag && (
            <Tip mark={pointed} scales={scales} width={width} currency={currency} />
          )}
        </svg>
      )}
    </div>
  );
}

/** The arrows go from mark to mark, from the least spend to the most. */
function useKeys(
  { marks, open }: ScatterProps,
  at: string | undefined,
  point: (key: string | undefined) => void,
) {
  const order = useMemo(() => marks.toSorted((one, other) => one.spend - other.spend), [marks]);
  return (event: KeyboardEvent) => {
    const place = order.findIndex(({ key }) => key === at);
    const to = (next: number) => point(order[Math.max(0, Math.min(order.length - 1, next))]?.key);
    const action = {
      ArrowLeft: () => to(place === -1 ? order.length - 1 : place - 1),
      ArrowRight: () => to(place === -1 ? 0 : place + 1),
      Home: () => to(0),
      End: () => to(order.length - 1),
      Enter: () => at !== undefined && open(at),
      Escape: () => point(undefined),
    }[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
}

type Spot = readonly [number, number];
type Drag = { readonly from: Spot; readonly to: Spot };

/** A press that moves chooses a range; one that does not opens the mark below it. */
function useDrag({ open, choose }: ScatterProps, { x, y }: Scales, width: number) {
  const [drag, setDrag] = useState<Drag>();
  const pressed = useRef<{ spot: Spot; key: string | undefined } | undefined>(undefined);
  const spotOf = (event: PointerEvent): Spot => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const within = (value: number, low: number, high: number) =>
      Math.max(low, Math.min(high, value));
    return [
      within(event.clientX - box.left, left, width - right),
      within(event.clientY - box.top, top, height - bottom),
    ];
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      const key = (event.target as Element).closest('[data-mark]')?.getAttribute('data-mark');
      pressed.current = { spot: spotOf(event), key: key ?? undefined };
    },
    onPointerMove: (event: PointerEvent) => {
      // A finger scrolls the page.
      if (pressed.current === undefined || event.pointerType === 'touch') return;
      const [from, to] = [pressed.current.spot, spotOf(event)];
      if (drag === undefined && Math.hypot(to[0] - from[0], to[1] - from[1]) < dragMin) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      setDrag({ from, to });
    },
    onPointerUp: () => {
      const press = pressed.current;
      pressed.current = undefined;
      setDrag(undefined);
      if (drag === undefined) return press?.key && open(press.key);
      const [[x0, y0], [x1, y1]] = [drag.from, drag.to];
      const [low, high] = [Math.max(y0, y1), Math.min(y0, y1)];
      choose({
        spend: [x.invert(Math.min(x0, x1)), x.invert(Math.max(x0, x1))],
        acos: [y.invert(low), high <= top + 1 ? undefined : y.invert(high)],
      });
    },
    onPointerCancel: () => {
      pressed.current = undefined;
      setDrag(undefined);
    },
  };
  return { drag, handlers };
}

const centreOf = (mark: Mark, { x, y }: Scales): Spot => [
  x(mark.spend),
  mark.acos === undefined ? top : y(mark.acos),
];

type DotProps = {
  readonly mark: Mark;
  readonly scales: Scales;
  readonly isPointed: boolean;
  readonly point: (key: string | undefined) => void;
};

function Dot({ mark, scales, isPointed, point }: DotProps) {
  const [cx, cy] = centreOf(mark, scales);
  const radius = scales.radius(mark);
  const { shape, acos, key } = mark;
  const names = ['shape', shape, acos === undefined && 'hollow', isPointed && 'pointed'];
  return (
    <g
      class={names.filter(Boolean).join(' ')}
      data-mark={key}
      onPointerEnter={() => point(key)}
      onPointerLeave={() => point(undefined)}
    >
      {/* Small marks are easier to hit than to see. */}
      <circle class="reach" cx={cx} cy={cy} r={Math.max(12, radius)} />
      <path d={pathOf(shape, cx, cy, radius)} />
    </g>
  );
}

/** Shapes of equal area. */
function pathOf(shape: Shape, x: number, y: number, radius: number): string {
  if (shape === 'circle')
    return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
  if (shape === 'square') {
    const half = (radius * Math.sqrt(Math.PI)) / 2;
    return `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}Z`;
  }
  if (shape === 'diamond') {
    const half = radius * Math.sqrt(Math.PI / 2);
    return `M${x} ${y - half}l${half} ${half}l${-half} ${half}l${-half} ${-half}Z`;
  }
  const reach = radius * 1.55;
  const side = reach * Math.sqrt(3);
  return `M${x} ${y - reach}l${side / 2} ${1.5 * reach}h${-side}Z`;
}

type LabelsProps = {
  readonly marks: readonly Mark[];
  readonly line: ScatterProps['line'];
  readonly scales: Scales;
  readonly width: number;
};

function Labels({ marks, line, scales, width }: LabelsProps) {
  const labels = useMemo<readonly Placed[]>(() => {
    const dots = marks.map((mark) => {
      const [x, y] = centreOf(mark, scales);
      return { key: mark.key, text: mark.label, x, y, radius: scales.radius(mark) };
    });
    const box = {
      left: left + 2,
      right: width - right,
      top: top + 22,
      bottom: height - bottom - 20,
    };
    const lineY = line && scales.y(line.acos);
    const reserved: Box[] =
      lineY === undefined
        ? []
        : [
            { left, right: width - right, top: lineY - 1, bottom: lineY + 1 },
            { left, right: left + 80, top: lineY - 18, bottom: lineY },
          ];
    return placeLabels(dots, box, reserved, width < narrow ? labelsMaxNarrow : labelsMax);
  }, [marks, line, scales, width]);
  return (
    <g>
      {labels.map(({ key, text, x, y, anchor }) => (
        <text key={key} class="halo name" x={x} y={y} text-anchor={anchor}>
          {text}
        </text>
      ))}
    </g>
  );
}

const tipWidth = 190;
const tipHeight = 92;

type TipProps = {
  readonly mark: Mark;
  readonly scales: Scales;
  readonly width: number;
  readonly currency: string;
};

function Tip({ mark, scales, width, currency }: TipProps) {
  const [x, y] = centreOf(mark, scales);
  const gap = scales.radius(mark) + 8;
  const tipX = x + gap + tipWidth > width ? Math.max(0, x - gap - tipWidth) : x + gap;
  const tipY = Math.max(2, Math.min(y - 30, height - tipHeight - 4));
  const rows = [
    ['Spend', amount(mark.spend, currency)],
    ['ACOS', percent(mark.acos)],
    ['Ad sales', amount(mark.sales, currency)],
  ] as const;
  return (
    <g class="tip">
      <rect class="box" x={tipX} y={tipY} width={tipWidth} height={tipHeight} rx="6" />
      <text class="strong" x={tipX + 10} y={tipY + 19}>
        {shortened(mark.name, 28)}
      </text>
      {rows.map(([label, text], place) => (
        <g key={label}>
          <text x={tipX + 10} y={tipY + 41 + place * 19}>
            {label}
          </text>
          <text
            class="strong"
            x={tipX + tipWidth - 10}
            y={tipY + 41 + place * 19}
            text-anchor="end"
          >
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

function wordsOf({ name, place, spend, acos, sales }: Mark, currency: string): string {
  const what = `${name}${place && `, ${place}`}: spend ${amount(spend, currency)}`;
  if (acos === undefined) return `${what}, no ad sales`;
  return `${what}, ACOS ${percent(acos)}, ad sales ${amount(sales, currency)}`;
}
