/** Options that a document needs but its import does not have, reported once for the whole document. */
import { isoDate } from '../calendar/period.ts';
import { DocumentRefused } from './refused.ts';

/** Collects the options that a document needs, while it is read. */
export class MissingOptions {
  /** The reason for each option, as a request spells it. */
  readonly #reasons = new Map<string, string>();
  #isNeededByAll = false;

  /** Notes an option without which none of the document can be imported. */
  needAttribution(days: number, reason: string): void {
    this.#isNeededByAll = true;
    this.#note(`attribution=${days}`, reason);
  }

  /** Notes that a row covers several days. */
  needCoarse(first: number, last: number): void {
    this.#note(
      'coarse=lastDay',
      `its rows cover several days, such as ${isoDate(first)} to ${isoDate(last)}, and then count on the last of them; or request single days from the marketplace`,
    );
  }

  /** Notes that a row has no date. */
  needDates(): void {
    this.#note(
      'from=YYYY-MM-DD&to=YYYY-MM-DD',
      'its rows have no dates; for several days, also coarse=lastDay',
    );
  }

  /** Refuses the document if none of its rows could be accepted without the options. */
  refuseUnless(rowsAccepted: number): void {
    if (this.#reasons.size === 0 || (rowsAccepted > 0 && !this.#isNeededByAll)) return;
    const options = [...this.#reasons].map(([option, reason]) => `${option} (${reason})`);
    throw new DocumentRefused(`the document needs ${options.join(' and ')}`);
  }

  #note(option: string, reason: string): void {
    if (!this.#reasons.has(option)) this.#reasons.set(option, reason);
  }
}
