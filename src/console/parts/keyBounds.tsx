/** The bounds of a key: the fields of a form, and their words. */
import { counted } from '../words.ts';
import { choice, text, unseen } from './fields.tsx';
import type { FormFields } from './form.tsx';
import { type Choice, type Reach, ReachField } from './membership.tsx';

/** The bounds of a key as they are answered. */
export type Bounds = {
  readonly grants: readonly string[] | 'all';
  readonly channels: readonly string[] | 'all';
  readonly addresses: readonly string[] | 'all';
};

/** The bounds of a key as they are sent. */
export type NewBounds = {
  readonly grants: string[] | 'all';
  readonly channels: string[] | 'all';
  readonly addresses: string[] | 'all';
  readonly expiresAt: number | null;
};

type Use = {
  readonly id: string;
  readonly name: string;
  readonly grants: string[] | 'all' | undefined;
};

const uses: readonly Use[] = [
  { id: 'everything', name: 'Everything that its user may do', grants: 'all' },
  { id: 'figures', name: 'Read figures only, for an assistant', grants: ['figures'] },
  { id: 'read', name: 'Read everything, without addresses of buyers', grants: ['read'] },
  { id: 'buyers', name: 'Read everything, with addresses of buyers', grants: ['read', 'buyers'] },
  { id: 'chosen', name: 'Only these grants', grants: undefined },
];

const wordsOf = (words: string) => words.split(/[\s,]+/).filter((word) => word !== '');
const listOrAll = (words: string[]) => (words.length === 0 ? 'all' : words);

/** The bounds of a key as they are entered. */
export type BoundsValues = {
  readonly use: string;
  readonly grants: string;
  readonly channels: Reach;
  /** The identifiers of channels, where there are no stores to choose from. */
  readonly named: string;
  readonly addresses: string;
  readonly end: string;
};

/** The fields of the bounds of a new key with a use, and stores to choose from. */
export function boundsFields(use: string, stores?: readonly Choice[]): FormFields<BoundsValues> {
  const named = 'Their identifiers. Without any, all stores of its user.';
  const grants = 'Such as figures, orders:read, tags:write or the name of an operation.';
  return {
    use: choice('What it may do', uses, { first: use }),
    grants: use === 'chosen' ? text('Grants', { hint: grants }) : unseen(''),
    channels:
      stores === undefined
        ? unseen<Reach>('all')
        : {
            first: 'all',
            show: ({ value, onValue }) => (
              <ReachField key="channels" reach={value} channels={stores} onReach={onValue} />
            ),
          },
    named: stores === undefined ? text('Stores', { hint: named }) : unseen(''),
    addresses: text('Addresses', {
      hint: 'IP addresses and networks that it may be used from, such as 203.0.113.0/24. Optional.',
    }),
    end: text('Ends', { type: 'date', hint: 'The day on which it stops working. Optional.' }),
  };
}

/** The bounds of a key as they are sent. */
export function boundsOf({
  use,
  grants,
  channels,
  named,
  addresses,
  end,
}: BoundsValues): NewBounds {
  return {
    grants: uses.find(({ id }) => id === use)?.grants ?? wordsOf(grants),
    channels: named === '' ? channels : wordsOf(named),
    addresses: listOrAll(wordsOf(addresses)),
    expiresAt: end === '' ? null : Math.floor(Date.parse(`${end}T00:00`) / 1000),
  };
}

/** The bounds of a key in words; undefined for a key that nothing bounds. */
export function boundsWords({ grants, channels, addresses }: Bounds): string | undefined {
  const words = [
    grants !== 'all' && grants.join(', '),
    channels !== 'all' && counted(channels.length, 'store'),
    addresses !== 'all' && `from ${addresses.join(', ')}`,
  ].filter((one) => one !== false);
  return words.length === 0 ? undefined : words.join(' · ');
}
