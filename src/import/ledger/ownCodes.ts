/** The operator's own financial codes. */
import type { FinanceCodeRecord, Registry } from '../../engine/registry.ts';
import type { FinanceCode } from './codes.ts';

/** One of the operator's own codes. The times are epoch milliseconds. */
export type OwnCode = FinanceCode & Pick<FinanceCodeRecord, 'createdAt' | 'updatedAt'>;

/**
 * Reads the operator's own codes in the order of their names. Of equally close codes, the first
 * counts.
 */
export async function ownCodes(
  records: Pick<Registry['records'], 'selectFrom'>,
): Promise<OwnCode[]> {
  const query = records.selectFrom('financeCode').selectAll();
  // The contract has checked all saved records.
  return (await query
    .orderBy('source')
    .orderBy('type')
    .orderBy('component')
    .orderBy('code')
    .execute()) as OwnCode[];
}
