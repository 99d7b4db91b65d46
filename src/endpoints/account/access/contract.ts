/** The access of the user: keys, plan, entitlements. */
import Type from 'typebox';
import { Role } from '../../../contract/account.ts';
import { contract } from '../../../contract/endpoint.ts';
import { Instant, OrNull } from '../../../contract/records.ts';
import { OneOf } from '../../../contract/shapes.ts';

const Key = Type.Object({
  keyId: Type.String(),
  masked: Type.String({ description: 'Its first and last characters, such as vit_live_••••3kQ9.' }),
  limits: Type.Object({ perSecond: Type.Integer(), burst: Type.Integer(), perDay: Type.Integer() }),
  createdAt: Instant('When it was issued.'),
  lastUsedAt: OrNull(Instant('When it was last used.')),
  expiresAt: OrNull(Instant('When it ends.')),
});

/** Read what the user may use: key, plan, entitlements. */
export const readAccess = contract({
  operation: 'readAccess',
  access: 'session',
  method: 'GET',
  path: '/account/access',
  summary: 'Read what the user may use: key, plan, entitlements',
  description:
    'Keys that are valid, the newest first: there are two only while a rotated one is in its time of grace. Members have none.',
  answer: Type.Object({
    role: Role,
    organisation: Type.String(),
    plan: OneOf(['standard', 'enterprise']),
    apiAccess: Type.Boolean({ description: 'Whether the organisation may use the API.' }),
    orders: Type.Boolean({ description: 'Whether orders may be read: with the enterprise plan.' }),
    searchQueryPerformance: Type.Boolean(),
    searchQueryProductMax: Type.Integer({
      description: 'Products in an answer of Search Query Performance, at most.',
    }),
    channels: Type.Integer({ description: 'How many channels the user may reach.' }),
    environment: OneOf(['production', 'staging']),
    address: Type.String({ description: 'The address of the API, without a slash at its end.' }),
    keys: Type.Array(Key),
    /** Whom a member asks; nobody's address is told to anybody of another organisation. */
    administrators: Type.Array(Type.String(), {
      description:
        'E-mail addresses of owners and administrators of the organisation, for members.',
    }),
    contact: OrNull(
      Type.String({
        description:
          'How the operator of the service is reached: an e-mail address or an address of the web.',
      }),
    ),
  }),
});
