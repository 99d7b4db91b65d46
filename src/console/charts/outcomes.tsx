/** Outcomes of requests, in words, colours and patterns. */
import { useId } from 'preact/hooks';
import type { Answer } from '../client.ts';
import { counted, inNumbers } from '../words.ts';

/** Counts of requests. */
export type Counts = Answer<'readUsage'>['total'];

type Outcome = {
  readonly name: 'answered' | 'refused' | 'limited' | 'failed';
  readonly label: string;
  readonly meaning: string;
  readonly count: (counts: Counts) => number;
};

/** The outcomes, in the order of the stack from the bottom. */
export const outcomes: readonly Outcome[] = [
  {
    name: 'answered',
    label: 'Answered',
    meaning: 'successful',
    count: ({ requests, refused, limited, failed }) => requests - refused - limited - failed,
  },
  {
    name: 'refused',
    label: 'Refused',
    meaning: 'status 400 to 499',
    count: ({ refused }) => refused,
  },
  { name: 'limited', label: 'Limited', meaning: 'status 429', count: ({ limited }) => limited },
  { name: 'failed', label: 'Failed', meaning: 'status 500 or more', count: ({ failed }) => failed },
];

/** The outcome of a status. */
export function outcomeOf(status: number): Outcome {
  const name =
    status === 429 ? 'limited' : status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'answered';
  return outcomes.find((outcome) => outcome.name === name)!;
}

/** The non-empty parts of a column or bar, from its foot, in requests. */
export function stackOf(counts: Counts) {
  let from = 0;
  return outcomes
    .map(({ name, count }) => {
      const part = { name, from, to: from + count(counts) };
      from = part.to;
      return part;
    })
    .filter((part) => part.to > part.from);
}

/** Such as 12 requests: 10 answered, 2 refused. */
export function inWords(counts: Counts): string {
  if (counts.requests === 0) return 'no requests';
  const parts = outcomes
    .map(({ label, count }) => [count(counts), label.toLowerCase()] as const)
    .filter(([count]) => count > 0);
  return `${counted(counts.requests, 'request')}: ${parts.map(([count, label]) => `${inNumbers(count)} ${label}`).join(', ')}`;
}

/**
 * Fills for outcomes, each with a pattern besides its colour. Returns the fill of an outcome, and
 * the definitions for the drawing.
 */
export function useFills(): [(name: Outcome['name']) => string, preact.JSX.Element] {
  const id = useId();
  const lines: Readonly<Record<Outcome['name'], preact.JSX.Element | undefined>> = {
    answered: undefined,
    refused: <path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5" />,
    limited: <path d="M0 3H6" />,
    failed: <path d="M0 0L6 6M0 6L6 0" stroke-width="0.8" />,
  };
  const definitions = (
    <defs>
      {outcomes.map(({ name }) => (
        <pattern key={name} id={`${id}-${name}`} width="6" height="6" patternUnits="userSpaceOnUse">
          <rect width="6" height="6" class={`fill-${name}`} />
          <g class="pattern-lines">{lines[name]}</g>
        </pattern>
      ))}
    </defs>
  );
  return [(name) => `url(#${id}-${name})`, definitions];
}

/** The square of an outcome in a legend. */
export function Swatch({ name }: { name: Outcome['name'] }) {
  const [fill, definitions] = useFills();
  return (
    <svg class="swatch" width="14" height="14" aria-hidden="true">
      {definitions}
      <rect width="14" height="14" rx="3" fill={fill(name)} />
    </svg>
  );
}
