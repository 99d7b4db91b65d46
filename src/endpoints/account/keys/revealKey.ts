import { requireConfirmed } from '../../../access/confirmation.ts';
import { unsealKey } from '../../../access/keys.ts';
import { change } from '../../../access/records.ts';
import { usableKeys } from '../../../access/usableKeys.ts';
import { notFound, Refusal } from '../../../contract/refusal.ts';
import type { Handler } from '../../handler.ts';
import type { revealKey as contract } from './contract.ts';

/** Reveals a key to its user, and records that in the audit log. */
export const revealKey: Handler<typeof contract> = async ({ keyId }, context) => {
  const { signedIn, registry, config, now } = context;
  const found = await usableKeys(registry, signedIn.userId, now())
    .where('apiKey.keyId', '=', keyId)
    .executeTakeFirstOrThrow(() => notFound('key'));
  requireConfirmed(signedIn, now(), 'to see the key');
  const key = unseal(config.secret, keyId, found.sealed);
  await change(context, (_transaction, audit) =>
    audit({ action: 'revealKey', subject: keyId, detail: {} }),
  );
  return { key };
};

function unseal(secret: string, keyId: string, sealed: string): string {
  try {
    return unsealKey(secret, keyId, sealed);
  } catch {
    throw new Refusal(
      409,
      'this key cannot be shown and does not work any more: ask the operator of the service for a new one',
    );
  }
}
