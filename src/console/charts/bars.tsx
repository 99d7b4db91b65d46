/** Bars of counts, each with its figure above. */
import { useWidth } from './width.ts';

/** A bar. */
export type Bar = {
  readonly key: string;
  /** Its name on the axis. */
  readonly label: string;
  /** Its name in full. */
  readonly name: string;
  readonly value: number;
};

type BarsProps = {
  /** The name of the counts. */
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly height?: number;
};

const top = 20;
const bottom = 24;
/** The width that a name on the axis needs. */
const labelWidth = 56;
const barWidthMax = 44;

/** The bars, as wide as their place. */
export function Bars({ name, bars, height = 220 }: BarsProps) {
  const [element, width] = useWidth();
  const step = width / Math.max(1, bars.length);
  const barWidth = Math.min(barWidthMax, step * 0.66);
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  const heightOf = (value: number) => (value / highest) * (height - top - bottom);
  const everyNth = Math.ceil(labelWidth / Math.max(1, step));
  const said = bars.filter(({ value }) => value > 0).map((bar) => `${bar.name}: ${bar.value}`);
  return (
    <div class="lines" ref={element}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={`${name}. ${said.join('. ')}`}>
          <path class="axis" d={`M0 ${height - bottom}H${width}`} />
          {bars.map(({ key, label, value }, place) => {
            const middle = step * (place + 0.5);
            const y = height - bottom - heightOf(value);
            return (
              <g key={key}>
                {value > 0 && (
                  <>
                    <rect
                      class="count"
                      x={middle - barWidth / 2}
                      y={y}
                      width={barWidth}
                      height={heightOf(value)}
                      rx="2"
                    />
                    <text class="strong" x={middle} y={y - 6} text-anchor="middle">
                      {value}
                    </text>
                  </>
                )}
                {place % everyNth === 0 && (
                  <text x={middle} y={height - 6} text-anchor="middle">
                    {label}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
