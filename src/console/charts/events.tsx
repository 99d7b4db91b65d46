/** The names of events beside the lines of a chart. */
import { areTouching, type Box, letterWidth } from './labels.ts';
import type { Drawn, LinePoint } from './points.ts';

/** The base line of the topmost name. */
const topmost = 11;
/** Room between a name and the line, above and below. */
const above = 9;
const below = 18;
/** The height of a letter, with some room, and that of a line. */
const letterHeight = 12;
const lineHeight = 16;

type EventsProps = Drawn & {
  readonly hasPrior: boolean;
  /** Where the axis lies. */
  readonly floor: number;
};

/** The line that a name stands beside. */
type Side = 'value' | 'prior';
const otherOf = { value: 'prior', prior: 'value' } as const;

/** A name in its place; `y` is its base line. */
type Named = {
  readonly key: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: Anchor;
  readonly box: Box;
  /** Whether the other line, or the axis, runs through it. */
  readonly isCrossed: boolean;
};

/** Where the text of a name lies: around its event, or on one side of it. */
type Anchor = 'middle' | 'end' | 'start';

/**
 * Names events above their line, or below or beside the event where the other line would cross
 * them. An event of the prior period is named if this one has none of its kind. A name without
 * room is not drawn.
 */
export function Events(props: EventsProps) {
  const { points, hasPrior } = props;
  const named: Named[] = [];
  const add = (text: string | undefined, place: number, side: Side) => {
    if (text === undefined || points[place]![side] === undefined) return;
    if (side === 'prior' && named.some((other) => other.text === text)) return;
    const choices = choicesOf(props, text, place, side);
    const found = choices.find(({ box }) => !named.some((other) => areTouching(other.box, box)));
    if (found !== undefined) named.push(found);
  };
  for (const [place, { event }] of points.entries()) add(event, place, 'value');
  for (const [place, { priorEvent }] of hasPrior ? points.entries() : [])
    add(priorEvent, place, 'prior');
  return (
    <g>
      {named.map(({ key, text, x, y, anchor }) => (
        <text key={key} class="event" x={x} y={y} text-anchor={anchor}>
          {text}
        </text>
      ))}
    </g>
  );
}

/** The places of a name, the best first. */
function choicesOf(props: EventsProps, text: string, place: number, side: Side): Named[] {
  const isLast = place > props.points.length * 0.9;
  const anchors: readonly Anchor[] = isLast ? ['end'] : ['middle', 'end', 'start'];
  const choices = anchors.flatMap((anchor) => choicesAt(props, text, place, side, anchor));
  return [
    ...choices.filter(({ isCrossed }) => !isCrossed),
    ...choices.filter(({ isCrossed }) => isCrossed),
  ];
}

const partsBefore: Readonly<Record<Anchor, number>> = { middle: 0.5, end: 1, start: 0 };

/** The heights of a name with an anchor. */
function choicesAt(
  { x, y, points, hasPrior, floor }: EventsProps,
  text: string,
  place: number,
  side: Side,
  anchor: Anchor,
): Named[] {
  const width = text.length * letterWidth;
  const left = x(place) - width * partsBefore[anchor];
  const right = left + width;
  const near = points.filter((_, at) => x(at) >= left - 4 && x(at) <= right + 4);
  const levels = near.flatMap((point) => (point[side] === undefined ? [] : y(point[side])));
  const over = Math.max(topmost, Math.min(...levels) - above);
  const under = Math.max(...levels) + below;
  const others = hasPrior ? levelsOf({ x, y, points }, otherOf[side], left, right) : [];
  const isCrossed = (base: number) =>
    others.some((level) => level > base - letterHeight && level < base + 4);
  const bases = [over, under, over - lineHeight].filter(
    (base) => base >= topmost && (base === over || base < floor - 4),
  );
  return bases.map((base) => ({
    key: `${side} ${place}`,
    text,
    x: x(place),
    y: base,
    anchor,
    box: { left, right, top: base - letterHeight, bottom: base + 4 },
    isCrossed: isCrossed(base) || left < x(0),
  }));
}

/** Pixels between the places at which a line is looked at. */
const grain = 3;

/** The heights of a line between two places. */
function levelsOf({ x, y, points }: Drawn, side: Side, from: number, to: number): number[] {
  const count = Math.max(1, Math.ceil((to - from) / grain));
  return Array.from(
    { length: count + 1 },
    (_, step) => from + (step * (to - from)) / count,
  ).flatMap((at) => {
    const place = x.invert(at);
    const [one, other] = [points[Math.floor(place)], points[Math.ceil(place)]] as const;
    const part = place - Math.floor(place);
    const value = between(one?.[side], other?.[side], part);
    return value === undefined ? [] : y(value);
  });
}

function between(one: LinePoint[Side], other: LinePoint[Side], part: number): number | undefined {
  return one === undefined || other === undefined ? undefined : one + (other - one) * part;
}
