/** The sums of each channel in one currency. */

import { enclosing } from '../../../../calendar/windows.ts';
import type { DayTable } from '../../../../engine/segments/dayTable.ts';
import type { DateRange } from '../../../../engine/warehouse.ts';
import { addRow, addRows, cellColumns, plus } from '../../../../figures/cells.ts';
import { amountNames } from '../../../../figures/columns.ts';
import type { Sums } from '../../../../figures/comparison.ts';
import type { Conversion } from '../../../../figures/conversion.ts';
import type { Metric } from '../../../../figures/metrics.ts';
import {
  type ForeignAmounts,
  foreignAmounts,
  joinedAmounts,
} from '../../../../report/foreignAmounts.ts';
import { extentOf } from '../../../../report/sales.ts';
import { unknownOfSearchTerms } from '../../../../report/searchTermDays.ts';
import { eachInSlices } from '../../../../report/slices.ts';
import { soldDays } from '../../../../report/soldDays.ts';
import type { Context } from '../../../handler.ts';
import { readViewConversion } from '../conversion.ts';
import {
  type Column,
  campaignColumns,
  columns,
  comparedMetrics,
  otherMetrics,
  totalSales,
} from './columns.ts';
import { eachSale, type Facts, type Input } from './facts.ts';

/**
 * The sums of a channel in one window, known where it has any advertising figure. The columns in
 * `unconverted` lack amounts in currencies without a rate.
 */
export type ChannelSums = Sums & { readonly unconverted: Map<Column['name'], string> };

/** The conversion of all amounts into the currency of the answer. */
export async function conversionOf(
  input: Input,
  context: Context,
  facts: Facts[],
): Promise<Conversion> {
  const { currentCurrency: target } = input;
  const amounts = amountNames(campaignColumns);
  const isForeign = (table: DayTable) => !table.isIn(target);
  const foreign: ForeignAmounts[] = [];
  for (const one of facts) {
    const { advertising, sold, vendors, window } = one;
    foreign.push(foreignAmounts(target, advertising, window, amounts));
    const currencies = new Set<string>();
    await eachSale(
      one,
      input,
      ({ currency, amount }) => {
        if (currency !== target && amount !== 0) currencies.add(currency);
      },
      isForeign,
    );
    foreign.push({ currencies, days: enclosing([soldDays(sold), extentOf(vendors, window)]) });
  }
  return await readViewConversion(input, joinedAmounts(foreign), context);
}

/** The sums of columns in a window by channel. */
export async function sumsOf(
  facts: Facts,
  input: Input,
  added: readonly Column[],
  conversion: Conversion,
): Promise<Map<number, ChannelSums>> {
  const advertised = campaignColumns.filter((column) => added.includes(column));
  const { exchange, missing } = conversion;
  const sums = new Map<number, ChannelSums>();
  const ofChannel = (channel: number) => {
    const found = sums.get(channel) ?? emptySums();
    sums.set(channel, found);
    return found;
  };
  const { currentCurrency: target } = input;
  await eachInSlices(facts.advertising, (table) =>
    addAdvertising(ofChannel, table, facts.window, advertised, target, conversion),
  );
  for (const { channel } of facts.searchTermDays) {
    const found = sums.get(channel);
    if (found) found.unknown = unknownOfSearchTerms;
  }
  if (added.includes(totalSales))
    await eachSale(facts, input, ({ channel, day, currency, amount }) => {
      const { cells, unconverted } = ofChannel(channel);
      if (!missing.has(currency))
        cells[totalCell] = plus(cells[totalCell]!, exchange.whole(amount, currency, day));
      else if (amount !== 0) unconverted.set('total_sales', currency);
    });
  for (const found of sums.values())
    if (found.unconverted.size > 0)
      found.unknown = new Set([...(found.unknown ?? []), ...madeOf(found.unconverted)]);
  return sums;
}

/**
 * Adds the rows of a window, and returns how many were added by themselves. Amounts in a currency
 * without a rate make columns unconverted.
 */
function addAdvertising(
  ofChannel: (channel: number) => ChannelSums,
  table: DayTable,
  window: DateRange,
  advertised: readonly Column[],
  target: string,
  { exchange, missing }: Conversion,
): number {
  const [start, end] = table.rowsOf(window);
  if (start === end) return 0;
  const sums = ofChannel(table.channel);
  sums.known = true;
  const added = cellColumns(table, advertised, columns);
  if (table.isIn(target)) {
    addRows(sums.cells, added, [start, end], target, table.days[start]!, exchange);
    return 1;
  }
  const counted = added.filter(({ isAmount }) => !isAmount);
  const currencies = table.texts('currency');
  for (let row = start; row < end; row++) {
    const currency = currencies.at(row);
    const isMissing = missing.has(currency);
    addRow(sums.cells, isMissing ? counted : added, row, currency, table.days[row]!, exchange);
    if (isMissing)
      for (const { cell, isAmount, numbers } of added)
        if (isAmount && numbers.at(row) !== 0) sums.unconverted.set(columns[cell]!.name, currency);
  }
  return end - start;
}

/** The names of the metrics that are made of columns. */
function madeOf(some: ReadonlyMap<string, unknown>): string[] {
  return Object.entries<Metric>({ ...comparedMetrics, ...otherMetrics })
    .filter(([, { part, whole }]) => some.has(part.name) || (whole && some.has(whole.name)))
    .map(([name]) => name);
}

const totalCell = columns.indexOf(totalSales);

/** The sums of no facts. */
export function emptySums(): ChannelSums {
  return { known: false, cells: columns.map(() => 0), unconverted: new Map() };
}
