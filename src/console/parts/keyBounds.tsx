/** The bounds of a key: the fields of a form, and their words. */
import { useState } from 'preact/hooks';
import { Field, Select } from '../forms.tsx';
import { counted } from '../words.ts';
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

type BoundsProps = {
  /** The stores to choose from; without them their identifiers are entered. */
  readonly stores?: readonly Choice[];
  /** The use that is chosen at first. */
  readonly begins: 'everything' | 'figures';
};

const wordsOf = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '');
const listOrAll = (words: string[]) => (words.length === 0 ? 'all' : words);

/** The fields of the bounds of a new key, and what they say. */
export function useKeyBounds({ stores, begins }: BoundsProps) {
  const [use, setUse] = useState<string>(begins);
  const [grants, setGrants] = useState('');
  const [reach, setReach] = useState<Reach>('all');
  const [named, setNamed] = useState('');
  const [addresses, setAddresses] = useState('');
  const [end, setEnd] = useState('');
  const bounds = (): NewBounds => ({
    grants: uses.find(({ id }) => id === use)?.grants ?? wordsOf(grants),
    channels: stores === undefined ? listOrAll(wordsOf(named)) : reach,
    addresses: listOrAll(wordsOf(addresses)),
    expiresAt: end === '' ? null : Math.floor(Date.parse(`${end}T00:00`) / 1000),
  });
  const text = (
    label: string,
    name: string,
    hint: string,
    state: [string, (to: string) => void],
  ) => (
    <Field
      {...{ label, name, hint }}
      type={name === 'end' ? 'date' : 'text'}
      autocomplete="off"
      value={state[0]}
      onValue={state[1]}
      isOptional
    />
  );
  const fields = (
    <>
      <Select label="What it may do" value={use} options={uses} onValue={setUse} />
      {use === 'chosen' &&
        text(
          'Grants',
          'grants',
          'Such as figures, orders:read, tags:write or the name of an operation.',
          [grants, setGrants],
        )}
      {stores === undefined ? (
        text('Stores', 'stores', 'Their identifiers. Without any, all stores of its user.', [
          named,
          setNamed,
        ])
      ) : (
        <ReachField reach={reach} channels={stores} onReach={setReach} />
      )}
      {text(
        'Addresses',
        'addresses',
        'IP addresses and networks that it may be used from, such as 203.0.113.0/24. Optional.',
        [addresses, setAddresses],
      )}
      {text('Ends', 'end', 'The day on which it stops working. Optional.', [end, setEnd])}
    </>
  );
  return { bounds, fields };
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
