/** API keys. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import {
  ForAssistant,
  KeyNameText,
  keyBounds,
  keyBoundsAnswer,
  keyNameDefault,
  NewKey,
} from '../../../contract/keys.ts';
import { AllOptional, Id, Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { NoAnswer, Text } from '../../../contract/shapes.ts';

/** The default rate limits of a key. */
export const limitsDefault = { perSecond: 10, burst: 20, perDay: 10_000 } as const;

const graceSecondsMax = 30 * 86_400;

const limitMax = 1_000_000_000;

/** The largest burst, in seconds' worth of requests. */
export const burstSecondsMax = 3_600;

const Key = Type.Object(
  {
    keyId: Type.String(),
    userId: Type.String(),
    name: KeyNameText,
    hint: Type.String({ description: 'Its last four characters, such as ...Vj6U.' }),
    limits: Type.Object({
      perSecond: Type.Integer(),
      burst: Type.Integer(),
      perDay: Type.Integer(),
    }),
    createdAt: Instant('When it was issued.'),
    lastUsedAt: OrNull(Instant('When it was last used, accurate to a few seconds.')),
    ...keyBoundsAnswer,
    revokedAt: OrNull(Instant('When it was revoked.')),
  },
  { component: 'Key' },
);

/** The failing rule of a burst that is too large for its rate. */
export function burstFailure({
  perSecond,
  burst,
}: {
  readonly perSecond: number;
  readonly burst: number;
}): string | undefined {
  const burstMax = perSecond * burstSecondsMax;
  if (burst <= burstMax) return undefined;
  return `limits.burst must be at most ${burstMax}: ${burstSecondsMax} seconds' worth at ${perSecond} a second`;
}

const limits = {
  perSecond: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    description: `Requests per second in the long run; ${limitsDefault.perSecond} by default.`,
  }),
  burst: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    description: `Requests at once; ${limitsDefault.burst} by default, at most ${burstSecondsMax} seconds' worth.`,
  }),
  perDay: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    description: `Requests per day of UTC; ${limitsDefault.perDay} by default.`,
  }),
};

/** Issue a key. */
export const issueKey = contract({
  operation: 'issueKey',
  access: 'operator',
  method: 'POST',
  path: '/operator/keys',
  summary: 'Issue a key',
  description:
    'Keys are issued to owners and administrators of organisations with API access. A key without ' +
    'bounds may do whatever its user may.',
  body: Type.Object({
    userId: Id('user'),
    name: Text({ ...KeyNameText, default: keyNameDefault }),
    limits: Type.Optional(AllOptional(limits)),
    ...AllOptional(keyBounds).properties,
    assistant: ForAssistant,
  }),
  rules: [
    {
      at: 'limits.burst',
      reads: ['limits.perSecond'],
      check: (input) => burstFailure({ ...limitsDefault, ...input.limits }),
    },
  ],
  idempotencyKey: true,
  answer: NewKey,
});

/** List keys. */
export const listKeys = contract({
  operation: 'listKeys',
  access: 'operator',
  method: 'GET',
  path: '/operator/keys',
  summary: 'List keys',
  description: 'Newest first, without the keys themselves; optionally of one user or organisation.',
  query: Type.Object({
    userId: Type.Optional(Id('user')),
    organisationId: Type.Optional(Id('organisation')),
    ...pages,
  }),
  answer: ListOf('keys', Key),
});

/** Read a key. */
export const readKey = contract({
  operation: 'readKey',
  access: 'operator',
  method: 'GET',
  path: '/operator/keys/{keyId}',
  summary: 'Read a key',
  description: 'The user, name, limits, bounds and times of a key, without the key itself.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  answer: Key,
});

/** Change a key. */
export const changeKey = contract({
  operation: 'changeKey',
  access: 'operator',
  method: 'PATCH',
  path: '/operator/keys/{keyId}',
  summary: 'Change the name, the limits or the bounds of a key',
  description:
    'Absent fields stay unchanged. The change takes effect at once, on other nodes within five seconds.\n\n' +
    'Requests of the current windows count against the new limits too. A revoked key cannot be changed.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  body: Type.Object({
    name: Type.Optional(KeyNameText),
    limits: Type.Optional(AllOptional(limits)),
    ...AllOptional(keyBounds).properties,
  }),
  idempotencyKey: true,
  answer: Key,
});

/** Replace a key. */
export const rotateKey = contract({
  operation: 'rotateKey',
  access: 'operator',
  method: 'POST',
  path: '/operator/keys/{keyId}/rotate',
  summary: 'Replace a key',
  description:
    'Issues a key with the same user, name, limits and bounds, which ends when the old one would ' +
    'have ended. The old key expires after the grace period, or at once without one. Keys that ' +
    'were made from it go on with the new one.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  body: Type.Object({
    graceSeconds: Type.Integer({
      minimum: 0,
      maximum: graceSecondsMax,
      default: 0,
      description: 'How long the old key stays valid.',
    }),
  }),
  idempotencyKey: true,
  answer: NewKey,
});

/** Revoke a key. */
export const revokeKey = contract({
  operation: 'revokeKey',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/keys/{keyId}',
  summary: 'Revoke a key',
  description:
    'The key and those that were made from it stop working at once, on other nodes within five seconds.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  answer: NoAnswer,
});
