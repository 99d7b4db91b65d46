/** Retention: old records that nobody needs any more are deleted. */
import type { Retention } from '../config.ts';
import type { Registry } from '../engine/registry.ts';

const millisecondsPerDay = 86_400_000;

/**
 * Deletes the usage of keys, imports, rejected rows and audit entries that are past their
 * retention. Facts stay when their import is deleted. `now` is in epoch milliseconds.
 */
export async function pruneOldRecords(
  { records }: Pick<Registry, 'records'>,
  { usageDays, importDays, rejectionDays, auditDays }: Retention,
  now: number,
): Promise<void> {
  const before = (days: number) => now - days * millisecondsPerDay;
  await records
    .deleteFrom('keyUsage')
    .where('day', '<', Math.floor(before(usageDays) / millisecondsPerDay))
    .execute();
  await records.deleteFrom('import').where('finishedAt', '<', before(importDays)).execute();
  await records
    .deleteFrom('importRejection')
    .where('importId', 'in', ({ selectFrom }) =>
      selectFrom('import').select('importId').where('finishedAt', '<', before(rejectionDays)),
    )
    .execute();
  await records.deleteFrom('auditEntry').where('at', '<', before(auditDays)).execute();
}
