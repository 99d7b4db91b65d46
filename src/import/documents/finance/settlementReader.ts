/**
 * Reads the rows of a settlement: decides how the document writes dates and amounts, and verifies
 * its total.
 */
import { type DateOrder, instantOf, readDate, type WrittenDate } from '../../cells/dates.ts';
import {
  amount,
  amountText,
  CellError,
  count,
  currency,
  millionthsOf,
} from '../../cells/fields.ts';
import { type DecimalMark, decimalMarkOf, readAmountWith } from '../../cells/money.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Posting } from '../../ledger/posting.ts';
import { DocumentRefused } from '../../refused.ts';
import { shown } from '../../rows.ts';
import type { ImportSession } from '../../session.ts';
import { marketplaceOf } from '../marketplaces.ts';
import { type CellsOf, known, needed, optional, text } from '../table.ts';

/** How many rows are read before the style of dates and amounts is decided. */
const headRows = 2000;
/** How many rows may wait for the style if the first rows leave it open. */
const headRowsMax = 32_000;
const secondsPerDay = 86_400;
/** The maximum length of a settlement in days, for dates with two readings. */
const settlementDaysMax = 45;
const dateOrders: readonly DateOrder[] = ['dayFirst', 'monthFirst'];
const units = count();

/** The columns that both layouts have. */
export const settlementColumns = {
  id: known('settlement-id', text),
  total: known('total-amount', text),
  start: needed('settlement-start-date', text),
  end: needed('settlement-end-date', text),
  currency: needed('currency', text),
  type: needed('transaction-type', text),
  postedDate: needed('posted-date', text),
  postedTime: optional('posted-date-time', text),
  quantity: optional('quantity-purchased', text),
  fulfillment: optional('fulfillment-id', text),
  sku: optional('sku', text),
  orderId: optional('order-id', text),
  marketplace: optional('marketplace-name', text),
};

/** The cells of a row that both layouts have, as written. */
export type SettlementCells = CellsOf<typeof settlementColumns>;

/** An amount of a row, as written, under its names in version 2. */
export type Amount = Pick<Posting, 'type' | 'component' | 'code'> & { readonly text: string };

type Row = {
  readonly cells: SettlementCells;
  readonly amounts: readonly Amount[];
  readonly line: number;
};
type ReadPosting = Posting & { readonly amount: string };
/** How the document writes dates and amounts. */
type Style = { readonly order: DateOrder; readonly mark: DecimalMark };

/** The first row of a settlement. */
type Summary = {
  readonly id: string;
  readonly currency: string;
  readonly total: string;
  readonly start: WrittenDate;
  readonly end: WrittenDate;
};

/** Reads one settlement. Refuses a document whose rows do not add up to its total. */
export class SettlementReader {
  readonly #session: ImportSession;
  readonly #ledger: Ledger;
  #summary: Summary | undefined;
  #style: Style | undefined;
  /** Rows that wait for the style. */
  #head: Row[] = [];
  #decideAt = headRows;
  #amounts = 0;
  /** The sum of the amounts so far, in millionths. */
  #sum = 0n;

  constructor(session: ImportSession) {
    if (session.dateRange)
      throw new DocumentRefused('a settlement has its own dates: omit from and to');
    this.#session = session;
    this.#ledger = session.ledger('settlement');
  }

  /** Takes a row with its amounts. */
  row(cells: SettlementCells, amounts: readonly Amount[], line: number): void {
    const isSummary = cells.type === '' && cells.total !== '';
    const summary = this.#summary;
    if (summary === undefined) {
      if (!isSummary)
        throw new DocumentRefused(
          `line ${line} should have the settlement's dates and total-amount, and no transaction-type: the document is cut off, or its rows were sorted${this.#rejectedRows()}`,
        );
      this.#summary = summaryOf(cells);
      this.#requireCurrency(this.#summary);
      return;
    }
    if (isSummary)
      throw new DocumentRefused(
        `line ${line} begins another settlement: import each settlement as a document of its own`,
      );
    if (cells.id !== summary.id)
      throw new DocumentRefused(
        `line ${line} belongs to settlement ${shown(cells.id)}, the first row to ${shown(summary.id)}: import each settlement as a document of its own`,
      );
    this.#requireMarketplace(cells.marketplace, line);
    const row = { cells, amounts: amounts.filter(({ text }) => text !== ''), line };
    if (this.#style) {
      this.#take(row, summary, this.#style);
      return;
    }
    this.#head.push(row);
    if (this.#head.length < this.#decideAt) return;
    this.#decideAt *= 2;
    this.#decide(summary, this.#head.length >= headRowsMax);
  }

  /** Takes the end: verifies the total and closes the ledger. */
  async end(): Promise<void> {
    const summary = this.#summary;
    if (summary === undefined)
      throw new DocumentRefused(
        `the document has no settlement: it is cut off${this.#rejectedRows()}`,
      );
    if (this.#style === undefined) this.#decide(summary, true);
    const { order, mark } = this.#style!;
    if (this.#amounts === 0)
      throw new DocumentRefused(
        `settlement ${summary.id} has no amounts: the document is cut off${this.#rejectedRows()}`,
      );
    const total = amount.read(readAmountWith(summary.total, mark));
    if (total instanceof CellError)
      throw new DocumentRefused(`total-amount must be an amount (it is ${shown(summary.total)})`);
    this.#prove(summary, millionthsOf(total));
    this.#ledger.documentTotal(summary.currency, total);
    // The first row counts as accepted too.
    this.#ledger.rowsAccepted++;
    const { timezone } = this.#session;
    await this.#ledger.close({
      name: summary.id,
      from: instantOf(summary.start, order, timezone, 'start')!,
      to: instantOf(summary.end, order, timezone, 'end')!,
    });
  }

  /** Refuses the document if a row was rejected, or if the rows do not add up to the total. */
  #prove({ id, currency: code }: Summary, total: bigint): void {
    if (this.#sum === total && this.#session.rejected.rows === 0) return;
    const text = (millionths: bigint) => `${moneyText(millionths, placesOf(code))} ${code}`;
    const sums = `the rows of settlement ${id} add up to ${text(this.#sum)}, its total-amount is ${text(total)}, a difference of ${text(total - this.#sum)}`;
    const rejected = this.#rejectedRows();
    throw new DocumentRefused(
      `${sums}${rejected === '' ? ': the document is cut off, or its rows were changed' : rejected}`,
    );
  }

  #requireCurrency({ id, currency: code }: Summary): void {
    const own = this.#session.currency;
    if (code === own) return;
    throw new DocumentRefused(
      `settlement ${id} is in ${code}, but the channel's currency is ${own}: import it into the channel of its marketplace`,
    );
  }

  #requireMarketplace(name: string, line: number): void {
    const own = this.#session.marketplaceId;
    const other = marketplaceOf(name);
    if (other === undefined || own === undefined || other === own) return;
    throw new DocumentRefused(
      `line ${line} belongs to marketplace ${name} (${other}), but the channel belongs to ${own}: import the settlement into the channel of its marketplace`,
    );
  }

  #rejectedRows(): string {
    const { rows, first } = this.#session.rejected;
    if (rows === 0) return '';
    const reasons = first.map(({ line, reason }) => `line ${line} ${reason}`).join('; ');
    return `; ${rows} ${rows === 1 ? 'row was' : 'rows were'} rejected: ${reasons}${rows > first.length ? '; …' : ''}`;
  }

  /**
   * Decides the style and takes the waiting rows. Leaves the style open if the rows do and
   * `mustDecide` is false.
   */
  #decide(summary: Summary, mustDecide: boolean): void {
    const { timezone } = this.#session;
    const dates = this.#head.flatMap(({ cells }) => readDate(postedText(cells), 'flatFile') ?? []);
    const order = dateOrderOf(summary, dates, timezone);
    if (order === undefined) {
      if (!mustDecide) return;
      throw new DocumentRefused(
        'all dates of the document have two readings, day first or month first: download it with dates that begin with the year',
      );
    }
    const texts = this.#head.flatMap(({ amounts }) => amounts.map(({ text }) => text));
    const mark =
      this.#session.notation.mark ??
      decimalMarkOf([summary.total, ...texts], placesOf(summary.currency));
    this.#style = { order, mark };
    for (const row of this.#head.splice(0)) this.#take(row, summary, this.#style);
  }

  #take(row: Row, summary: Summary, style: Style): void {
    const postings = postingsOf(row, summary, style, this.#session.timezone);
    if (typeof postings === 'string') {
      this.#session.reject(row.line, postings);
      return;
    }
    if (postings.length > 0 && !this.#ledger.postAll({ name: summary.id }, postings, row.line))
      return;
    for (const posting of postings) this.#sum += millionthsOf(posting.amount);
    this.#amounts += postings.length;
    // The ledger counts amounts, the import counts rows.
    this.#ledger.rowsAccepted += 1 - postings.length;
  }
}

function summaryOf(cells: SettlementCells): Summary {
  // The id is part of the names of claims and units, whose length is limited.
  if (cells.id === '' || cells.id.length > 100)
    throw new DocumentRefused('the first row has no settlement-id');
  const code = currency.read(cells.currency);
  if (code instanceof CellError)
    throw new DocumentRefused(`the currency of the first row ${code.reason}`);
  return {
    id: cells.id,
    currency: code,
    total: cells.total,
    start: edge(cells.start, 'settlement-start-date'),
    end: edge(cells.end, 'settlement-end-date'),
  };
}

function edge(text: string, title: string): WrittenDate {
  const date = readDate(text, 'flatFile');
  if (date !== undefined) return date;
  throw new DocumentRefused(`${title} of the first row must be a date (it is ${shown(text)})`);
}

/**
 * The order of day and month that gives a settlement of usual length, or else more rows within its
 * dates. Undefined if both orders are possible.
 */
function dateOrderOf(
  { start, end }: Summary,
  dates: readonly WrittenDate[],
  timezone: string,
): DateOrder | undefined {
  if ([start, end, ...dates].every(({ dayFirst, monthFirst }) => dayFirst === monthFirst)) {
    const from = instantOf(start, 'dayFirst', timezone, 'start')!;
    if (from <= instantOf(end, 'dayFirst', timezone, 'end')!) return 'dayFirst';
    throw new DocumentRefused('settlement-end-date lies before settlement-start-date');
  }
  const possible = dateOrders.flatMap((order) => {
    const from = instantOf(start, order, timezone, 'start');
    const to = instantOf(end, order, timezone, 'end');
    if (from === undefined || to === undefined || from > to) return [];
    const isWithin = (at: number | undefined) =>
      at !== undefined && at >= from - secondsPerDay && at <= to + secondsPerDay;
    const within = dates.filter((one) => isWithin(instantOf(one, order, timezone))).length;
    return [{ order, isUsual: to - from <= settlementDaysMax * secondsPerDay, within }];
  });
  const [one, other] = possible;
  if (one === undefined)
    throw new DocumentRefused(
      'settlement-start-date and settlement-end-date are not the dates of a settlement, neither with the day first nor with the month first',
    );
  if (other === undefined) return one.order;
  if (one.isUsual !== other.isUsual) return one.isUsual ? one.order : other.order;
  if (one.within === other.within) return undefined;
  return one.within > other.within ? one.order : other.order;
}

/** The amounts of a row, or the reason to reject it. */
function postingsOf(
  { cells, amounts }: Row,
  { currency: code }: Summary,
  { order, mark }: Style,
  timezone: string,
): readonly ReadPosting[] | string {
  if (amounts.length === 0) return [];
  if (cells.currency !== '' && cells.currency.toUpperCase() !== code)
    return `is in ${shown(cells.currency)}, but the settlement in ${code}`;
  const date = postedText(cells);
  if (date === '') return 'has no posted-date';
  const written = readDate(date, 'flatFile');
  const postedAt = written && instantOf(written, order, timezone);
  if (postedAt === undefined) return `posted-date must be a date (it is ${shown(date)})`;
  const quantity = units.read(cells.quantity === '' ? 0 : cells.quantity);
  if (quantity instanceof CellError)
    return `quantity-purchased ${quantity.reason} (it is ${shown(cells.quantity)})`;
  const fulfillment = cells.fulfillment.toUpperCase();
  const shared = {
    postedAt,
    currency: code,
    sku: cells.sku,
    orderId: cells.orderId,
    fulfillment: fulfillment === 'AFN' || fulfillment === 'MFN' ? fulfillment : '',
  } as const;
  const postings: ReadPosting[] = [];
  for (const { text, ...names } of amounts) {
    const read = amount.read(readAmountWith(text, mark));
    if (read instanceof CellError)
      return `must have amounts with decimals after a ${mark === '.' ? 'point' : 'comma'} (one is ${shown(text)})`;
    const isPrincipal = names.component === 'ItemPrice' && names.code === 'Principal';
    postings.push({
      ...shared,
      ...names,
      amount: read,
      quantity: isPrincipal ? quantity : 0,
    });
  }
  return postings;
}

/** When a row was posted, to the second if the layout has the time. */
function postedText({ postedTime, postedDate }: SettlementCells): string {
  return postedTime || postedDate;
}

function placesOf(code: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** An amount in millionths, with this number of decimal places if given. */
function moneyText(millionths: bigint, places: number): string {
  return amountText(millionths).replace(new RegExp(`\\.?0{${6 - places}}$`), '');
}
