/** Outcomes of requests, in words, colours and shapes. */
import type { Answer } from '../client.ts';
import { counted, inNumbers } from '../words.ts';

/** Counts of requests. */
export type Counts = Answer<'readUsage'>['total'];

/** How a request ended. */
export type OutcomeName = 'answered' | 'refused' | 'limited' | 'failed';

type Outcome = {
  readonly name: OutcomeName;
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
  { name: 'refused', label: 'Refused', meaning: '400 to 499', count: ({ refused }) => refused },
  { name: 'limited', label: 'Limited', meaning: '429', count: ({ limited }) => limited },
  { name: 'failed', label: 'Failed', meaning: '500 or more', count: ({ failed }) => failed },
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

const shapes: Readonly<Record<OutcomeName, preact.JSX.Element>> = {
  answered: <circle cx="5" cy="5" r="5" />,
  refused: <rect width="10" height="10" rx="1" />,
  limited: <path d="M5 0 10 9.5H0z" />,
  failed: <path d="M5 0 10 5 5 10 0 5z" />,
};

/** The mark of an outcome: a shape besides its colour. */
export function OutcomeMark({ name }: { readonly name: OutcomeName }) {
  return (
    <svg class={`outcome-mark outcome-${name}`} viewBox="0 0 10 10" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}
