import { max } from 'd3-array';
import type { Answer } from '../client.ts';
import { counted, inNumbers } from '../words.ts';
import { inWords, stackOf } from './outcomes.tsx';

type Operation = Answer<'readUsage'>['operations'][number];

const shownMax = 7;

/** Bars of requests by call, stacked by outcome; the table shows all calls. */
export function OperationsChart({ operations }: { readonly operations: readonly Operation[] }) {
  const shown = operations.slice(0, shownMax);
  const requestsMax = max(shown, ({ requests }) => requests) ?? 1;
  return (
    <>
      <ul class="calls">
        {shown.map((operation) => (
          <li key={operation.operation}>
            <code title={operation.call}>{operation.call}</code>
            <span title={inWords(operation)}>{inNumbers(operation.requests)}</span>
            <Bar operation={operation} requestsMax={requestsMax} />
          </li>
        ))}
      </ul>
      {operations.length > shownMax && (
        <p class="muted">{counted(operations.length - shownMax, 'more call')} in the table.</p>
      )}
    </>
  );
}

type BarProps = { readonly operation: Operation; readonly requestsMax: number };

function Bar({ operation, requestsMax }: BarProps) {
  return (
    <svg viewBox={`0 0 ${requestsMax} 1`} preserveAspectRatio="none" aria-hidden="true">
      {stackOf(operation).map(({ name, from, to }) => (
        <rect key={name} class={`outcome-${name}`} x={from} width={to - from} height="1" />
      ))}
    </svg>
  );
}
