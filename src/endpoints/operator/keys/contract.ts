/** API keys. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { AllOptional, Id, Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { epochSecondsMax, NoAnswer } from '../../../contract/shapes.ts';

/** What a key may do when nothing else is said: requests a second, in a burst, and a day. */
export const limitsDefault = { perSecond: 10, burst: 20, perDay: 10_000 } as const;

const graceSecondsMax = 30 * 86_400;

const limitMax = 1_000_000_000;

/** How many seconds' worth of requests a key may send at once. */
export const burstSecondsMax = 3_600;

const Key = Type.Object({
  keyId: Type.String(),
  userId: Type.String(),
  limits: Type.Object({ perSecond: Type.Integer(), burst: Type.Integer(), perDay: Type.Integer() }),
  createdAt: Instant('When it was issued.'),
  lastUsedAt: OrNull(Instant('When it was last used, to a few seconds.')),
  expiresAt: OrNull(Instant('When it ends.')),
  revokedAt: OrNull(Instant('When it was revoked.')),
});

const NewKey = Type.Object({
  keyId: Type.String(),
  key: Type.String({ description: 'The key itself, which is answered only here.' }),
});

/** The failing rule of limits that go together badly. */
export function burstFailure({
  perSecond,
  burst,
}: {
  readonly perSecond: number;
  readonly burst: number;
}): string | undefined {
  const burstMax = perSecond * burstSecondsMax;
  if (burst <= burstMax) return undefined;
  return `limits.burst must be at most ${burstMax}, which is ${burstSecondsMax} seconds' worth at ${perSecond} a second`;
}

const limits = {
  perSecond: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    description: `Requests a second in the long run; ${limitsDefault.perSecond} unless it is said.`,
  }),
  burst: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    description: `Requests at once; ${limitsDefault.burst} unless it is said, at most ${burstSecondsMax} seconds' worth.`,
  }),
  perDay: Type.Integer({
    minimum: 1,
    maximum: limitMax,
    description: `Requests a day of UTC; ${limitsDefault.perDay} unless it is said.`,
  }),
};

/** Issue a key. */
export const issueKey = contract({
  operation: 'issueKey',
  access: 'operator',
  method: 'POST',
  path: '/operator/keys',
  summary: 'Issue a key',
  description: 'Keys are issued to owners and administrators of organisations with API access.',
  body: Type.Object({
    userId: Id('user'),
    limits: Type.Optional(AllOptional(limits)),
  }),
  rules: [
    {
      at: 'limits.burst',
      reads: ['limits.perSecond'],
      check: (asked) => burstFailure({ ...limitsDefault, ...asked.limits }),
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
  description:
    'Newest first, without the keys themselves; those of one user or organisation where it is named.',
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
  description: 'Its user, its limits and its times; never the key itself.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  answer: Key,
});

/** Change the limits or the end of a key. */
export const changeKey = contract({
  operation: 'changeKey',
  access: 'operator',
  method: 'PATCH',
  path: '/operator/keys/{keyId}',
  summary: 'Change the limits or the end of a key',
  description:
    'Fields that are left out stay as they are. What has been used of the present windows counts against the new limits too. ' +
    'It holds at once, on other nodes within five seconds. A key that is revoked stays so and cannot be changed.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  body: Type.Object({
    limits: Type.Optional(AllOptional(limits)),
    expiresAt: Type.Optional(
      OrNull(
        Type.Integer({
          minimum: 0,
          maximum: epochSecondsMax,
          description:
            'When the key ends; null takes the end away. Unix epoch time in whole seconds.',
        }),
        { words: { anyOf: 'must be a time in seconds, not milliseconds, or null' } },
      ),
    ),
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
    'Issues a key with the same user and limits. The old one ends after the time of grace, at once without one.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  body: Type.Object({
    graceSeconds: Type.Integer({
      minimum: 0,
      maximum: graceSecondsMax,
      default: 0,
      description: 'For how long the old key stays valid.',
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
  description: 'The key ends at once; on other nodes within five seconds.',
  pathParameters: Type.Object({ keyId: Id('key') }),
  answer: NoAnswer,
});
