/** The bounds of a key, in requests and answers. */
import Type, { type TSchema } from 'typebox';
import { grants } from './grants.ts';
import { Id, Instant, OrNull } from './records.ts';
import { epochSecondsMax, List, Text } from './shapes.ts';

/** The most keys that a user may make from one that the operator issued. */
export const madeKeysMax = 20;

/** The name of a key unless someone chooses one. */
export const keyNameDefault = 'API key';

/** The name of a key. */
export const KeyNameText = Text({
  maxLength: 60,
  trimmed: true,
  description: 'Name of the key, which its user sees beside its usage.',
});

const all = <Entries extends TSchema>(entries: Entries, what: string, description: string) =>
  Type.Union([entries, Type.Literal('all')], {
    description,
    words: { anyOf: `must be an array of ${what} or all` },
  });

const grantList = Object.entries(grants)
  .filter(([name]) => !name.includes(':'))
  .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
  .join(' ');

/** The bounds of a key, in a request. */
export const keyBounds = {
  grants: all(
    List(Text({ maxLength: 100 }), { minItems: 1, maxItems: 100 }),
    'grants',
    `What the key may call, or "all". ${grantList} Beside these: a room with what is done in it, such as \`reports:read\` or \`tags:write\`, or the name of an operation, such as \`viewSalesByPeriod\`.`,
  ),
  channels: all(
    List(Id('channel'), { maxItems: 1_000 }),
    'channel identifiers',
    'The channels that the key may access among those of its user, or "all".',
  ),
  addresses: all(
    List(Text({ maxLength: 50 }), { minItems: 1, maxItems: 50 }),
    'addresses',
    'The IP addresses and networks that the key may be used from, such as 203.0.113.7 and 2001:db8::/32, or "all".',
  ),
  expiresAt: OrNull(
    Type.Integer({
      minimum: 0,
      maximum: epochSecondsMax,
      description:
        'When the key expires; null removes the expiry. Unix epoch time in whole seconds.',
    }),
    { words: { anyOf: 'must be a time in seconds and not in milliseconds or null' } },
  ),
};

/** Marks a new key as one for an assistant. */
export const ForAssistant = Type.Boolean({
  default: false,
  description:
    'Whether the key is for an assistant: it then reads figures and nothing else, unless grants are named.',
});

const bounded = (description: string) =>
  Type.Union([Type.Array(Type.String()), Type.Literal('all')], { description });

/** The bounds of a key, in an answer. */
export const keyBoundsAnswer = {
  grants: bounded('What the key may call.'),
  channels: bounded('The channels that the key may access among those of its user.'),
  addresses: bounded('The networks that the key may be used from.'),
  madeFrom: OrNull(
    Type.String({ description: 'The key that it was made from: it may never do more.' }),
  ),
  expiresAt: OrNull(Instant('When it expires.')),
};

/** A new key, in the answer that makes it. */
export const NewKey = Type.Object(
  {
    keyId: Type.String(),
    key: Type.String({ description: 'The key itself. No other answer contains it.' }),
  },
  { component: 'NewKey' },
);
