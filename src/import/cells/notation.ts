/** How a document writes times and amounts, as far as the options of its import say. */
import { instantOfClock } from '../../calendar/zone.ts';
import type { MissingOptions } from '../missingOptions.ts';
import { type DateOrder, instantOf, isAmbiguous, readDate } from './dates.ts';
import {
  amount,
  amountOrNone,
  CellError,
  type FieldType,
  factor,
  instant,
  percentage,
} from './fields.ts';
import { type DecimalMark, readAmount, readAmountWith } from './money.ts';

const decimals: ReadonlySet<unknown> = new Set([amount, amountOrNone, percentage, factor]);
const localTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?$/;
/** Thousands with commas: the comma need not be a decimal one. */
const thousands = /^-?\d{1,3}(?:,\d{3})+$/;
const neededComma = 'unless the import has decimal=comma';

/** The way in which a document writes times and amounts. */
export type Style = {
  /** The IANA zone of times without an offset; if it is missing, they are refused. */
  readonly zone: string | undefined;
  /**
   * The decimal mark. If it is missing, a point is expected, and commas lead to a proposal of the
   * option.
   */
  readonly mark: DecimalMark | undefined;
  /** Whether the day or the month comes first. */
  readonly order?: DateOrder | undefined;
};

/** Whether cells of the type may have a decimal mark. */
export function isDecimal(type: FieldType<unknown>): boolean {
  return decimals.has(type);
}

/**
 * Turns cells into plain ones, with decimal points and instants, and notes which options they need.
 */
export class Notation {
  #style: Style;
  readonly #missing: MissingOptions;

  constructor(style: Style, missing: MissingOptions) {
    this.#style = style;
    this.#missing = missing;
  }

  /** The decimal mark, if it is known. */
  get mark(): DecimalMark | undefined {
    return this.#style.mark;
  }

  /** The order of day and month, if it is known. */
  get order(): DateOrder | undefined {
    return this.#style.order;
  }

  /** Takes the notation that the whole document shows. */
  decide(mark: DecimalMark | undefined, order: DateOrder | undefined): void {
    this.#style = { ...this.#style, mark, order };
  }

  /** Notes that dates have two readings, such as this one. Its row is rejected next. */
  needDateOrder(example: string): void {
    this.#missing.needDateOrder(example);
  }

  /** A cell as the type reads it, or the reason why it cannot be read. */
  plain(type: FieldType<unknown>, cell: unknown): unknown {
    if (typeof cell !== 'string') return cell;
    if (type === instant) return this.#time(cell);
    return isDecimal(type) ? this.#decimal(cell) : cell;
  }

  /** Reads a cell. */
  read<V>(type: FieldType<V>, cell: unknown): Exclude<V, null> | CellError {
    const plain = this.plain(type, cell);
    return plain instanceof CellError ? plain : type.read(plain);
  }

  /** An amount with or without a currency, as `readAmount` reads it. */
  money(text: string): string | CellError {
    const read = readAmount(text, this.mark);
    if (read !== undefined) return read;
    if (this.mark !== undefined || readAmount(text, ',') === undefined)
      return new CellError('must be an amount');
    this.#missing.needDecimal(text);
    return new CellError(`has two readings ${neededComma}`);
  }

  #time(cell: string): unknown {
    if (!localTime.test(cell)) return this.#spreadsheetTime(cell);
    const clock = instant.read(`${cell}Z`);
    if (clock instanceof CellError) return clock;
    const { zone } = this.#style;
    return zone === undefined ? this.#withoutZone(cell) : instantOfClock(zone, clock);
  }

  /** A time as spreadsheets write it, such as 6/15/2026 18:00; other cells as they are. */
  #spreadsheetTime(cell: string): unknown {
    const written = /[/.]/.test(cell) ? readDate(cell, 'flatFile') : undefined;
    if (written?.second === undefined) return cell;
    const { zone = written.offset === undefined ? undefined : 'UTC' } = this.#style;
    if (zone === undefined) return this.#withoutZone(cell);
    const own = written.dayFirst === undefined ? 'monthFirst' : 'dayFirst';
    const order = this.order ?? (isAmbiguous(written) ? undefined : own);
    if (order !== undefined) return instantOf(written, order, zone) ?? cell;
    this.#missing.needDateOrder(cell);
    return new CellError('has two readings unless the import has dates=dayFirst or monthFirst');
  }

  #withoutZone(cell: string): CellError {
    this.#missing.needZone(cell);
    return new CellError(
      'must carry its offset from UTC (…Z or …+01:00) unless the import has zone=channel',
    );
  }

  #decimal(cell: string): unknown {
    if (this.mark === ',')
      return readAmountWith(cell, ',') ?? new CellError('must be a decimal number such as 12,34');
    if (this.mark === '.') return (cell.includes(',') && readAmountWith(cell, '.')) || cell;
    if (!cell.includes(',') || thousands.test(cell)) return cell;
    if (readAmountWith(cell, ',') === undefined) return cell;
    this.#missing.needDecimal(cell);
    return new CellError(`must be ${amount.words} ${neededComma}`);
  }
}
