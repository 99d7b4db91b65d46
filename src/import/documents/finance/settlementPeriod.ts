/**
 * One settlement of a document that may contain several: how it writes dates and amounts, the
 * amounts of its rows, and their sum.
 */

import { currenciesWritten } from '../../cells/currencySigns.ts';
import { type DateOrder, instantOf, readDate, type WrittenDate } from '../../cells/dates.ts';
import { amount, CellError, count, currency, millionthsOf } from '../../cells/fields.ts';
import { type DecimalMark, readAmount } from '../../cells/money.ts';
import type { Posting } from '../../ledger/posting.ts';
import { DocumentRefused } from '../../refused.ts';
import { shown } from '../../rows.ts';
import { type CellsOf, known, needed, optional, text } from '../table.ts';
import type { ShownCell } from '../waitingRows.ts';

const secondsPerDay = 86_400;
/** The maximum length of a settlement in days, to decide between two readings of dates. */
const settlementDaysMax = 45;
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

/** The cells that both layouts have, as written. */
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
export type Style = { readonly order: DateOrder; readonly mark: DecimalMark | undefined };

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

/** A cell of a settlement that shows how it writes amounts or dates. */
export function shownIn({ cells, amounts }: SettlementRow): ShownCell[] {
  return [['dates', postedText(cells)], ...amounts.map(({ text }) => ['amount', text] as const)];
}

/**
 * The orders of day and month that give a settlement the usual length, or else put more rows within
 * its dates.
 */
export function fittingOrders(
  { start, end }: Summary,
  rows: readonly SettlementRow[],
  timezone: string,
  orders: readonly DateOrder[],
): readonly DateOrder[] {
  const dates = rows.flatMap(({ cells }) => readDate(postedText(cells), 'flatFile') ?? []);
  const possible = orders.flatMap((order) => {
    const from = instantOf(start, order, timezone, 'start');
    const to = instantOf(end, order, timezone, 'end');
    if (from === undefined || to === undefined || from > to) return [];
    const isWithin = (at: number | undefined) =>
      at !== undefined && at >= from - secondsPerDay && at <= to + secondsPerDay;
    const within = dates.filter((one) => isWithin(instantOf(one, order, timezone))).length;
    return [{ order, isUsual: to - from <= settlementDaysMax * secondsPerDay, within }];
  });
  if (possible.length === 0)
    throw new DocumentRefused(
      'settlement-start-date and settlement-end-date are not the dates of a settlement, neither with the day first nor with the month first',
    );
  const usual = possible.filter(({ isUsual }) => isUsual);
  const left = usual.length > 0 ? usual : possible;
  const most = Math.max(...left.map(({ within }) => within));
  return left.filter(({ within }) => within === most).map(({ order }) => order);
}

/** The first and last instant of a settlement. */
export function edgesOf(
  { start, end }: Summary,
  order: DateOrder,
  timezone: string,
): { readonly from: number; readonly to: number } {
  const from = instantOf(start, order, timezone, 'start');
  const to = instantOf(end, order, timezone, 'end');
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  throw new DocumentRefused('settlement-end-date lies before settlement-start-date');
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
    const currencies = currenciesWritten(text);
    if (currencies && !currencies.includes(code))
      return `has ${shown(text)}, but the settlement is in ${code}`;
    const read = amount.read(readAmount(text, mark));
    if (read instanceof CellError)
      return `must have amounts with decimals after a ${mark === ',' ? 'comma' : 'point'} (one is ${shown(text)})`;
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
  const read = amount.read(readAmount(total, mark));
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
