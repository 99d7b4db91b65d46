import { max } from 'd3-array';
import { useId } from 'preact/hooks';
import type { Answer } from '../client.ts';
import { counted, inNumbers } from '../words.ts';
import { inWords, stackOf, useFills } from './outcomes.tsx';
import { useWidth } from './width.ts';

type Operation = Answer<'readUsage'>['operations'][number];

const shownMax = 10;
const letterWidth = 7.3;
const lineHeight = 18;
const barHeight = 12;
const rowGap = 14;
const digitWidth = 8;

/** Bars of requests by endpoint, stacked by outcome; the table shows all endpoints. */
export function OperationsChart({ operations }: { operations: readonly Operation[] }) {
  const id = useId();
  const [element, width] = useWidth();
  const [fill, definitions] = useFills();
  const shown = operations.slice(0, shownMax);
  const requestsMax = max(shown, ({ requests }) => requests) ?? 1;
  const figureWidth = 8 + digitWidth * inNumbers(requestsMax).length;
  const barMax = Math.max(0, width - figureWidth);

  let top = 0;
  const rows = shown.map((operation) => {
    const lines = wrapped(operation.call, Math.max(12, Math.floor(width / letterWidth)));
    const row = { operation, lines, top };
    top += lines.length * lineHeight + barHeight + rowGap;
    return row;
  });

  return (
    <div class="chart">
      <div class="plot" ref={element}>
        {width > 0 && (
          <svg
            role="img"
            aria-labelledby={`${id}-title`}
            aria-describedby={`${id}-words`}
            width={width}
            height={Math.max(0, top - rowGap + 2)}
          >
            <title id={`${id}-title`}>Requests by endpoint</title>
            <desc id={`${id}-words`}>
              {shown.map((operation) => `${operation.call}: ${inWords(operation)}. `)}
              All numbers are in the table below.
            </desc>
            {definitions}
            {rows.map((row) => (
              <Bar
                key={row.operation.operation}
                {...row}
                scale={barMax / requestsMax}
                fill={fill}
              />
            ))}
          </svg>
        )}
      </div>
      {operations.length > shownMax && (
        <p class="muted">{counted(operations.length - shownMax, 'more endpoint')} in the table.</p>
      )}
    </div>
  );
}

type BarProps = {
  readonly operation: Operation;
  /** The lines of its label. */
  readonly lines: readonly string[];
  readonly top: number;
  /** Pixels per request. */
  readonly scale: number;
  readonly fill: ReturnType<typeof useFills>[0];
};

function Bar({ operation, lines, top, scale, fill }: BarProps) {
  const barTop = top + lines.length * lineHeight;
  return (
    <g>
      <title>{inWords(operation)}</title>
      {lines.map((line, index) => (
        <text key={line} class="bar-label" y={top + index * lineHeight + 12}>
          {line}
        </text>
      ))}
      {stackOf(operation).map(({ name, from, to }) => (
        <rect
          key={name}
          x={from * scale}
          width={Math.max(1, (to - from) * scale - (to < operation.requests ? 1 : 0))}
          y={barTop}
          height={barHeight}
          fill={fill(name)}
        />
      ))}
      <text
        class="bar-figure"
        x={operation.requests * scale + 8}
        y={barTop + barHeight / 2}
        dy="0.34em"
      >
        {inNumbers(operation.requests)}
      </text>
    </g>
  );
}

/** Wraps a call to a number of letters, before slashes where possible. */
function wrapped(call: string, lettersMax: number): string[] {
  const lines = [''];
  for (const part of call
    .split(/(?=\/)/)
    .flatMap((part) => part.match(new RegExp(`.{1,${lettersMax}}`, 'g')) ?? [])) {
    if (lines.at(-1)!.length + part.length <= lettersMax) lines.push(lines.pop() + part);
    else lines.push(part);
  }
  return lines.filter((line) => line !== '');
}
