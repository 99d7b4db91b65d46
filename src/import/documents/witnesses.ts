/**
 * How a delimited document writes amounts and dates, as far as all its cells show: the decimal
 * mark, and whether the day or the month comes first.
 */
import { isoDate, monthOfDay } from '../../calendar/period.ts';
import { type DateOrder, isAmbiguous, readDate, type WrittenDate } from '../cells/dates.ts';
import { type DecimalMark, markShownBy, readAmount } from '../cells/money.ts';
import type { Style } from '../cells/notation.ts';
import { DocumentRefused } from '../refused.ts';
import type { ImportSession } from '../session.ts';
import { habitsOf } from './habits.ts';

/**
 * The kinds of cells that show the notation. In columns of `times`, dates alone show nothing,
 * because their documents write them in one order only.
 */
export type Shows = 'amount' | 'count' | 'percentage' | 'dates' | 'times';

/** Currencies with thousandths, whose amounts may have three decimal places. */
const thousandths: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
/** A number as programs write it, which a spreadsheet shows in place of one of its own. */
const plainNumber = /^-?\d+(?:\.\d+)?$/;
const orders: readonly DateOrder[] = ['dayFirst', 'monthFirst'];

/** Selects the possible orders of day and month that other dates of the document support. */
type Narrow = (possible: readonly DateOrder[]) => readonly DateOrder[];

/** Collects what the cells of a document show, and decides how it writes amounts and dates. */
export class Witnesses {
  readonly #session: ImportSession;
  readonly #narrow: Narrow;
  /** The options of the import. */
  readonly #given: {
    readonly mark: DecimalMark | undefined;
    readonly order: DateOrder | undefined;
  };
  readonly #clear = new Set<DecimalMark>();
  /** Amounts with two readings, by the mark with which they are whole thousands. */
  readonly #open = new Map<DecimalMark, string>();
  readonly #dates = new Map<string, WrittenDate>();
  /** The dates of each column. */
  readonly #columns = new Map<string, Set<string>>();
  #hasOpenDates = false;
  /** Whether every date is possible in the order. */
  readonly isPossible = { dayFirst: true, monthFirst: true };
  /** Whether a decision cannot change any more. */
  readonly #isSettled = { mark: false, order: false };
  /** Whether a cell has shown something new since the last decision. */
  isNew = false;

  constructor(session: ImportSession, narrow: Narrow = (possible) => possible) {
    this.#session = session;
    this.#narrow = narrow;
    const { mark, order } = session.notation;
    this.#given = { mark, order };
  }

  /** Takes a cell of a column. Columns matter only for dates. */
  take(shows: Shows, text: string, column = ''): void {
    if (text === '') return;
    if (shows === 'dates' || shows === 'times') {
      if (!this.#isSettled.order) this.#takeDate(text, shows, column);
    } else if (!this.#isSettled.mark) this.#takeNumber(text, shows);
  }

  #takeNumber(text: string, shows: Shows): void {
    const isOfSpreadsheet = this.#session.encoding === null && plainNumber.test(text);
    const shown = isOfSpreadsheet ? undefined : markShownBy(text, shows === 'count');
    if (shown === undefined) return;
    const { mark, isClear } = shown;
    if (isClear ? this.#clear.has(mark) : shows !== 'amount' || this.#open.has(mark)) return;
    if (isClear) this.#clear.add(mark);
    else this.#open.set(mark, text);
    this.isNew = true;
  }

  #takeDate(text: string, shows: Shows, column: string): void {
    const date = readDate(text, shows === 'times' ? 'flatFile' : 'any');
    if (date === undefined || (shows === 'times' && date.second === undefined)) return;
    for (const order of orders)
      if (date[order] === undefined && this.isPossible[order]) {
        this.isPossible[order] = false;
        this.isNew = true;
      }
    this.isNew ||= isAmbiguous(date) && !this.#hasOpenDates;
    this.#hasOpenDates ||= isAmbiguous(date);
    const key = `${date.dayFirst} ${date.monthFirst}`;
    this.#dates.set(key, date);
    this.#columns.set(column, (this.#columns.get(column) ?? new Set()).add(key));
  }

  /** Whether the cells so far have one reading. */
  get areClear(): boolean {
    const { dayFirst, monthFirst } = this.isPossible;
    return (
      (this.#open.size === 0 || this.#clear.size > 0) &&
      (!this.#hasOpenDates || !dayFirst || !monthFirst)
    );
  }

  /** The notation that the cells show. Refuses the document if they leave two readings. */
  get notation(): Pick<Style, 'mark' | 'order'> {
    const [mark, order] = [this.#mark(), this.#order()];
    const problems = [mark, order].filter((one) => one?.includes(' '));
    if (problems.length > 0)
      throw new DocumentRefused(`the document leaves two readings: ${problems.join('; ')}`);
    return { mark: mark as DecimalMark | undefined, order: order as DateOrder | undefined };
  }

  /** Decides the notation of the document. */
  decide(): void {
    const { mark, order } = this.notation;
    this.#session.notation.decide(mark, order);
    const { dayFirst, monthFirst } = this.isPossible;
    this.#isSettled.mark = this.#given.mark !== undefined || this.#clear.size > 0;
    this.#isSettled.order = this.#given.order !== undefined || !dayFirst || !monthFirst;
    this.isNew = false;
  }

  /** The decimal mark; undefined if no cell needs it; or why it is unknown. */
  #mark(): string | undefined {
    const { currency } = this.#session;
    if (this.#given.mark !== undefined) return this.#given.mark;
    const [grouped, example] = [...this.#open][0] ?? [];
    const [clear] = this.#clear;
    if (this.#clear.size === 1) return clear;
    if (grouped === undefined) return undefined;
    const isThousands = !thousandths.has(currency) && this.#open.size === 1;
    const usual = habitsOf(this.#session).mark;
    if (this.#clear.size === 0 && this.#open.size === 1 && (!isThousands || usual === grouped))
      return usual;
    const readings = (['.', ','] as const).map((mark) => readAmount(example!, mark));
    return `its amounts, such as ${example!.slice(0, 40)}, are ${readings[0]} with decimal=point and ${readings[1]} with decimal=comma`;
  }

  /** The order of day and month; undefined if no cell needs it; or why it is unknown. */
  #order(): string | undefined {
    const { dateRange } = this.#session;
    if (this.#given.order !== undefined) return this.#given.order;
    const dates = [...this.#dates.values()];
    const open = dates.find(isAmbiguous);
    if (open === undefined) return undefined;
    const daysBy = (order: DateOrder) => [...new Set(dates.map((date) => date[order]!))];
    const possible = orders.filter((order) => this.isPossible[order]);
    // Dates in both orders: each is read by itself.
    if (possible.length === 0) return undefined;
    const inRange = fitting(this.#narrow(possible), (order) =>
      daysBy(order).every(
        (day) => dateRange === undefined || (day >= dateRange.first && day <= dateRange.last),
      ),
    );
    // The first and last date of a period are not consecutive days.
    const areOfRows = [...this.#columns.values()].some((column) => column.size > 1);
    const left = fitting(inRange, (order) => areOfRows && areInSuccession(daysBy(order)));
    const usual = habitsOf(this.#session).order;
    const [only] = left.length === 1 ? left : [usual];
    // In the other order, consecutive days may be the first dates of a report's months.
    const other = inRange.find((order) => order !== only);
    const mayBeOfMonths =
      only !== usual && left.length < inRange.length && areOfMonths(daysBy(other!));
    if (only !== undefined && !mayBeOfMonths) return only;
    return `its dates, such as ${isoDate(open.monthFirst!)} or ${isoDate(open.dayFirst!)}, are the first with dates=monthFirst and the second with dates=dayFirst`;
  }
}

/** The orders that fit, or all of them if none does. */
function fitting(
  some: readonly DateOrder[],
  fits: (order: DateOrder) => boolean,
): readonly DateOrder[] {
  const found = some.filter(fits);
  return found.length > 0 ? found : some;
}

function areInSuccession(days: readonly number[]): boolean {
  return days.length > 1 && Math.max(...days) - Math.min(...days) === days.length - 1;
}

function areOfMonths(days: readonly number[]): boolean {
  return days.every((day) => monthOfDay(day).firstDay === day);
}
