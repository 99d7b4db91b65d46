/** What searches led to, product by product, in two windows of whole months. */
import { isoDate, localDay, monthOfDay } from '../../calendar/period.ts';
import { Refusal } from '../../contract/refusal.ts';
import { questionFile } from '../../engine/question.ts';
import type { Ask, Asked, Days } from '../../engine/warehouse.ts';
import { currencyPlaces, quotientText } from '../../report/money.ts';
import { type SortColumn, sortedQuestionFile } from '../../report/page.ts';
import { type Exchange, exchangeBy, type Factor, noExchange, readMonthFactors } from '../../report/rates.ts';
import type { Channel } from '../../report/scope.ts';
import type { Handler } from '../handler.ts';
import type { listSearchQueryPerformance as contract, SortableFigure, SqpMetrics } from './contract.ts';

type Count =
  | 'search_query_volume'
  | 'total_impressions'
  | 'impressions'
  | 'total_clicks'
  | 'clicks'
  | 'total_cart_adds'
  | 'cart_adds'
  | 'total_purchases'
  | 'purchases';
/** Counts, and amounts as bigints. */
type Sums = Record<Count, number> & Record<'revenue' | 'total_revenue', bigint>;
type SearchMonth = Readonly<Sums> & { readonly asin: string; readonly day: number; readonly currency: string };
type CurrencyMonth = { readonly currency: string; readonly day: number };

const primaryMarketplace = 'primarymkt';
const deadlineMilliseconds = 20_000;
/** Decimal places of percents. */
const percentPlaces = 2;

const searchMonths = questionFile<SearchMonth>(import.meta.url, 'searchMonths.sql');
const searchCurrencies = questionFile<CurrencyMonth>(import.meta.url, 'searchCurrencies.sql');
const searchPage = sortedQuestionFile<{ asin: string; matching: number }>(
  import.meta.url,
  'searchPage.sql',
  { asin: { kind: 'text', sql: 'asin' }, ...sorts() },
  ['asin'],
);

/** What each figure is sorted by: the number that is shown. */
function sorts(): Record<SortableFigure, SortColumn> {
  const number = (sql: string): SortColumn => ({ kind: 'number', sql });
  const percent = (part: Count, whole: Count) =>
    number(
      `to_places(CASE WHEN ${whole} > 0 THEN CAST(${part} AS DOUBLE) / CAST(${whole} AS DOUBLE) * 100 ELSE 0 END, ${10 ** percentPlaces})`,
    );
  const amount = (exact: string, converted: string) => number(`to_places(CAST(${exact} AS DOUBLE) + ${converted}, {amountScale:Float64})`);
  const opportunity = amount('(total_revenue - revenue)', 'total_revenue_converted - revenue_converted');
  return {
    searchQueryVolume: number('search_query_volume'),
    totalImpressions: number('total_impressions'),
    impressions: number('impressions'),
    impressionShare: percent('impressions', 'total_impressions'),
    totalClicks: number('total_clicks'),
    clicks: number('clicks'),
    clickShare: percent('clicks', 'total_clicks'),
    totalCtr: percent('total_clicks', 'total_impressions'),
    ctr: percent('clicks', 'impressions'),
    totalCartAdds: number('total_cart_adds'),
    cartAdds: number('cart_adds'),
    atcRate: percent('cart_adds', 'clicks'),
    totalPurchases: number('total_purchases'),
    purchases: number('purchases'),
    purchaseShare: percent('purchases', 'total_purchases'),
    totalCvr: percent('total_purchases', 'total_clicks'),
    cvr: percent('purchases', 'clicks'),
    currentRevenue: amount('revenue', 'revenue_converted'),
    opportunity: number(`CASE WHEN ${opportunity.sql} > 0 THEN ${opportunity.sql} ELSE 0 END`),
  };
}

/** Answers GET /search-query-performance/asins. */
export const listSearchQueryPerformance: Handler<typeof contract> = async (asked, context) => {
  const { timezone, currency, sortKey, sortOrder, pageIndex, pageSize } = asked;
  const { channel, warehouse, signal } = context;
  const asins = [...new Set(asked.asins)];
  const most = context.caller.entitlements.searchQueryProductMax;
  refuse(channel, asins, most);
  const current = monthsOf(timezone, asked.fromDate, asked.toDate);
  const prior = monthsOf(timezone, asked.priorFromDate, asked.priorToDate);
  const within = { channel: channel.channelNumber, ...current, priorFirst: prior.first, priorLast: prior.last };

  return await warehouse.read([channel.channelNumber, 0], { deadlineMilliseconds, signal }, async (ask) => {
    const { exchange, sorting } = await readExchange(ask, within, channel, currency);
    const chosen = { ...within, ...sorting, everyAsin: asins.length === 0 ? 1 : 0, asins, most };
    const page = (limit: number, offset: number) => ask(searchPage(sortKey, sortOrder), { ...chosen, limit, offset });
    const rows = await page(pageSize, pageIndex * pageSize);
    // Past the end there is no row to say how many there are.
    const counted = rows.length === 0 && pageIndex > 0 ? await page(1, 0) : rows;
    const shown = rows.map((row) => row.asin);
    const months = shown.length === 0 ? [] : await ask(searchMonths, { ...within, asins: shown });
    const told = (window: Days) => {
      const sums = addUp(months, window, exchange);
      return (asin: string) => metricsOf(sums.get(asin) ?? nothing(), currency, exchange.places);
    };
    const [ofCurrent, ofPrior] = [told(current), told(prior)];
    return {
      data: shown.map((asin) => ({ asin, current: ofCurrent(asin), prior: ofPrior(asin) })),
      pagination: { pageIndex, pageSize, count: counted[0]?.matching ?? 0 },
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
  if (marketplace.toLowerCase() !== primaryMarketplace) failing.push('channelId must be a channel of the primary marketplace');
  if (asins.length > most) {
    failing.push(`asins must have at most ${most} different entries, which is what your organisation is entitled to`);
  }
  if (failing.length > 0) throw new Refusal(400, failing.join(', '));
}

/** From the first day of the month of one instant to the last day of the month of another. */
function monthsOf(zone: string, from: number, to: number): Days {
  return { first: monthOfDay(localDay(zone, from)).firstDay, last: monthOfDay(localDay(zone, to)).lastDay };
}

/** How amounts come to the currency asked for, and what the page is sorted with; refuses a currency that nobody has a rate of. */
async function readExchange(
  ask: Ask,
  within: Asked,
  channel: Channel,
  target: string,
): Promise<{ readonly exchange: Exchange; readonly sorting: Asked }> {
  const occurring = await ask(searchCurrencies, within);
  const foreign = occurring.filter(({ currency }) => currency !== target);
  const currencies = [...new Set(foreign.map(({ currency }) => currency))];
  const months = [...new Set(foreign.map(({ day }) => day))];
  let factor: Factor | undefined;
  // Whether a currency is taken must not depend on there being amounts to convert.
  if (foreign.length > 0 || (occurring.length === 0 && target !== channel.currency)) {
    const days = months.length > 0 ? months : [within.first as number];
    factor = await readMonthFactors(ask, new Set(currencies), target, { first: Math.min(...days), last: Math.max(...days) });
  }
  return {
    exchange: factor === undefined ? noExchange : exchangeBy(target, factor),
    sorting: {
      currency: target,
      currencies,
      months,
      monthCount: months.length,
      factors: currencies.flatMap((currency) => months.map((day) => factor!(currency, day))),
      amountScale: 10 ** currencyPlaces(target),
    },
  };
}

/** Adds the months of a window up, by products; amounts in fractions of the target currency. */
function addUp(months: readonly SearchMonth[], { first, last }: Days, exchange: Exchange): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { asin, day, currency, revenue, total_revenue, ...counts } of months) {
    if (day < first || day > last) continue;
    const sum = sums.get(asin) ?? nothing();
    sums.set(asin, sum);
    for (const name of Object.keys(counts) as Count[]) sum[name] += counts[name];
    sum.revenue += exchange.of(revenue, currency, day);
    sum.total_revenue += exchange.of(total_revenue, currency, day);
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
  const percent = (part: number, whole: number) => (whole > 0 ? Number(quotientText(part, whole, percentPlaces, 100)) : 0);
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
