import { type OperatorHandler, seconds } from '../handler.ts';
import type { overviewContracts as contracts } from '../overviewContracts.ts';

/** Lists the entries of the audit. */
export const listAudit: OperatorHandler<(typeof contracts)['listAudit']> = async (
  { subject, pageIndex, pageSize },
  { registry },
) => {
  const entries = registry.records
    .selectFrom('auditEntry')
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject!));
  const found = await entries
    .selectAll()
    .orderBy('auditId', 'desc')
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  const { total } = await entries
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return {
    entries: found.map((entry) => ({
      ...entry,
      at: seconds(entry.at),
      detail: JSON.parse(entry.detail),
    })),
    total,
  };
};
