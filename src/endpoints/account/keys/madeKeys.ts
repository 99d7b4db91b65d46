import { requireConfirmed } from '../../../access/confirmation.ts';
import { change, changeOne, countOf, defined, readOne } from '../../../access/records.ts';
import { usableKeys } from '../../../access/usableKeys.ts';
import { madeKeysMax } from '../../../contract/keys.ts';
import { notFound, Refusal } from '../../../contract/refusal.ts';
import {
  type ApiKeyRecord,
  lockOrganisation,
  type RecordsTransaction,
} from '../../../engine/registry.ts';
import type { Context, Handler, RecordRule } from '../../handler.ts';
import {
  addKey,
  boundColumnsOf,
  grantsOfNew,
  type KeyBounds,
  keyBoundsRules,
  keyChannelFailures,
  replaceKeyChannels,
} from '../../keySettings.ts';
import type * as contracts from './contract.ts';

/** The record rules of keys that users make. */
export const madeKeyRules: readonly RecordRule<KeyBounds, Context<'session'>>[] = [
  ...keyBoundsRules,
  {
    at: 'channels',
    check: ({ channels }, { registry, signedIn }) =>
      keyChannelFailures(registry.records, signedIn.userId, channels),
  },
];

/** Makes a key from another key of the user: they share limits, and it never allows more. */
export const makeKey: Handler<typeof contracts.makeKey> = (
  { madeFrom, name, assistant, ...requested },
  context,
) => {
  const { signedIn, registry, now } = context;
  requireConfirmed(signedIn, now(), 'to make a key');
  return change(context, async (transaction, audit) => {
    const { userId, organisationId } = signedIn;
    await lockOrganisation(registry.engine, transaction, organisationId);
    const origin = await usableKeys({ records: transaction }, userId, now())
      .where('apiKey.keyId', '=', madeFrom)
      .executeTakeFirstOrThrow(() => notFound('key'));
    if (origin.madeFrom !== null)
      throw new Refusal(
        409,
        'the key was made from another one itself: make the new one from that',
      );
    await requireRoom(transaction, madeFrom);
    const bounds = grantsOfNew(requested, assistant);
    const { perSecond, burst, perDay } = origin;
    const made = await addKey(transaction, context, {
      userId,
      name,
      perSecond,
      burst,
      perDay,
      madeFrom,
      grants: null,
      addresses: null,
      restricted: 0,
      expiresAt: null,
      ...boundColumnsOf(bounds),
    });
    await replaceKeyChannels(transaction, { ...made, userId }, bounds.channels);
    const detail = { userId, name, madeFrom, ...bounds };
    await audit({ action: 'makeKey', subject: made.keyId, detail });
    return made;
  });
};

async function requireRoom(transaction: RecordsTransaction, madeFrom: string): Promise<void> {
  const made = await countOf(transaction, 'apiKey', { madeFrom, revokedAt: null });
  if (made >= madeKeysMax)
    throw new Refusal(409, `${madeKeysMax} keys were made from this one: revoke one of them first`);
}

/** Changes a key that the user has made. */
export const changeMadeKey: Handler<typeof contracts.changeMadeKey> = (
  { keyId, name, ...bounds },
  context,
) => {
  const { signedIn, now } = context;
  requireConfirmed(signedIn, now(), 'to change the key');
  return change(context, async (transaction, audit) => {
    const key = await madeKeyOf(transaction, context, keyId);
    const changes = defined({ name, ...boundColumnsOf(bounds) });
    await changeOne(transaction, 'apiKey', { keyId }, changes);
    await replaceKeyChannels(transaction, key, bounds.channels);
    await audit({ action: 'changeMadeKey', subject: keyId, detail: defined({ name, ...bounds }) });
  });
};

/** Revokes a key that the user has made. */
export const revokeMadeKey: Handler<typeof contracts.revokeMadeKey> = ({ keyId }, context) =>
  change(context, async (transaction, audit) => {
    await madeKeyOf(transaction, context, keyId);
    await changeOne(transaction, 'apiKey', { keyId }, { revokedAt: context.now() });
    await audit({ action: 'revokeMadeKey', subject: keyId, detail: {} });
  });

/** A key of the user that is not revoked. Throws 404 for others, and 403 for an issued one. */
async function madeKeyOf(
  transaction: RecordsTransaction,
  { signedIn: { userId } }: Context<'session'>,
  keyId: string,
): Promise<ApiKeyRecord> {
  const key = await readOne(transaction, 'apiKey', { keyId, userId, revokedAt: null });
  if (key.madeFrom === null)
    throw new Refusal(403, 'the operator issued this key: only the operator changes it');
  return key;
}
