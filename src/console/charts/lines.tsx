/**
 * A line over time with the prior period behind it. The pointer or the arrow keys choose a point;
 * its figures are shown beside a rule and read out.
 */
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { useId, useState } from 'preact/hooks';
import { changeOf } from '../parts/change.tsx';
import {
  points as inPoints,
  none,
  percent,
  type Unit,
  written,
  writtenShort,
} from '../view/format.ts';
import { Columns, Legend } from './columns.tsx';
import { Events } from './events.tsx';
import { type Goal, GoalLine } from './goal.tsx';
import type { Drawn, LinePoint, Scale } from './points.ts';
import { useSize } from './width.ts';

/** The names of a chart's figures, of those behind them, and of their difference. */
export type SeriesNames = {
  readonly own: string;
  readonly prior: string;
  readonly change: string;
};

const periodNames: SeriesNames = {
  own: 'This period',
  prior: 'Prior period',
  change: 'Change',
};

/** The figures of a chart, and how they are drawn. */
export type LinesProps = {
  readonly name: string;
  readonly points: readonly LinePoint[];
  readonly unit: Unit;
  readonly currency: string;
  readonly hasPrior: boolean;
  readonly height?: number;
  /** Columns suit amounts that may fall below zero. */
  readonly form?: 'lines' | 'columns';
  readonly names?: SeriesNames;
  /** A figure that the others are measured by, with its name. */
  readonly goal?: Goal | undefined;
};

const top = 14;
/** The height from which events are named. */
const eventsHeight = 200;
const bottom = 24;
const narrow = 520;
/** The width of a name on the axis, with some room. */
const labelWidth = 56;
const tipWidth = 170;
const tipHeight = 92;

/** The chart, as wide as its place, and as tall if that is more than its height. */
export function Lines({ height: heightMin = 302, names = periodNames, ...props }: LinesProps) {
  const { name, points, unit, currency, hasPrior, form } = props;
  const [element, width, room] = useSize();
  const height = room || heightMin;
  const [chosen, choose] = useState<number>();
  const id = useId();
  const isNarrow = width < narrow;
  const isColumns = form === 'columns';
  const isTall = height >= eventsHeight;
  const scales = scalesOf(props, width, height);
  const { x, y } = scales;
  const move = (by: number) =>
    choose(Math.max(0, Math.min(points.length - 1, (chosen ?? points.length - 1) + by)));
  const onKeyDown = onKeys({
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    Home: () => choose(0),
    End: () => choose(points.length - 1),
    Escape: () => choose(undefined),
  });
  const onPointerMove = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const place = Math.round(x.invert(event.clientX - box.left));
    if (place >= 0 && place < points.length) choose(place);
  };
  const at = chosen === undefined ? undefined : points[chosen];
  return (
    <div
      class="lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys choose a point.
      tabIndex={0}
      role="application"
      aria-label={`${name}, chart; arrow keys read the points`}
      aria-describedby={id}
      onKeyDown={onKeyDown}
      onBlur={() => choose(undefined)}
    >
      <span id={id} class="visually-hidden" aria-live="polite">
        {at && saidOf(at, { unit, currency, hasPrior, names })}
      </span>
      <div class="canvas" ref={element} style={{ '--height': `${heightMin}px` }}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            aria-hidden="true"
            onPointerMove={onPointerMove}
            onPointerLeave={() => choose(undefined)}
          >
            <Drawing {...props} names={names} width={width} height={height} {...scales} />
            {at && (
              <Tip
                {...props}
                names={names}
                point={at}
                x={x(chosen!)}
                y={y}
                width={width}
                height={height}
              />
            )}
          </svg>
        )}
      </div>
      {hasPrior && width > 0 && (isColumns || (isNarrow && isTall)) && (
        <Legend names={names} isColumns={isColumns} />
      )}
    </div>
  );
}

type DrawingProps = Omit<LinesProps, 'height' | 'names'> &
  ReturnType<typeof scalesOf> & {
    readonly names: SeriesNames;
    readonly width: number;
    readonly height: number;
  };

/** Everything but what follows the pointer. */
function Drawing(props: DrawingProps) {
  const { x, y, left, right, width, height, points, unit, hasPrior, form, goal } = props;
  const isNarrow = width < narrow;
  const isColumns = form === 'columns';
  return (
    <>
      <Axes {...props} isNarrow={isNarrow} />
      {isColumns ? (
        <Columns x={x} y={y} points={points} hasPrior={hasPrior} />
      ) : (
        <Series x={x} y={y} points={points} unit={unit} hasPrior={hasPrior} />
      )}
      {goal && <GoalLine goal={goal} y={y} from={left} to={width - right} />}
      {unit !== 'percent' && height >= eventsHeight && (
        <Events x={x} y={y} points={points} hasPrior={hasPrior} floor={height - bottom} />
      )}
      {!isNarrow && !isColumns && hasPrior && <Ends {...props} />}
    </>
  );
}

const onKeys = (actions: Readonly<Record<string, () => void>>) => (event: KeyboardEvent) => {
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
};

/** The scales of a chart, and the room beside its plot. */
function scalesOf(
  { points, unit, hasPrior, form, goal }: Omit<LinesProps, 'height'>,
  width: number,
  height: number,
) {
  const isOfColumns = form === 'columns';
  const left = unit === 'percent' ? 42 : 46;
  const right = width < narrow || isOfColumns ? 8 : hasPrior ? 86 : 16;
  const shown = points.flatMap(({ value, prior }) => [value, hasPrior ? prior : undefined]);
  const known = [...shown, goal?.value].filter((value) => value !== undefined);
  // A column takes up room on both sides of its place.
  const margin = isOfColumns ? 0.5 : 0;
  const y = scaleLinear()
    .domain(
      unit === 'percent' && !isOfColumns
        ? ratioDomain(known)
        : [Math.min(0, ...known), Math.max(...known, 4)],
    )
    .nice(ticksOf(height))
    .range([height - bottom, top]);
  const x = scaleLinear()
    .domain([-margin, Math.max(1 - margin, points.length - 1 + margin)])
    .range([left, Math.max(left + 1, width - right)]);
  return { x, y, left, right };
}

/** How many lines the grid has. */
const ticksOf = (height: number) => (height < 200 ? 3 : 4);

/** Ratios need no zero: a few points below and above them are enough. */
function ratioDomain(known: readonly number[]): [number, number] {
  if (known.length === 0) return [0, 100];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const room = Math.max((high - low) / 4, 1);
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
}

type AxesProps = Drawn & {
  readonly left: number;
  readonly right: number;
  readonly width: number;
  readonly height: number;
  readonly unit: Unit;
  readonly currency: string;
  readonly isNarrow: boolean;
};

function Axes({ x, y, left, right, width, height, points, unit, currency, isNarrow }: AxesProps) {
  const fitting = Math.max(2, Math.floor((width - left - right) / labelWidth));
  const count = Math.min(points.length, fitting, isNarrow ? 4 : 5);
  // The first and the last point always have their names.
  const places = Array.from({ length: count }, (_, index) =>
    Math.round((index * (points.length - 1)) / Math.max(1, count - 1)),
  );
  const isAtEdge = (at: number) => at > width - labelWidth / 3;
  return (
    <g>
      {y.ticks(ticksOf(height)).map((tick) => (
        <g key={tick}>
          <path class={tick === 0 ? 'axis' : 'grid'} d={`M${left} ${y(tick)}H${width - right}`} />
          <text x={left - 8} y={y(tick) + 4} text-anchor="end">
            {writtenShort(tick, unit, currency)}
          </text>
        </g>
      ))}
      {places.map((place) => (
        <text
          key={place}
          x={x(place)}
          y={height - 6}
          text-anchor={place === 0 ? 'start' : isAtEdge(x(place)) ? 'end' : 'middle'}
        >
          {points[place]!.label}
        </text>
      ))}
    </g>
  );
}

function Series({
  x,
  y,
  points,
  unit,
  hasPrior,
}: Drawn & {
  readonly unit: Unit;
  readonly hasPrior: boolean;
}) {
  const lineOf = (figureOf: (point: LinePoint) => number | undefined) =>
    line<LinePoint>()
      .defined((point) => figureOf(point) !== undefined)
      .x((_, place) => x(place))
      .y((point) => y(figureOf(point)!))(points) ?? '';
  const firstPartial = points.findIndex(({ isPartial }) => isPartial);
  const isWhole = (point: LinePoint) => point.isPartial !== true;
  const wholeOf = (point: LinePoint) => (isWhole(point) ? point.value : undefined);
  const partialOf = (point: LinePoint) => {
    const place = points.indexOf(point);
    return firstPartial !== -1 && place >= firstPartial - 1 ? point.value : undefined;
  };
  const last = points.findLastIndex(({ value }) => value !== undefined);
  return (
    <g>
      {hasPrior && <path class="prior" d={lineOf(({ prior }) => prior)} />}
      {unit !== 'percent' && (
        <path
          class="area"
          d={
            area<LinePoint>()
              .defined((point) => wholeOf(point) !== undefined)
              .x((_, place) => x(place))
              .y0(y(0))
              .y1((point) => y(point.value!))(points as LinePoint[]) ?? ''
          }
        />
      )}
      <path class="line" d={lineOf(wholeOf)} />
      {firstPartial !== -1 && <path class="line partial" d={lineOf(partialOf)} />}
      {last !== -1 && <circle class="dot" cx={x(last)} cy={y(points[last]!.value!)} r="3.5" />}
    </g>
  );
}

/** Names both lines at their ends, apart from each other. */
function Ends({ x, y, points, names }: Drawn & { readonly names: SeriesNames }) {
  const last = points.at(-1)!;
  const at = points.length - 1;
  const own = y(last.value ?? 0);
  const before = y(last.prior ?? 0);
  const gap = 15;
  const isClose = Math.abs(own - before) < gap;
  const middle = (own + before) / 2;
  const sign = own <= before ? -1 : 1;
  const ownY = isClose ? middle + (sign * gap) / 2 : own;
  const beforeY = isClose ? middle - (sign * gap) / 2 : before;
  return (
    <g>
      {last.value !== undefined && (
        <text class="strong" x={x(at) + 9} y={ownY + 4}>
          {names.own}
        </text>
      )}
      {last.prior !== undefined && (
        <text x={x(at) + 9} y={beforeY + 4}>
          {names.prior}
        </text>
      )}
    </g>
  );
}

type Written = {
  readonly unit: Unit;
  readonly currency: string;
  readonly hasPrior: boolean;
  readonly names: SeriesNames;
};

type TipProps = Written & {
  readonly point: LinePoint;
  readonly x: number;
  readonly y: Scale;
  readonly width: number;
  readonly height: number;
  readonly name: string;
};

function Tip(props: TipProps) {
  const { point, x, y, width, height, name, unit, currency, hasPrior, names } = props;
  const left = x + 12 + tipWidth > width ? Math.max(0, x - 12 - tipWidth) : x + 12;
  const rows: [string, string, boolean][] = [[name, written(point.value, unit, currency), true]];
  if (hasPrior) {
    rows.push([point.priorName, written(point.prior, unit, currency), false]);
    rows.push([names.change, changeText(point, unit), true]);
  }
  const boxHeight = hasPrior ? tipHeight : tipHeight - 38;
  return (
    <g class="tip">
      <path class="rule" d={`M${x} ${top}V${height - bottom}`} />
      {hasPrior && point.prior !== undefined && (
        <circle class="prior-dot" cx={x} cy={y(point.prior)} r="3" />
      )}
      {point.value !== undefined && <circle class="dot" cx={x} cy={y(point.value)} r="4" />}
      <rect class="box" x={left} y={top + 2} width={tipWidth} height={boxHeight} rx="6" />
      <text class="strong" x={left + 10} y={top + 21}>
        {point.name}
      </text>
      {rows.map(([label, text, isStrong], place) => (
        <g key={label}>
          <text x={left + 10} y={top + 41 + place * 19}>
            {label}
          </text>
          <text
            class={isStrong ? 'strong' : undefined}
            x={left + tipWidth - 10}
            y={top + 41 + place * 19}
            text-anchor="end"
          >
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

function changeText({ value, prior }: LinePoint, unit: Unit): string {
  const change = changeOf(value, prior, unit);
  if (change === undefined) return none;
  const sign = change < 0 ? '\u2212' : '+';
  return `${sign}${unit === 'percent' ? inPoints(change) : percent(Math.abs(change))}`;
}

function saidOf(point: LinePoint, { unit, currency, hasPrior, names }: Written): string {
  const own = `${point.name}: ${written(point.value, unit, currency)}`;
  if (!hasPrior) return own;
  const prior = `${point.priorName}: ${written(point.prior, unit, currency)}`;
  return `${own}. ${prior}. ${names.change} ${changeText(point, unit)}`;
}
