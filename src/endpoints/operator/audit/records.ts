import { listPage, seconds } from '../../../access/records.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

/** Lists the audit log. */
export const listAudit: Handler<typeof contracts.listAudit> = async (
  { subject, ...page },
  { registry, refusedAttempts },
) => {
  await refusedAttempts.write();
  const entries = registry.records
    .selectFrom('auditEntry')
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject!))
    .selectAll()
    .orderBy('auditId', 'desc');
  const { rows, total } = await listPage(entries, page);
  return {
    entries: rows.map((entry) => ({
      ...entry,
      at: seconds(entry.at),
      detail: JSON.parse(entry.detail),
    })),
    total,
  };
};
