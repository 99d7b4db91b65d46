import { max, nice, ticks } from 'd3-array';
import { useId, useState } from 'preact/hooks';
import type { Answer } from '../client.ts';
import { counted, inDay, inNumbers, inWeekday } from '../words.ts';
import { inWords, stackOf, useFills } from './outcomes.tsx';
import { useWidth } from './width.ts';

type Day = Answer<'readUsage'>['days'][number];

const height = 220;
const top = 12;
const bottom = 26;
const digitWidth = 8;
const labelEvery = 7;
const labelEveryNarrow = 10;
const narrowWidth = 480;

/** Columns of requests by day, stacked by what came of them. A day is pointed at, or chosen by the arrow keys. */
export function DaysChart({ days }: { days: readonly Day[] }) {
  const id = useId();
  const [element, width] = useWidth();
  const [chosen, setChosen] = useState(days.length - 1);
  const [pointed, setPointed] = useState<number>();
  const [isFocused, setFocused] = useState(false);
  const [fill, definitions] = useFills();

  const most = max(days, ({ requests }) => requests) ?? 0;
  const [, ceiling] = nice(0, Math.max(most, 4), 4);
  const marks = ticks(0, ceiling, 4).filter(Number.isInteger);
  const left = 12 + digitWidth * inNumbers(ceiling).length;
  const plotHeight = height - top - bottom;
  const step = Math.max(0, (width - left) / days.length);
  const gap = step > 12 ? 4 : 2;
  const y = (count: number) => top + plotHeight * (1 - count / ceiling);
  const every = width < narrowWidth ? labelEveryNarrow : labelEvery;
  const told = pointed ?? (isFocused ? chosen : undefined);
  const busiest = days.find(({ requests }) => requests === most);

  return (
    <div class="chart">
      <p class="readout">
        {told === undefined ? (
          'Point at a day for its figures, or choose one with the arrow keys.'
        ) : (
          <Figures day={days[told]!} />
        )}
      </p>
      <div class="plot" ref={element}>
        {width > 0 && (
          <>
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
                  most > 0 &&
                  `The most on ${inWeekday(busiest.date)}: ${counted(most, 'request')}. `}
                All figures are in the table below.
              </desc>
              {definitions}
              {told !== undefined && (
                <rect
                  class="chosen"
                  x={left + told * step}
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
                    {inNumbers(mark)}
                  </text>
                </g>
              ))}
              {days.map((day, place) => (
                <g key={day.date}>
                  {stackOf(day).map(({ name, from, to }) => (
                    <rect
                      key={name}
                      x={left + place * step + gap / 2}
                      width={Math.max(1, step - gap)}
                      y={y(to)}
                      height={Math.max(1, y(from) - y(to) - (from > 0 ? 1 : 0))}
                      fill={fill(name)}
                    />
                  ))}
                  {(days.length - 1 - place) % every === 0 && (
                    <text
                      class="tick"
                      x={left + (place + 0.5) * step}
                      y={height - 6}
                      text-anchor={place === days.length - 1 ? 'end' : 'middle'}
                      dx={place === days.length - 1 ? step / 2 : 0}
                    >
                      {inDay(day.date)}
                    </text>
                  )}
                </g>
              ))}
            </svg>
            <input
              type="range"
              min="0"
              max={days.length - 1}
              value={chosen}
              aria-label="Day"
              aria-valuetext={wordsOf(days[chosen]!)}
              style={{
                left,
                width: step * days.length,
                top: top - 6,
                height: plotHeight + 6,
                '--step': `${step}px`,
              }}
              onInput={({ currentTarget }) => setChosen(Number(currentTarget.value))}
              onFocus={() => setFocused(true)}
              onBlur={() => setFocused(false)}
              onPointerMove={({ offsetX }) =>
                setPointed(Math.min(days.length - 1, Math.max(0, Math.floor(offsetX / step))))
              }
              onPointerLeave={() => setPointed(undefined)}
            />
          </>
        )}
      </div>
    </div>
  );
}

function Figures({ day }: { day: Day }) {
  return (
    <>
      <strong>{inWeekday(day.date)}:</strong> {inWords(day)}
    </>
  );
}

function wordsOf(day: Day): string {
  return `${inWeekday(day.date)}: ${inWords(day)}`;
}
