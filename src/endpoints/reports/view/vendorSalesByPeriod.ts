/** Sales and advertising of one vendor channel, bucket by bucket. */

import { bucketOfDay } from '../../../calendar/period.ts';
import { daysOf, type Window, windowsOf } from '../../../calendar/windows.ts';
import { byDay, questionFile } from '../../../engine/question.ts';
import {
  addFacts,
  amountColumn,
  amountNames,
  countColumn,
  type ValuesOf,
  zeroSums,
} from '../../../figures/columns.ts';
import { comparison, type Sums } from '../../../figures/comparison.ts';
import { type Exchange, foreignCurrencies } from '../../../figures/exchange.ts';
import {
  amount,
  type ColumnOf,
  columnsOf,
  count,
  percent,
  unitPrice,
} from '../../../figures/metrics.ts';
import { summed } from '../../../figures/sql.ts';
import { amountTexts } from '../../../figures/texts.ts';
import { timesOf, writeChart } from '../../../report/chart.ts';
import { purposeOf, readConversion } from '../../../report/rates.ts';
import { readDays } from '../../../report/readDays.ts';
import {
  markSearchTerms,
  readSearchTermDays,
  searchTermWarnings,
} from '../../../report/searchTermDays.ts';
import { type Handler, WrittenAnswer } from '../../handler.ts';
import { channelRule } from '../../recordRules.ts';
import type { viewVendorSalesByPeriod as contract, VendorSalesByPeriodRow } from './contract.ts';

/** Decimal places of percents. */
const places = 1;
/** Decimal places of the click-through rate, which is often below one percent. */
const clickThroughPlaces = 2;

const glanceViews = countColumn('glance_views');
const orderedUnits = countColumn('ordered_units');
const orderedRevenue = amountColumn('ordered_revenue');
const shippedRevenue = amountColumn('shipped_revenue');
const shippedRevenueManufacturing = amountColumn('shipped_revenue_manufacturing');
const impressions = countColumn('impressions');
const clicks = countColumn('clicks');
const adSpend = amountColumn('ad_cost');
const adSales = amountColumn('ad_sales');

const metrics = {
  glanceViews: count(glanceViews),
  orderedUnits: count(orderedUnits),
  shippedUnits: count(countColumn('shipped_units')),
  shippedUnitsManufacturing: count(countColumn('shipped_units_manufacturing')),
  impressions: count(impressions),
  clicks: count(clicks),
  orderedRevenue: amount(orderedRevenue),
  conversionRate: percent(orderedUnits, glanceViews, places),
  retailPrice: unitPrice(orderedRevenue, orderedUnits),
  shippedRevenue: amount(shippedRevenue),
  shippedRevenueManufacturing: amount(shippedRevenueManufacturing),
  shippedCogs: amount(amountColumn('shipped_cogs')),
  shippedCogsManufacturing: amount(amountColumn('shipped_cogs_manufacturing')),
  adSales: amount(adSales),
  adSpend: amount(adSpend),
  acos: percent(adSpend, adSales, places),
  tacosOrderedRevenue: percent(adSpend, orderedRevenue, places),
  tacosShippedRevenue: percent(adSpend, shippedRevenue, places),
  tacosManufacturing: percent(adSpend, shippedRevenueManufacturing, places),
  clickThroughRate: percent(clicks, impressions, clickThroughPlaces),
};
const write = comparison<VendorSalesByPeriodRow>(metrics);
const columns = columnsOf(metrics);
const zeros = zeroSums(columns);

type Values = ValuesOf<ColumnOf<typeof metrics>>;
type VendorFacts = Readonly<Values> & { readonly day: number; readonly currency: string };

const vendorDays = byDay(questionFile<VendorFacts>(import.meta.url, 'vendorSalesByPeriod.sql'));
const asinDays = questionFile<VendorFacts>(import.meta.url, 'vendorSalesByPeriodAsins.sql', {
  sums: summed(columns),
});

/** The rule of the operation that needs records. */
export const vendorSalesByPeriodRules = [
  channelRule(({ kind }) =>
    kind === 'seller'
      ? 'channelId must be a vendor channel: ask /reports/view/salesByPeriod about this one'
      : undefined,
  ),
];

/** Answers POST /reports/view/vendorSalesByPeriod. */
export const viewVendorSalesByPeriod: Handler<typeof contract> = async (
  input,
  { channel, warehouse, limits, warn },
) => {
  const { channelNumber, currency } = channel;
  const asins = [...new Set(input.asins ?? [])];
  const windows = windowsOf(input.reportOptions);
  const facts = await readDays(warehouse, channelNumber, limits, windows, (ask, { first, last }) =>
    asins.length > 0
      ? ask(asinDays, { channel: channelNumber, first, last, asins })
      : ask(vendorDays, { channel: channelNumber, first, last }),
  );
  const searchTermDays =
    asins.length > 0
      ? []
      : await readDays(warehouse, channelNumber, limits, windows, (ask, days) =>
          readSearchTermDays(ask, [channelNumber], days),
        );
  const { exchange } = await readConversion(
    { warehouse, limits },
    {
      target: currency,
      currencies: foreignCurrencies(currency, facts.flat(), amountNames(columns)),
      days: daysOf(facts.flat()),
      purpose: purposeOf(channel),
    },
  );
  const [current, prior] = windows.map((window, index) => {
    const sums = sumsOf(window, facts[index]!, exchange);
    markSearchTerms(window, sums, searchTermDays[index] ?? []);
    return sums;
  });
  warn(searchTermWarnings(channel.displayName, [current, prior]));
  const texts = amountTexts(currency, exchange.places);
  const { timezone } = input.reportOptions;
  return new WrittenAnswer(
    await writeChart(currency, windows[0]!.buckets, (bucket, index) =>
      write(timesOf(timezone, bucket, currency), current![index], prior?.[index], texts),
    ),
  );
};

/** The sums of a window, bucket by bucket; undefined in buckets without facts. */
function sumsOf(
  { buckets }: Window,
  facts: readonly VendorFacts[],
  exchange: Exchange,
): (Sums<Values> | undefined)[] {
  const sums: (Sums<Values> | undefined)[] = buckets.map(() => undefined);
  for (const row of facts) {
    const index = bucketOfDay(buckets, row.day);
    if (index < 0) continue;
    sums[index] ??= { known: true, values: { ...zeros } };
    addFacts(sums[index].values, row, columns, exchange);
  }
  return sums;
}
