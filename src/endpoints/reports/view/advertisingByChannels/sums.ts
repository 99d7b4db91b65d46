/** Adds up the sums of each channel in one currency. */

import { daysOf } from '../../../../calendar/windows.ts';
import { addFacts, amountNames, type ValuesOf, zeroSums } from '../../../../figures/columns.ts';
import type { Sums } from '../../../../figures/comparison.ts';
import type { Conversion } from '../../../../figures/conversion.ts';
import { foreignCurrencies, hasAmount } from '../../../../figures/exchange.ts';
import type { Metric } from '../../../../figures/metrics.ts';
import { unknownOfSearchTerms } from '../../../../report/searchTermDays.ts';
import { eachInSlices } from '../../../../report/slices.ts';
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
import { type Facts, type Input, matching, type OfChannel, salesOf } from './facts.ts';

/**
 * The sums of a channel in one window, known if it has any advertising figure. The columns in
 * `unconverted` exclude amounts in currencies without a rate.
 */
export type AdvertisingSums = Sums<ValuesOf<Column>> & {
  readonly unconverted: Map<Column['name'], string>;
};

/** Reads the conversion of all amounts into the currency of the answer. */
export async function conversionOf(
  input: Input,
  context: Context,
  facts: Facts[],
): Promise<Conversion> {
  const { currentCurrency: target } = input;
  const foreign = new Set<string>();
  const others = facts.map((one) => matching(one, ({ currency }) => currency !== target));
  for (const one of others) {
    const { advertising } = one;
    for (const currency of foreignCurrencies(target, salesOf(one, input), ['total_sales']))
      foreign.add(currency);
    for (const currency of foreignCurrencies(target, advertising, amountNames(campaignColumns)))
      foreign.add(currency);
  }
  const days = daysOf(others.flatMap((one) => [one.advertising, one.sold, one.vendorSold]).flat());
  return await readViewConversion(input, { currencies: foreign, days }, context);
}

/** The sums of columns in a window by channel. */
export async function sumsOf(
  facts: Facts,
  input: Input,
  added: readonly Column[],
  conversion: Conversion,
): Promise<Map<number, AdvertisingSums>> {
  const advertised = campaignColumns.filter((column) => added.includes(column));
  const sales = added.includes(totalSales) ? salesOf(facts, input) : [];
  const sums = new Map<number, AdvertisingSums>();
  const ofChannel = (channel: number) => {
    const found = sums.get(channel) ?? noAdvertisingSums();
    sums.set(channel, found);
    return found;
  };
  await eachInSlices(facts.advertising, (row) => {
    const channelSums = ofChannel(row.channel);
    channelSums.known = true;
    addConverted(channelSums, row, advertised, conversion);
  });
  for (const { channel } of facts.searchTermDays) {
    const found = sums.get(channel);
    if (found) found.unknown = unknownOfSearchTerms;
  }
  await eachInSlices(sales, (row) =>
    addConverted(ofChannel(row.channel), row, [totalSales], conversion),
  );
  for (const found of sums.values())
    if (found.unconverted.size > 0)
      found.unknown = new Set([...(found.unknown ?? []), ...metricsOf(found.unconverted)]);
  return sums;
}

/** The names of the metrics made of some columns. */
function metricsOf(some: ReadonlyMap<string, unknown>): string[] {
  return Object.entries<Metric>({ ...comparedMetrics, ...otherMetrics })
    .filter(([, { part, whole }]) => some.has(part.name) || (whole && some.has(whole.name)))
    .map(([name]) => name);
}

/** Adds a row of facts; an amount in a currency without a rate makes its column unconverted. */
function addConverted<C extends Column>(
  { values, unconverted }: AdvertisingSums,
  row: ValuesOf<C> & OfChannel,
  added: readonly C[],
  { exchange, missing }: Conversion,
): void {
  const sums = values as unknown as ValuesOf<C>;
  if (!missing.has(row.currency)) {
    addFacts(sums, row, added, exchange);
    return;
  }
  const unpriced = added.filter(({ type }) => type === 'amount');
  const counted = added.filter((column) => !unpriced.includes(column));
  addFacts(sums, row, counted, exchange);
  for (const { name } of unpriced)
    if (hasAmount<string>(row as never, name)) unconverted.set(name, row.currency);
}

const zeros = zeroSums(columns);

/** The sums of a channel without facts. */
export function noAdvertisingSums(): AdvertisingSums {
  return { known: false, values: { ...zeros }, unconverted: new Map() };
}
