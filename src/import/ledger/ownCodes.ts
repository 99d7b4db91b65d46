/** The financial codes that an operator has added to the list. */
import type { FinanceCodeRecord, Registry } from '../../engine/registry.ts';
import type { FinanceCode } from './codes.ts';

/** A code of the operator's own, with the times of its record, epoch milliseconds. */
export type OwnCode = FinanceCode & Pick<FinanceCodeRecord, 'createdAt' | 'updatedAt'>;

/** Reads the operator's own codes in the order of their names, in which the first of equally close ones counts. */
export async function ownCodes(
  records: Pick<Registry['records'], 'selectFrom'>,
): Promise<OwnCode[]> {
  const query = records.selectFrom('financeCode').selectAll();
  // Only what the contract takes has been saved.
  return (await query
    .orderBy('source')
    .orderBy('type')
    .orderBy('component')
    .orderBy('code')
    .execute()) as OwnCode[];
}
