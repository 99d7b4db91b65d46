/** Search Query Performance by product, in two periods of whole months. */

import { type Channel, primaryMarketplace } from '../../access/channels.ts';
import { isoDate, localDay, monthOfDay } from '../../calendar/period.ts';
import type { InputOf } from '../../contract/endpoint.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask, DateRange, Parameters } from '../../engine/warehouse.ts';
import { currencyPlaces, quotientText } from '../../report/money.ts';
import { askPage, type Matching, type SortColumn, sortedQuestionFile } from '../../report/page.ts';
import {
  conversionParameters,
  type Exchange,
  exchangeBy,
  type Factor,
  noConversion,
  noExchange,
  purposeOf,
  readMonthFactors,
} from '../../report/rates.ts';
import type { Handler, RecordRules } from '../handler.ts';
import { channelRule, currencyRule } from '../recordRules.ts';
import type {
  listSearchQueryPerformance as contract,
  SortableFigure,
  SqpMetrics,
} from './contract.ts';

const countNames = [
  'search_query_volume',
  'total_impressions',
  'impressions',
  'total_clicks',
  'clicks',
  'total_cart_adds',
  'cart_adds',
  'total_purchases',
  'purchases',
] as const;
type Count = (typeof countNames)[number];
/** Counts, and amounts as bigints. */
type Sums = Record<Count, number> & Record<'revenue' | 'total_revenue', bigint>;
type SearchMonth = Readonly<Sums> & {
  readonly asin: string;
  readonly day: number;
  readonly currency: string;
};
type CurrencyMonth = { readonly currency: string; readonly day: number };

/** Decimal places of percents. */
const percentPlaces = 2;

const searchMonths = questionFile<SearchMonth>(import.meta.url, 'months.sql');
const searchCurrencies = questionFile<CurrencyMonth>(import.meta.url, 'currencies.sql');

const sumOf = (count: Count) => `sum(is_current * ${count})`;
const countSort = (count: Count): SortColumn => ({
  kind: 'number',
  key: sumOf(count),
  sql: 'sorted_by',
});

function percentSort(part: Count, whole: Count): SortColumn {
  const quotient = `CAST(${sumOf(part)} AS DOUBLE) / CAST(${sumOf(whole)} AS DOUBLE) * 100`;
  const key = `CASE WHEN ${sumOf(whole)} > 0 THEN ${quotient} ELSE 0 END`;
  return { kind: 'number', key, sql: `round_half_up(sorted_by, ${10 ** percentPlaces})` };
}

const amountSort = (key: string): SortColumn => ({
  kind: 'number',
  key,
  sql: 'round_half_up(greatest(sorted_by, 0), {amountScale:Float64})',
});
const nativeSort = (amount: string) =>
  amountSort(`CAST(sum(CASE WHEN is_current = 1 THEN ${amount} ELSE amount(0) END) AS DOUBLE)`);

const convertedSort = (amount: string) =>
  amountSort(
    `sum(CASE WHEN is_current = 1 THEN CAST(unconverted(${amount}, currency) AS DOUBLE)
      + converted(${amount}, currency, day) ELSE 0 END)`,
  );

type SortName = 'asin' | SortableFigure | 'currentRevenue converted' | 'opportunity converted';

/** The columns that rows are sorted by, as they are shown. */
const sorts: Readonly<Record<SortName, SortColumn>> = {
  asin: { kind: 'plain', key: 'asin', sql: 'sorted_by' },
  searchQueryVolume: countSort('search_query_volume'),
  totalImpressions: countSort('total_impressions'),
  impressions: countSort('impressions'),
  impressionShare: percentSort('impressions', 'total_impressions'),
  totalClicks: countSort('total_clicks'),
  clicks: countSort('clicks'),
  clickShare: percentSort('clicks', 'total_clicks'),
  totalCtr: percentSort('total_clicks', 'total_impressions'),
  ctr: percentSort('clicks', 'impressions'),
  totalCartAdds: countSort('total_cart_adds'),
  cartAdds: countSort('cart_adds'),
  atcRate: percentSort('cart_adds', 'clicks'),
  totalPurchases: countSort('total_purchases'),
  purchases: countSort('purchases'),
  purchaseShare: percentSort('purchases', 'total_purchases'),
  totalCvr: percentSort('total_purchases', 'total_clicks'),
  cvr: percentSort('purchases', 'clicks'),
  currentRevenue: nativeSort('revenue'),
  'currentRevenue converted': convertedSort('revenue'),
  opportunity: nativeSort('(total_revenue - revenue)'),
  'opportunity converted': convertedSort('(total_revenue - revenue)'),
};
const sorted = sortedQuestionFile<Matching & { readonly asin: string }>(
  import.meta.url,
  'asins.sql',
  sorts,
  ['asin'],
);

/** The rules of the operation that need records. */
export const searchQueryPerformanceRules: RecordRules<typeof contract> = [
  channelRule(({ marketplace }) =>
    marketplace.toLowerCase() === primaryMarketplace
      ? undefined
      : 'channelId must be a channel of the primary marketplace',
  ),
  {
    at: 'asins',
    reads: ['asins[]'],
    check({ asins }, { caller }) {
      const { searchQueryProductMax: max } = caller.entitlements;
      return new Set(asins).size > max
        ? `asins must have at most ${max} different entries: the limit of your organisation`
        : undefined;
    },
  },
  currencyRule('currency'),
];

/** Answers GET /search-query-performance/asins. */
export const listSearchQueryPerformance: Handler<typeof contract> = async (input, context) => {
  const { timezone, currency, pageIndex, pageSize } = input;
  const { channel, warehouse, limits } = context;
  const asins = [...new Set(input.asins)];
  const most = context.caller.entitlements.searchQueryProductMax;
  const current = monthsOf(timezone, input.fromDate, input.toDate);
  const prior = monthsOf(timezone, input.priorFromDate, input.priorToDate);
  const periods = {
    channel: channel.channelNumber,
    ...current,
    priorFirst: prior.first,
    priorLast: prior.last,
  };

  return await warehouse.readCached([channel.channelNumber, 0], limits, async (ask) => {
    const sorting = await readSorting(ask, input, periods, channel);
    const parameters = { ...periods, asins, most, ...sorting.parameters };
    const page = await askPage(ask, sorted(sorting.column, input.sortOrder), parameters, input);
    const shown = page.rows.map((row) => row.asin);
    const figures = shown.length === 0 ? [] : await ask(searchMonths, { ...periods, asins: shown });
    const exchange = sorting.exchange ?? (await readExchange(ask, figures, channel, currency));
    const metricsIn = (period: DateRange) => {
      const sums = addUp(figures, period, exchange);
      return (asin: string) => metricsOf(sums.get(asin) ?? nothing(), currency, exchange.places);
    };
    const [ofCurrent, ofPrior] = [metricsIn(current), metricsIn(prior)];
    return {
      data: shown.map((asin) => ({ asin, current: ofCurrent(asin), prior: ofPrior(asin) })),
      pagination: { pageIndex, pageSize, count: page.count },
      meta: {
        currency,
        dateRange: {
          fromDate: isoDate(current.first),
          toDate: isoDate(current.last),
          priorFromDate: isoDate(prior.first),
          priorToDate: isoDate(prior.last),
        },
      },
    };
  });
};

/** How a page is sorted; by an amount also how amounts are converted. */
async function readSorting(
  ask: Ask,
  { sortKey, currency }: InputOf<typeof contract>,
  periods: Parameters,
  channel: Channel,
): Promise<{ column: SortName; parameters: Parameters; exchange?: Exchange }> {
  if (sortKey !== 'currentRevenue' && sortKey !== 'opportunity')
    return { column: sortKey, parameters: {} };
  const amountScale = 10 ** currencyPlaces(currency);
  const occurring = await ask(searchCurrencies, periods);
  const factor = await readFactor(ask, occurring, channel, currency);
  if (factor === undefined) {
    const parameters = { amountScale, ...noConversion(currency) };
    return { column: sortKey, parameters, exchange: noExchange };
  }
  const currencies = new Set(occurring.map((month) => month.currency));
  const months = occurring.map(({ day }) => day);
  const days = { first: Math.min(...months), last: Math.max(...months) };
  const conversion = conversionParameters(currency, currencies, days, factor);
  return {
    column: `${sortKey} converted`,
    parameters: { amountScale, ...conversion },
    exchange: exchangeBy(currency, factor),
  };
}

/** How the amounts of a page are converted. */
async function readExchange(
  ask: Ask,
  figures: readonly SearchMonth[],
  channel: Channel,
  currency: string,
): Promise<Exchange> {
  const occurring = figures.filter(
    ({ revenue, total_revenue }) => revenue !== 0n || total_revenue !== 0n,
  );
  const factor = await readFactor(ask, occurring, channel, currency);
  return factor === undefined ? noExchange : exchangeBy(currency, factor);
}

/** From the first day of the month of one instant to the last day of the month of another. */
function monthsOf(zone: string, from: number, to: number): DateRange {
  return {
    first: monthOfDay(localDay(zone, from)).firstDay,
    last: monthOfDay(localDay(zone, to)).lastDay,
  };
}

/** The factor of each month to the target; undefined where no amount needs one. */
async function readFactor(
  ask: Ask,
  occurring: readonly CurrencyMonth[],
  channel: Channel,
  target: string,
): Promise<Factor | undefined> {
  const foreign = occurring.filter(({ currency }) => currency !== target);
  if (foreign.length === 0) return undefined;
  const currencies = new Set(foreign.map(({ currency }) => currency));
  const days = foreign.map(({ day }) => day);
  const range = { first: Math.min(...days), last: Math.max(...days) };
  return await readMonthFactors(ask, currencies, target, range, purposeOf(channel, 'currency'));
}

/** Adds up the months of a period by product, amounts in fractions of the target currency. */
function addUp(
  figures: readonly SearchMonth[],
  { first, last }: DateRange,
  exchange: Exchange,
): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const figure of figures) {
    const { asin, day, currency } = figure;
    if (day < first || day > last) continue;
    let sum = sums.get(asin);
    if (sum === undefined) {
      sum = nothing();
      sums.set(asin, sum);
    }
    for (const name of countNames) sum[name] += figure[name];
    sum.revenue += exchange.of(figure.revenue, currency, day);
    sum.total_revenue += exchange.of(figure.total_revenue, currency, day);
  }
  return sums;
}

function nothing(): Sums {
  return {
    search_query_volume: 0,
    total_impressions: 0,
    impressions: 0,
    total_clicks: 0,
    clicks: 0,
    total_cart_adds: 0,
    cart_adds: 0,
    total_purchases: 0,
    purchases: 0,
    revenue: 0n,
    total_revenue: 0n,
  };
}

function metricsOf(sums: Sums, currencyCode: string, places: number): SqpMetrics {
  const unit = 10n ** BigInt(places);
  const minor = currencyPlaces(currencyCode);
  const amount = (value: bigint) => Number(quotientText(value, unit, minor));
  const percent = (part: number, whole: number) =>
    whole > 0 ? Number(quotientText(part, whole, percentPlaces, 100)) : 0;
  const { impressions, clicks, purchases, revenue } = sums;
  const missed = sums.total_revenue - revenue;
  return {
    searchQueryVolume: sums.search_query_volume,
    totalImpressions: sums.total_impressions,
    impressions,
    impressionShare: percent(impressions, sums.total_impressions),
    totalClicks: sums.total_clicks,
    clicks,
    clickShare: percent(clicks, sums.total_clicks),
    totalCtr: percent(sums.total_clicks, sums.total_impressions),
    ctr: percent(clicks, impressions),
    totalCartAdds: sums.total_cart_adds,
    cartAdds: sums.cart_adds,
    atcRate: percent(sums.cart_adds, clicks),
    totalPurchases: sums.total_purchases,
    purchases,
    purchaseShare: percent(purchases, sums.total_purchases),
    totalCvr: percent(sums.total_purchases, sums.total_clicks),
    cvr: percent(purchases, clicks),
    currentRevenue: amount(revenue),
    totalOpportunity: amount(sums.total_revenue),
    opportunity: amount(missed > 0n ? missed : 0n),
    currencyCode,
  };
}
