/** The bounds of a key, which operators and users set. */

import { randomUUID } from 'node:crypto';
import { channelsOfUser } from '../access/channels.ts';
import { networkOf } from '../access/keyRights.ts';
import { mintKey } from '../access/keys.ts';
import type { RecordsOrTransaction } from '../access/records.ts';
import { defined, findOne, flag, portionsOf, secondsOrNull } from '../access/records.ts';
import { firstFailures } from '../contract/check.ts';
import type { RuleFailures } from '../contract/endpoint.ts';
import { assistantGrants, grants } from '../contract/grants.ts';
import { refuse } from '../contract/refusal.ts';
import type { ApiKeyRecord, RecordsTransaction } from '../engine/registry.ts';
import { publicContracts } from './contracts.ts';
import type { RecordRule, ServiceConfig } from './handler.ts';

/** The bounds of a key that a request names. */
export type KeyBounds = {
  readonly grants?: readonly string[] | 'all';
  readonly channels?: readonly string[] | 'all';
  readonly addresses?: readonly string[] | 'all';
  readonly expiresAt?: number | null;
};

const known: ReadonlySet<string> = new Set([
  ...Object.keys(grants),
  ...Object.keys(publicContracts),
]);

function failuresOf(
  field: keyof KeyBounds,
  entries: readonly string[] | 'all' | undefined,
  isRight: (entry: string) => boolean,
  words: string,
): RuleFailures {
  if (entries === undefined || entries === 'all') return undefined;
  const texts = entries.flatMap((entry, position) =>
    isRight(entry) ? [] : [`${field}[${position}] ${words}`],
  );
  return firstFailures(texts, field);
}

/** The rules of the bounds of a key. */
export const keyBoundsRules: readonly RecordRule<KeyBounds, object>[] = [
  {
    at: 'grants',
    check: ({ grants }) =>
      failuresOf(
        'grants',
        grants,
        (grant) => known.has(grant),
        'must be a grant such as figures or reports:read or the name of an operation',
      ),
  },
  {
    at: 'addresses',
    check: ({ addresses }) =>
      failuresOf(
        'addresses',
        addresses,
        (address) => networkOf(address) !== undefined,
        'must be an IP address or a network such as 203.0.113.0/24',
      ),
  },
];

/** The failures for channels that the user of a key may not use. */
export async function keyChannelFailures(
  records: RecordsOrTransaction,
  userId: string,
  channels: KeyBounds['channels'],
): Promise<RuleFailures> {
  if (channels === undefined || channels === 'all') return undefined;
  const reached = await numbersOf(records, userId);
  const words = 'must be a channel that the user of the key may use';
  return failuresOf('channels', channels, (channelId) => reached.has(channelId), words);
}

/** The numbers of the channels that a user may use, by their identifiers. */
async function numbersOf(
  records: RecordsOrTransaction,
  userId: string,
): Promise<ReadonlyMap<string, number>> {
  const user = await findOne(records, 'userAccount', { userId });
  if (user === undefined) return new Map();
  const channels = await channelsOfUser(records, { ...user, keyId: null }).execute();
  return new Map(channels.map(({ channelId, channelNumber }) => [channelId, channelNumber]));
}

type BoundColumns = Pick<ApiKeyRecord, 'grants' | 'addresses' | 'restricted' | 'expiresAt'>;

/** The columns of a key that change with its bounds. */
export function boundColumnsOf({
  grants,
  channels,
  addresses,
  expiresAt,
}: KeyBounds): Partial<BoundColumns> {
  const listed = (entries: readonly string[] | 'all' | undefined) =>
    entries === 'all' ? null : entries && JSON.stringify([...new Set(entries)]);
  return defined({
    grants: listed(grants),
    addresses: listed(addresses === 'all' ? addresses : addresses?.map((one) => networkOf(one)!)),
    restricted: channels === undefined ? undefined : flag(channels !== 'all'),
    expiresAt: typeof expiresAt === 'number' ? expiresAt * 1000 : expiresAt,
  });
}

/** The grants of a new key: by default, figures for the key of an assistant. */
export function grantsOfNew(bounds: KeyBounds, isForAssistant: boolean): KeyBounds {
  return bounds.grants === undefined && isForAssistant
    ? { ...bounds, grants: assistantGrants }
    : bounds;
}

/** Replaces the channels of a key; throws 400 for channels that its user may not use. */
export async function replaceKeyChannels(
  transaction: RecordsTransaction,
  { keyId, userId }: Pick<ApiKeyRecord, 'keyId' | 'userId'>,
  channels: KeyBounds['channels'],
): Promise<void> {
  if (channels === undefined) return;
  await transaction.deleteFrom('keyChannel').where('keyId', '=', keyId).execute();
  if (channels === 'all') return;
  refuse(await keyChannelFailures(transaction, userId, channels));
  const numbers = await numbersOf(transaction, userId);
  const rows = [...new Set(channels)].map((channelId) => ({
    keyId,
    channelNumber: numbers.get(channelId)!,
  }));
  for (const portion of portionsOf(rows))
    await transaction.insertInto('keyChannel').values(portion).execute();
}

/** The parts of a context that making a key needs. */
type MakingContext = {
  readonly config: Pick<ServiceConfig, 'secret' | 'environment'>;
  readonly now: () => number;
};

/** Makes a key with the settings of a record and further bounds. */
export async function addKey(
  transaction: RecordsTransaction,
  { config, now }: MakingContext,
  settings: Omit<
    ApiKeyRecord,
    'keyId' | 'lookup' | 'hint' | 'sealed' | 'createdAt' | 'lastUsedAt' | 'revokedAt'
  >,
): Promise<{ keyId: string; key: string }> {
  const keyId = randomUUID();
  const { key, ...stored } = mintKey(config.secret, keyId, config.environment);
  await transaction
    .insertInto('apiKey')
    .values({
      ...settings,
      keyId,
      ...stored,
      createdAt: now(),
      lastUsedAt: null,
      revokedAt: null,
    })
    .execute();
  return { keyId, key };
}

/** The bounds of keys in answers. */
export async function boundsAnswers(
  records: RecordsOrTransaction,
  keys: readonly (Pick<ApiKeyRecord, 'keyId' | 'madeFrom'> & BoundColumns)[],
) {
  const restricted = keys.filter((key) => key.restricted === 1).map(({ keyId }) => keyId);
  const rows =
    restricted.length === 0
      ? []
      : await records
          .selectFrom('keyChannel')
          .innerJoin('channel', 'channel.channelNumber', 'keyChannel.channelNumber')
          .select(['keyChannel.keyId', 'channel.channelId'])
          .where('keyChannel.keyId', 'in', restricted)
          .orderBy('channel.channelId')
          .execute();
  const channels = Map.groupBy(rows, ({ keyId }) => keyId);
  const listed = (text: string | null): string[] | 'all' =>
    text === null ? 'all' : JSON.parse(text);
  return keys.map(({ keyId, ...key }) => ({
    grants: listed(key.grants),
    channels:
      key.restricted === 0
        ? ('all' as const)
        : (channels.get(keyId) ?? []).map(({ channelId }) => channelId),
    addresses: listed(key.addresses),
    madeFrom: key.madeFrom,
    expiresAt: secondsOrNull(key.expiresAt),
  }));
}
