/** The frame of a scatter: axes, the line and the tinted quarter. */
import type { ScaleLinear, ScaleLogarithmic } from 'd3-scale';
import { percent, shortAmount } from '../view/format.ts';
import type { ScatterProps } from './scatterMarks.ts';

/** Sizes in pixels: the margins, the height, and the width below which a scatter is narrow. */
export const layout = {
  top: 22,
  bottom: 38,
  left: 42,
  right: 14,
  height: 392,
  narrow: 520,
} as const;
const { top, bottom, left, right, height, narrow } = layout;

type FrameProps = ScatterProps & {
  readonly x: ScaleLogarithmic<number, number>;
  readonly y: ScaleLinear<number, number>;
  readonly width: number;
};

/** Axes, the line and the tinted quarter. */
export function Frame({ x, y, width, currency, line, muchSpend }: FrameProps) {
  const isNarrow = width < narrow;
  const lineY = line && y(line.acos);
  const quarterX = Math.max(left, Math.min(width - right, x(Math.max(0.01, muchSpend))));
  return (
    <g>
      {lineY !== undefined && (
        <rect
          class="quarter"
          x={quarterX}
          y={top}
          width={width - right - quarterX}
          height={Math.max(0, lineY - top)}
        />
      )}
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <path class={tick === 0 ? 'axis' : 'grid'} d={`M${left} ${y(tick)}H${width - right}`} />
          <text x={left - 8} y={y(tick) + 4} text-anchor="end">
            {percent(tick, 0)}
          </text>
        </g>
      ))}
      {ticksOf(x, isNarrow ? 4 : 7).map((tick) => (
        <g key={tick}>
          <path class="grid" d={`M${x(tick)} ${height - bottom}v4`} />
          <text x={x(tick)} y={height - bottom + 17} text-anchor="middle">
            {shortAmount(tick, currency)}
          </text>
        </g>
      ))}
      <text x={width - right} y={height - 2} text-anchor="end">
        Spend, log scale
      </text>
      <text x={left} y={top - 9}>
        ACOS
      </text>
      {line && (
        <g>
          <text class="bad" x={width - right - 8} y={top + 16} text-anchor="end">
            {isNarrow ? 'Cut or improve' : 'Much spend, little return'}
          </text>
          <text class="good" x={width - right - 8} y={height - bottom - 8} text-anchor="end">
            {isNarrow ? 'Room for more' : 'Room to spend more'}
          </text>
          <path class="target" d={`M${left} ${lineY}H${width - right}`} />
          <text class="halo strong" x={left + 4} y={lineY! - 6}>
            {line.name}
          </text>
        </g>
      )}
    </g>
  );
}

/** Ones and threes of every power of ten; fewer where they would be too many. */
function ticksOf(x: ScaleLogarithmic<number, number>, most: number): number[] {
  const [low, high] = x.domain() as [number, number];
  const powers = Array.from({ length: 24 }, (_, place) => 10 ** (place - 8));
  const within = (ticks: number[]) => ticks.filter((tick) => tick >= low && tick <= high);
  const both = within(powers.flatMap((power) => [power, 3 * power]));
  return both.length <= most ? both : within(powers);
}
