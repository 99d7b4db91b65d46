/** Options that a document needs but its import lacks, reported once for the whole document. */
import { isoDate } from '../calendar/period.ts';
import { DocumentRefused } from './refused.ts';

const zoneOption = 'zone=channel';
const decimalOption = 'decimal=comma';
const datesOption = 'dates=dayFirst or dates=monthFirst';
/** The options without which single cells cannot be read. */
const cellOptions = [zoneOption, decimalOption, datesOption];

/** Collects the options that a document needs, while it is read. */
export class MissingOptions {
  /** The reason for each option, as a request spells it. */
  readonly #reasons = new Map<string, string>();
  #isNeededByAll = false;
  /** Whether an option for cells was noted since the last rejected row. */
  #isCellNoted = false;
  /** Whether a row was rejected although it lacks no option for cells. */
  #hasOtherRejections = false;

  /** Notes an option that the whole document needs. */
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

  /** Notes that times have no offset from UTC, such as this one. Its row is rejected next. */
  needZone(example: string): void {
    this.#isCellNoted = true;
    this.#note(
      zoneOption,
      `its times have no offset from UTC, such as ${example}, and then are those of the channel's time zone`,
    );
  }

  /** Notes that amounts have a decimal comma, such as this one. Its row is rejected next. */
  needDecimal(example: string): void {
    this.#isCellNoted = true;
    this.#note(decimalOption, `its amounts have a decimal comma, such as ${example.slice(0, 40)}`);
  }

  /** Notes that dates have two readings, such as this one. Its row is rejected next. */
  needDateOrder(example: string): void {
    this.#isCellNoted = true;
    this.#note(datesOption, `its dates have two readings, such as ${example.slice(0, 40)}`);
  }

  /** Notes that a row was rejected. */
  noteRejection(): void {
    if (!this.#isCellNoted) this.#hasOtherRejections = true;
    this.#isCellNoted = false;
  }

  /**
   * Refuses the document if none of its rows could be accepted without the options. If only cells
   * need them, and other rows were rejected for other reasons, the rows report that themselves.
   */
  refuseUnless(rowsAccepted: number): void {
    if (this.#reasons.size === 0 || (rowsAccepted > 0 && !this.#isNeededByAll)) return;
    const isOfCells = [...this.#reasons.keys()].every((option) => cellOptions.includes(option));
    if (isOfCells && this.#hasOtherRejections) return;
    const options = [...this.#reasons].map(([option, reason]) => `${option} (${reason})`);
    throw new DocumentRefused(`the document needs ${options.join(' and ')}`);
  }

  #note(option: string, reason: string): void {
    if (!this.#reasons.has(option)) this.#reasons.set(option, reason);
  }
}

/** The reason for rejecting a multi-day row. */
export function multiDayReason(first: number, last: number): string {
  return `covers ${isoDate(first)} to ${isoDate(last)}, but these facts are kept by day: request single days from the marketplace, or import with coarse=lastDay to book each row on the last day of its period`;
}
