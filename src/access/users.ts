/** Users in the registry, as several rooms of the operator interface change them. */
import type { RecordsTransaction } from '../engine/registry.ts';
import { portionsOf } from './records.ts';

/**
 * Deletes users with their keys and returns the numbers of both. The store itself deletes their
 * tags, channel access and usage.
 */
export async function removeUsers(
  transaction: RecordsTransaction,
  userIds: readonly string[],
): Promise<{ users: number; keys: number }> {
  const removed = { users: 0, keys: 0 };
  for (const portion of portionsOf(userIds)) {
    // Locks the users before their keys: two deletions of one user would otherwise wait for each
    // other, each for a row that the other holds.
    await transaction
      .updateTable('userAccount')
      .set(({ ref }) => ({ restricted: ref('restricted') }))
      .where('userId', 'in', portion)
      .execute();
    const keys = await transaction
      .deleteFrom('apiKey')
      .where('userId', 'in', portion)
      .executeTakeFirst();
    const users = await transaction
      .deleteFrom('userAccount')
      .where('userId', 'in', portion)
      .executeTakeFirst();
    const owners = portion.map((userId) => `user:${userId}`);
    // After the users: a request of the user holds its user first, then its stored answer.
    await transaction.deleteFrom('idempotentRequest').where('owner', 'in', owners).execute();
    removed.keys += Number(keys.numDeletedRows);
    removed.users += Number(users.numDeletedRows);
  }
  return removed;
}
