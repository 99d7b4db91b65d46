/** The access of the user: keys, plan, entitlements. */
import Type from 'typebox';
import { KeyName, Role } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { keyBoundsAnswer } from '../../../contract/keys.ts';
import { Instant, OrNull } from '../../../contract/records.ts';
import { OneOf } from '../../../contract/shapes.ts';

const Key = Type.Object({
  ...KeyName.properties,
  limits: Type.Object({ perSecond: Type.Integer(), burst: Type.Integer(), perDay: Type.Integer() }),
  createdAt: Instant('When it was issued.'),
  lastUsedAt: OrNull(Instant('When it was last used.')),
  ...keyBoundsAnswer,
});

/** Read the access of the user. */
export const readAccess = contract({
  operation: 'readAccess',
  access: 'session',
  method: 'GET',
  path: '/account/access',
  summary: 'Read the access of the user',
  description:
    'The plan, the entitlements and the valid keys: the last used first, then those never used, newest first. Members and viewers have no keys.',
  answer: Type.Object({
    role: Role,
    organisation: Type.String(),
    plan: OneOf(['standard', 'enterprise']),
    apiAccess: Type.Boolean({ description: 'Whether the organisation may use the API.' }),
    orders: Type.Boolean({
      description: 'Whether orders may be read, as the enterprise plan allows.',
    }),
    searchQueryPerformance: Type.Boolean(),
    searchQueryProductMax: Type.Integer({
      description: 'The most products in a Search Query Performance answer.',
    }),
    channels: Type.Integer({ description: 'The number of channels that the user may use.' }),
    environment: OneOf(['production', 'staging']),
    address: Type.String({ description: 'The address of the API, without a slash at the end.' }),
    keys: Type.Array(Key),
    administrators: Type.Array(Type.String(), {
      description:
        'For members and viewers: e-mail addresses of owners and administrators of their organisation.',
    }),
    contact: OrNull(
      Type.String({
        description: 'Contact of the operator: an e-mail address or a web address.',
      }),
    ),
  }),
});
