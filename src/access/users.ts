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
    const owners = portion.map((userId) => `user:${userId}`);
    await transaction.deleteFrom('idempotentRequest').where('owner', 'in', owners).execute();
    const keys = await transaction
      .deleteFrom('apiKey')
      .where('userId', 'in', portion)
      .executeTakeFirst();
    const users = await transaction
      .deleteFrom('userAccount')
      .where('userId', 'in', portion)
      .executeTakeFirst();
    removed.keys += Number(keys.numDeletedRows);
    removed.users += Number(users.numDeletedRows);
  }
  return removed;
}
