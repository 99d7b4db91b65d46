/** The names of events beside the line of a chart. */
import { letterWidth } from './labels.ts';
import type { Drawn, LinePoint } from './points.ts';

/** The base line of the topmost name. */
const topmost = 11;
/** Room between a name and the line, above and below. */
const above = 9;
const below = 18;
/** The height of a letter, with some room. */
const letterHeight = 12;

type EventsProps = Drawn & {
  readonly hasPrior: boolean;
  /** Where the axis lies. */
  readonly floor: number;
};

/** Names events above the line, or below it where the line of the prior period would cross them. */
export function Events({ x, y, points, hasPrior, floor }: EventsProps) {
  return (
    <g>
      {points.map(({ key, event, value }, place) => {
        if (event === undefined || value === undefined) return null;
        const isLast = place > points.length * 0.9;
        const width = event.length * letterWidth;
        const left = x(place) - (isLast ? width : width / 2);
        const near = points.filter((_, at) => x(at) >= left - 4 && x(at) <= left + width + 4);
        const levels = near.flatMap((point) => (point.value === undefined ? [] : y(point.value)));
        const over = Math.max(topmost, Math.min(...levels) - above);
        const under = Math.max(...levels) + below;
        const isCrossed = (base: number) =>
          hasPrior &&
          priorLevels({ x, y, points }, left, left + width).some(
            (level) => level > base - letterHeight && level < base + 4,
          );
        const isBelow = isCrossed(over) && under < floor - 4 && !isCrossed(under);
        return (
          <text
            key={key}
            class="event"
            x={x(place)}
            y={isBelow ? under : over}
            text-anchor={isLast ? 'end' : 'middle'}
          >
            {event}
          </text>
        );
      })}
    </g>
  );
}

/** Pixels between the places at which a line is looked at. */
const grain = 3;

/** The heights of the line of the prior period between two places. */
function priorLevels({ x, y, points }: Drawn, from: number, to: number): number[] {
  const count = Math.max(1, Math.ceil((to - from) / grain));
  return Array.from(
    { length: count + 1 },
    (_, step) => from + (step * (to - from)) / count,
  ).flatMap((at) => {
    const place = x.invert(at);
    const [one, other] = [points[Math.floor(place)], points[Math.ceil(place)]] as const;
    const part = place - Math.floor(place);
    const value = between(one, other, part);
    return value === undefined ? [] : y(value);
  });
}

function between(
  one: LinePoint | undefined,
  other: LinePoint | undefined,
  part: number,
): number | undefined {
  if (one?.prior === undefined || other?.prior === undefined) return undefined;
  return one.prior + (other.prior - one.prior) * part;
}
