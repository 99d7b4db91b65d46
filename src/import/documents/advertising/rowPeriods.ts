/** The periods of the rows of a document, each of which has dates of its own. */
import type { DateRange } from '../../../engine/warehouse.ts';
import { rangeText } from '../../grains.ts';
import { DocumentRefused } from '../../refused.ts';

/**
 * Refuses rows about the same subject whose periods differ and overlap: documents that were put
 * together. Those of different subjects are never the same money.
 */
export class RowPeriods {
  readonly #periods = new Map<string, DateRange[]>();

  /** Notes a row about a subject. */
  add(subject: string, period: DateRange): void {
    const known = this.#periods.get(subject);
    if (known === undefined) {
      this.#periods.set(subject, [period]);
      return;
    }
    const isSame = (one: DateRange) => one.first === period.first && one.last === period.last;
    if (known.some(isSame)) return;
    const other = known.find((one) => one.first <= period.last && one.last >= period.first);
    if (other !== undefined)
      throw new DocumentRefused(
        `rows of the document overlap, so they would count twice: ${rangeText(other)} and ${rangeText(period)} (import each report by itself)`,
      );
    known.push(period);
  }
}
