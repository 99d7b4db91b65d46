/**
 * The installation key, behind every API key, link, hash and sealed copy. The registry stores it
 * sealed under each secret that may open it, so that a secret can be replaced without losing any.
 */
import { randomBytes } from 'node:crypto';
import { StartRefusal } from '../engine/errors.ts';
import type { InstallationKeyRecord, Registry } from '../engine/registry.ts';
import { createHashing, createSeal } from './secret.ts';

const keyBytes = 32;
const lockName = 'installation key';

/**
 * Opens the installation key with the first of the secrets that opens it, or makes it for a new
 * registry. Seals it under the current secret, the first. Once the current secret is the only one,
 * earlier secrets open it no longer. `now` is in epoch milliseconds.
 */
export function openInstallationKey(
  registry: Registry,
  secrets: readonly [string, ...string[]],
  now: number,
): Promise<string> {
  return registry.withLock(lockName, async () => {
    const known = await registry.records.selectFrom('installationKey').selectAll().execute();
    const [current] = secrets;
    const opened = openedKey(known, secrets);
    if (opened === undefined && known.length > 0) throw new StartRefusal(refusal);
    const key = opened ?? randomBytes(keyBytes).toString('base64url');
    const record = sealedUnder(current, key, now);
    await registry.records.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('installationKey')
        .values(record)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      if (secrets.length > 1) return;
      await transaction
        .deleteFrom('installationKey')
        .where('lookup', '!=', record.lookup)
        .execute();
    });
    return key;
  });
}

/** The installation key that one of the secrets opens; undefined if none does. */
export function openedKey(
  known: readonly InstallationKeyRecord[],
  secrets: readonly string[],
): string | undefined {
  for (const secret of secrets) {
    const { lookup } = sealedUnder(secret, '', 0);
    const found = known.find((one) => one.lookup === lookup);
    if (found !== undefined) return sealOf(secret).open(found.sealed);
  }
  return undefined;
}

/** An installation key as the registry stores it under a secret. */
export function sealedUnder(secret: string, key: string, now: number): InstallationKeyRecord {
  return {
    lookup: createHashing(secret, 'installation key look-up')(''),
    sealed: sealOf(secret).close(key),
    createdAt: now,
  };
}

function sealOf(secret: string) {
  return createSeal(secret, 'installation key sealing');
}

const refusal =
  'The secret (VITRINE_SECRET, or the file "secret" of the data folder) is not that of this registry, whose keys, links and sealed data would all be lost. Restore the secret from a backup. To replace it, name the new secret and then the old one, as docs/operations.md describes.';
