/** What searches led to, product by product, in two windows of whole months. */

import type { Channel } from '../../access/channels.ts';
import { isoDate, localDay, monthOfDay } from '../../calendar/period.ts';
import { Refusal } from '../../contract/refusal.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask, DateRange, Parameters } from '../../engine/warehouse.ts';
import { currencyPlaces, quotientText } from '../../report/money.ts';
import { askPage, type Matching, type SortColumn, sortedQuestionFile } from '../../report/page.ts';
import {
  type Exchange,
  exchangeBy,
  type Factor,
  noExchange,
  readMonthFactors,
} from '../../report/rates.ts';
import type { Handler } from '../handler.ts';
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

const primaryMarketplace = 'primarymkt';
/** Decimal places of percents. */
const percentPlaces = 2;

const searchMonths = questionFile<SearchMonth>(import.meta.url, 'searchMonths.sql');
const searchCurrencies = questionFile<CurrencyMonth>(import.meta.url, 'searchCurrencies.sql');

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

function convertedSort(amount: string): SortColumn {
  const factor =
    'CASE WHEN currency = {currency:String} THEN 1 ELSE ' +
    '{factors:Array(Float64)}[(index_of({currencies:Array(String)}, currency) - 1) * {monthCount:Int32} + index_of({months:Array(Date)}, day)] END';
  return amountSort(
    `sum(CASE WHEN is_current = 1 THEN CAST(${amount} AS DOUBLE) * ${factor} ELSE 0 END)`,
  );
}

type SortName = 'asin' | SortableFigure | 'currentRevenue converted' | 'opportunity converted';

/** What rows are sorted by: the numbers that are shown. */
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
  'searchPage.sql',
  sorts,
  ['asin'],
);

/** Answers GET /search-query-performance/asins. */
export const listSearchQueryPerformance: Handler<typeof contract> = async (asked, context) => {
  const { timezone, currency, sortKey, sortOrder, pageIndex, pageSize } = asked;
  const { channel, warehouse, limits } = context;
  const asins = [...new Set(asked.asins)];
  const most = context.caller.entitlements.searchQueryProductMax;
  refuse(channel, asins, most);
  const current = monthsOf(timezone, asked.fromDate, asked.toDate);
  const prior = monthsOf(timezone, asked.priorFromDate, asked.priorToDate);
  const within = {
    channel: channel.channelNumber,
    ...current,
    priorFirst: prior.first,
    priorLast: prior.last,
  };

  return await warehouse.read([channel.channelNumber, 0], limits, async (ask) => {
    const chosen = { ...within, everyAsin: asins.length === 0 ? 1 : 0, asins, most };
    let column: SortName = sortKey;
    let sorting: Parameters = {};
    let factor: Factor | undefined;
    const isByAmount = sortKey === 'currentRevenue' || sortKey === 'opportunity';
    if (isByAmount) {
      const occurring = await ask(searchCurrencies, within);
      factor = await readFactor(ask, occurring, within, channel, currency);
      if (factor !== undefined) column = `${sortKey} converted`;
      sorting = sortingOf(occurring, factor, currency);
    }
    const { rows, count } = await askPage(
      ask,
      sorted(column, sortOrder),
      { ...chosen, ...sorting },
      asked,
    );
    const shown = rows.map((row) => row.asin);
    const figures = shown.length === 0 ? [] : await ask(searchMonths, { ...within, asins: shown });
    if (!isByAmount) {
      const occurring = figures.filter(
        (figure) => figure.revenue !== 0n || figure.total_revenue !== 0n,
      );
      factor = await readFactor(ask, occurring, within, channel, currency);
    }
    const exchange = factor === undefined ? noExchange : exchangeBy(currency, factor);
    const told = (window: DateRange) => {
      const sums = addUp(figures, window, exchange);
      return (asin: string) => metricsOf(sums.get(asin) ?? nothing(), currency, exchange.places);
    };
    const [ofCurrent, ofPrior] = [told(current), told(prior)];
    return {
      data: shown.map((asin) => ({ asin, current: ofCurrent(asin), prior: ofPrior(asin) })),
      pagination: { pageIndex, pageSize, count },
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

function refuse({ marketplace }: Channel, asins: readonly string[], most: number): void {
  const failing: string[] = [];
  if (marketplace.toLowerCase() !== primaryMarketplace)
    failing.push('channelId must be a channel of the primary marketplace');
  if (asins.length > most) {
    failing.push(
      `asins must have at most ${most} different entries, which is what your organisation is entitled to`,
    );
  }
  if (failing.length > 0) throw new Refusal(400, failing.join(', '));
}

/** From the first day of the month of one instant to the last day of the month of another. */
function monthsOf(zone: string, from: number, to: number): DateRange {
  return {
    first: monthOfDay(localDay(zone, from)).firstDay,
    last: monthOfDay(localDay(zone, to)).lastDay,
  };
}

/** The factor of each month to the target, undefined where nothing needs one; refuses a currency that nobody has a rate of. */
async function readFactor(
  ask: Ask,
  occurring: readonly CurrencyMonth[],
  { first }: DateRange,
  channel: Channel,
  target: string,
): Promise<Factor | undefined> {
  const foreign = occurring.filter(({ currency }) => currency !== target);
  // Whether a currency is taken must not depend on there being amounts to convert.
  if (foreign.length === 0 && (occurring.length > 0 || target === channel.currency))
    return undefined;
  const currencies = new Set(foreign.map(({ currency }) => currency));
  const days = foreign.length > 0 ? foreign.map(({ day }) => day) : [first];
  return await readMonthFactors(ask, currencies, target, {
    first: Math.min(...days),
    last: Math.max(...days),
  });
}

/** What a page is asked with to be sorted by an amount. */
function sortingOf(
  occurring: readonly CurrencyMonth[],
  factor: Factor | undefined,
  target: string,
): Parameters {
  const amountScale = 10 ** currencyPlaces(target);
  if (factor === undefined) return { amountScale };
  const currencies = [...new Set(occurring.map(({ currency }) => currency))];
  const months = [...new Set(occurring.map(({ day }) => day))];
  const factors = currencies.flatMap((currency) => months.map((day) => factor(currency, day)));
  return { amountScale, currency: target, currencies, months, monthCount: months.length, factors };
}

/** Adds the months of a window up, by products; amounts in fractions of the target currency. */
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
