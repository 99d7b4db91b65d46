/** Columns over time, those below zero in the colour of costs, with the prior period as a line. */

import type { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

const gapMax = 4;

type Point = {
  readonly key: string;
  readonly value: number | undefined;
  readonly prior: number | undefined;
};
type Scale = ReturnType<typeof scaleLinear<number, number>>;
type ColumnsProps = {
  readonly x: Scale;
  readonly y: Scale;
  readonly points: readonly Point[];
  readonly hasPrior: boolean;
};

/** The columns, in the place of a line. */
export function Columns({ x, y, points, hasPrior }: ColumnsProps) {
  const step = x(1) - x(0);
  const width = Math.max(1, step - Math.min(gapMax, step / 4));
  const prior =
    line<Point>()
      .defined((point) => point.prior !== undefined)
      .x((_, place) => x(place))
      .y((point) => y(point.prior!))(points) ?? '';
  return (
    <g>
      {points.map(({ key, value }, place) => {
        if (value === undefined) return null;
        const [high, low] = [y(Math.max(0, value)), y(Math.min(0, value))];
        return (
          <rect
            key={key}
            class={value < 0 ? 'bar loss' : 'bar'}
            x={x(place) - width / 2}
            y={high}
            width={width}
            height={Math.max(value === 0 ? 0 : 1, low - high)}
            rx="1"
          />
        );
      })}
      {hasPrior && <path class="prior" d={prior} />}
    </g>
  );
}

type LegendProps = {
  readonly names: { readonly own: string; readonly prior: string };
  /** Whether the figures are columns, or a line as well. */
  readonly isColumns: boolean;
};

/** Names the figures and the line behind them. */
export function Legend({ names, isColumns }: LegendProps) {
  return (
    <p class="legend" aria-hidden="true">
      <span>
        <svg viewBox="0 0 18 12" aria-hidden="true">
          {isColumns ? (
            <rect class="bar" x="4" width="10" height="12" rx="1" />
          ) : (
            <path class="line" d="M0 6H18" />
          )}
        </svg>
        {names.own}
      </span>
      <span>
        <svg viewBox="0 0 18 12" aria-hidden="true">
          <path class="prior" d="M0 6H18" />
        </svg>
        {names.prior}
      </span>
    </p>
  );
}
