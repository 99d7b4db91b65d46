/**
 * One settlement of a document, which may hold several: how it writes dates and amounts, the
 * amounts of its rows, and what they add up to.
 */
import { type DateOrder, instantOf, readDate, type WrittenDate } from '../../cells/dates.ts';
import { amount, CellError, count, currency, millionthsOf } from '../../cells/fields.ts';
import { type DecimalMark, decimalMarkOf, readAmountWith } from '../../cells/money.ts';
import type { Posting } from '../../ledger/posting.ts';
import { DocumentRefused } from '../../refused.ts';
import { shown } from '../../rows.ts';
import { type CellsOf, known, needed, optional, text } from '../table.ts';

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

/** A row of a settlement. */
export type SettlementRow = {
  readonly cells: SettlementCells;
  readonly amounts: readonly Amount[];
  readonly line: number;
};
/** A posting whose amount is a plain decimal. */
export type ReadPosting = Posting & { readonly amount: string };
/** How a settlement writes dates and amounts. */
export type Style = { readonly order: DateOrder; readonly mark: DecimalMark };

/** The first row of a settlement. */
export type Summary = {
  readonly total: string;
  readonly start: WrittenDate;
  readonly end: WrittenDate;
};

/** The summary in a row. */
export function summaryOf(cells: SettlementCells): Summary {
  return {
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

/** The currency in a cell. */
export function currencyIn(text: string): string {
  const code = currency.read(text);
  if (!(code instanceof CellError)) return code;
  throw new DocumentRefused(`the currency of the first row ${code.reason}`);
}

/**
 * How a settlement writes dates and amounts; undefined if its rows leave two readings of the dates.
 */
export function styleOf(
  summary: Summary | undefined,
  rows: readonly SettlementRow[],
  timezone: string,
  currencyCode: string,
  mark: DecimalMark | undefined,
): Style | undefined {
  const dates = rows.flatMap(({ cells }) => readDate(postedText(cells), 'flatFile') ?? []);
  const order = summary ? dateOrderOf(summary, dates, timezone) : dateOrderOfRows(dates);
  if (order === undefined) return undefined;
  const texts = rows.flatMap(({ amounts }) => amounts.map(({ text }) => text));
  const all = summary ? [summary.total, ...texts] : texts;
  return { order, mark: mark ?? decimalMarkOf(all, placesOf(currencyCode)) };
}

function dateOrderOfRows(dates: readonly WrittenDate[]): DateOrder | undefined {
  const possible = dateOrders.filter((order) => dates.every((date) => date[order] !== undefined));
  const isPlain = dates.every(({ dayFirst, monthFirst }) => dayFirst === monthFirst);
  return isPlain || possible.length === 1 ? (possible[0] ?? 'dayFirst') : undefined;
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
export function postingsOf(
  { cells, amounts }: SettlementRow,
  code: string,
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

/** The total of a summary in millionths. */
export function totalOf({ total }: Summary, { mark }: Style): bigint {
  const read = amount.read(readAmountWith(total, mark));
  if (!(read instanceof CellError)) return millionthsOf(read);
  throw new DocumentRefused(`total-amount must be an amount (it is ${shown(total)})`);
}

/** When a row was posted, to the second if the layout has the time. */
function postedText({ postedTime, postedDate }: SettlementCells): string {
  return postedTime || postedDate;
}

/** The decimal places of a currency. */
export function placesOf(code: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
