import { max, nice, ticks } from 'd3-array';
import { useId, useState } from 'preact/hooks';
import type { Answer } from '../client.ts';
import { shortCount } from '../view/format.ts';
import { counted, inDay, inWeekday } from '../words.ts';
import { inWords, stackOf } from './outcomes.tsx';
import { useWidth } from './width.ts';

type Day = Answer<'readUsage'>['days'][number];

const height = 282;
const top = 12;
const bottom = 26;
const plotHeight = height - top - bottom;
const digitWidth = 8;
const labelEvery = 7;
const labelEveryNarrow = 10;
const narrowWidth = 480;

/** The measures of a chart of a width, in pixels. */
type Scale = ReturnType<typeof scaleOf>;

/** Columns of requests by day, stacked by outcome. A pointer or the arrow keys choose a day. */
export function DaysChart({ days }: { days: readonly Day[] }) {
  const [element, width] = useWidth();
  const [chosen, setChosen] = useState(days.length - 1);
  const [pointed, setPointed] = useState<number>();
  const [isFocused, setFocused] = useState(false);
  const scale = scaleOf(days, width);
  const shown = pointed ?? (isFocused ? chosen : undefined);
  return (
    <div class="plot" ref={element}>
      {width > 0 && (
        <>
          <Drawing days={days} scale={scale} shown={shown} />
          <input
            type="range"
            min="0"
            max={days.length - 1}
            value={chosen}
            aria-label="Day"
            aria-valuetext={textOf(days[chosen]!)}
            style={{
              left: scale.left,
              width: scale.step * days.length,
              top: top - 6,
              height: plotHeight + 6,
              '--step': `${scale.step}px`,
            }}
            onInput={({ currentTarget }) => setChosen(Number(currentTarget.value))}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onPointerMove={({ offsetX }) => {
              const day = Math.floor(offsetX / scale.step);
              setPointed(Math.min(days.length - 1, Math.max(0, day)));
            }}
            onPointerLeave={() => setPointed(undefined)}
          />
          {shown !== undefined && (
            <p class="readout" data-end={shown >= days.length / 2}>
              {textOf(days[shown]!)}
            </p>
          )}
        </>
      )}
    </div>
  );
}

function scaleOf(days: readonly Day[], width: number) {
  const requestsMax = max(days, ({ requests }) => requests) ?? 0;
  const [, ceiling] = nice(0, Math.max(requestsMax, 4), 4);
  const left = 12 + digitWidth * shortCount(ceiling).length;
  const step = Math.max(0, (width - left) / days.length);
  return {
    width,
    left,
    step,
    requestsMax,
    marks: ticks(0, ceiling, 4).filter(Number.isInteger),
    gap: step > 12 ? 4 : 2,
    labelEvery: width < narrowWidth ? labelEveryNarrow : labelEvery,
    y: (count: number) => top + plotHeight * (1 - count / ceiling),
  };
}

type DrawingProps = {
  readonly days: readonly Day[];
  readonly scale: Scale;
  /** The day whose numbers are shown. */
  readonly shown: number | undefined;
};

function Drawing({ days, scale, shown }: DrawingProps) {
  const id = useId();
  const { width, left, step, marks, requestsMax, y } = scale;
  const busiest = days.find(({ requests }) => requests === requestsMax);
  return (
    <svg
      role="img"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-words`}
      width={width}
      height={height}
    >
      <title id={`${id}-title`}>Requests by day</title>
      <desc id={`${id}-words`}>
        {`${inDay(days[0]!.date)} to ${inDay(days.at(-1)!.date)}. `}
        {busiest &&
          requestsMax > 0 &&
          `Busiest day: ${inWeekday(busiest.date)}, ${counted(requestsMax, 'request')}. `}
        The table holds all numbers.
      </desc>
      {shown !== undefined && (
        <rect
          class="chosen"
          x={left + shown * step}
          y={top - 6}
          width={step}
          height={plotHeight + 6}
        />
      )}
      {marks.map((mark) => (
        <g key={mark}>
          <line
            class={mark === 0 ? 'axis' : 'grid'}
            x1={left}
            x2={width}
            y1={y(mark)}
            y2={y(mark)}
          />
          <text class="tick" x={left - 8} y={y(mark)} dy="0.32em" text-anchor="end">
            {shortCount(mark)}
          </text>
        </g>
      ))}
      {days.map((day, index) => (
        <Column
          key={day.date}
          day={day}
          fromEnd={days.length - 1 - index}
          scale={scale}
          x={left + index * step}
        />
      ))}
    </svg>
  );
}

type ColumnProps = {
  readonly day: Day;
  /** Days from here to the last one. */
  readonly fromEnd: number;
  readonly scale: Scale;
  readonly x: number;
};

function Column({ day, fromEnd, scale: { step, gap, labelEvery: every, y }, x }: ColumnProps) {
  const isLast = fromEnd === 0;
  return (
    <g>
      {stackOf(day).map(({ name, from, to }) => (
        <rect
          key={name}
          class={`outcome-${name}`}
          x={x + gap / 2}
          width={Math.max(1, step - gap)}
          y={y(to)}
          height={Math.max(1, y(from) - y(to) - (from > 0 ? 1 : 0))}
        />
      ))}
      {fromEnd % every === 0 && (
        <text
          class="tick"
          x={x + step / 2}
          y={height - 6}
          text-anchor={isLast ? 'end' : 'middle'}
          dx={isLast ? step / 2 : 0}
        >
          {inDay(day.date)}
        </text>
      )}
    </g>
  );
}

function textOf(day: Day): string {
  return `${inWeekday(day.date)}: ${inWords(day)}`;
}
