/** What searches led to, product by product, in two windows of whole months. */
import { readFileSync } from 'node:fs';
import { isoDate, localDay, monthOfDay } from '../../calendar/period.ts';
import { Refusal } from '../../contract/refusal.ts';
import { type Question, question, questionFile } from '../../engine/question.ts';
import type { Ask, Asked, Days } from '../../engine/warehouse.ts';
import { currencyPlaces, quotientText } from '../../report/money.ts';
import { askPage, type Matching } from '../../report/page.ts';
import { type Exchange, exchangeBy, type Factor, noExchange, readMonthFactors } from '../../report/rates.ts';
import type { Channel } from '../../report/scope.ts';
import type { Handler } from '../handler.ts';
import type { listSearchQueryPerformance as contract, SortableFigure, SqpMetrics } from './contract.ts';

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
type SearchMonth = Readonly<Sums> & { readonly asin: string; readonly day: number; readonly currency: string };
type CurrencyMonth = { readonly currency: string; readonly day: number };

const primaryMarketplace = 'primarymkt';
/** Decimal places of percents. */
const percentPlaces = 2;

const searchMonths = questionFile<SearchMonth>(import.meta.url, 'searchMonths.sql');
const searchCurrencies = questionFile<CurrencyMonth>(import.meta.url, 'searchCurrencies.sql');
const pageBody = readFileSync(new URL('searchPage.sql', import.meta.url), 'utf8');

/** The question for a page in the order of a column; only that column is computed, which makes it several times cheaper. */
type PageQuestion = Question<Matching & { readonly asin: string }>;
type PageOrders = Readonly<Record<'asc' | 'desc', PageQuestion>>;

function pageOrders(name: string, key: string, shown = 'sorted_by'): PageOrders {
  const body = pageBody.replace('KEY AS', () => `${key} AS`);
  const ordered = (order: string): PageQuestion =>
    question(
      `searchPage by ${name} ${order}`,
      body.replace('SHOWN DIRECTION', () => `${shown} ${order}`),
    );
  return { asc: ordered('ASC'), desc: ordered('DESC') };
}

const sumOf = (count: Count) => `sum(is_current * ${count})`;
const countOrders = (count: Count) => pageOrders(count, sumOf(count));

function percentOrders(part: Count, whole: Count): PageOrders {
  const quotient = `CAST(${sumOf(part)} AS DOUBLE) / CAST(${sumOf(whole)} AS DOUBLE) * 100`;
  const key = `CASE WHEN ${sumOf(whole)} > 0 THEN ${quotient} ELSE 0 END`;
  return pageOrders(`${part} / ${whole}`, key, `to_places(sorted_by, ${10 ** percentPlaces})`);
}

function amountOrders(amount: string): { readonly plain: PageOrders; readonly converted: PageOrders } {
  const shown = 'to_places(greatest(sorted_by, 0), {amountScale:Float64})';
  const factor =
    'CASE WHEN currency = {currency:String} THEN 1 ELSE ' +
    '{factors:Array(Float64)}[(place_in({currencies:Array(String)}, currency) - 1) * {monthCount:Int32} + place_in({months:Array(Date)}, day)] END';
  return {
    plain: pageOrders(amount, `CAST(sum(CASE WHEN is_current = 1 THEN ${amount} ELSE amount(0) END) AS DOUBLE)`, shown),
    converted: pageOrders(
      `${amount} converted`,
      `sum(CASE WHEN is_current = 1 THEN CAST(${amount} AS DOUBLE) * ${factor} ELSE 0 END)`,
      shown,
    ),
  };
}

/** What rows are sorted by: the numbers that are shown. */
const amountPages = { currentRevenue: amountOrders('revenue'), opportunity: amountOrders('(total_revenue - revenue)') };
const pages: Readonly<Record<'asin' | Exclude<SortableFigure, keyof typeof amountPages>, PageOrders>> = {
  asin: pageOrders('asin', 'asin'),
  searchQueryVolume: countOrders('search_query_volume'),
  totalImpressions: countOrders('total_impressions'),
  impressions: countOrders('impressions'),
  impressionShare: percentOrders('impressions', 'total_impressions'),
  totalClicks: countOrders('total_clicks'),
  clicks: countOrders('clicks'),
  clickShare: percentOrders('clicks', 'total_clicks'),
  totalCtr: percentOrders('total_clicks', 'total_impressions'),
  ctr: percentOrders('clicks', 'impressions'),
  totalCartAdds: countOrders('total_cart_adds'),
  cartAdds: countOrders('cart_adds'),
  atcRate: percentOrders('cart_adds', 'clicks'),
  totalPurchases: countOrders('total_purchases'),
  purchases: countOrders('purchases'),
  purchaseShare: percentOrders('purchases', 'total_purchases'),
  totalCvr: percentOrders('total_purchases', 'total_clicks'),
  cvr: percentOrders('purchases', 'clicks'),
};

/** Answers GET /search-query-performance/asins. */
export const listSearchQueryPerformance: Handler<typeof contract> = async (asked, context) => {
  const { timezone, currency, sortKey, sortOrder, pageIndex, pageSize } = asked;
  const { channel, warehouse, limits } = context;
  const asins = [...new Set(asked.asins)];
  const most = context.caller.entitlements.searchQueryProductMax;
  refuse(channel, asins, most);
  const current = monthsOf(timezone, asked.fromDate, asked.toDate);
  const prior = monthsOf(timezone, asked.priorFromDate, asked.priorToDate);
  const within = { channel: channel.channelNumber, ...current, priorFirst: prior.first, priorLast: prior.last };

  return await warehouse.read([channel.channelNumber, 0], limits, async (ask) => {
    const chosen = { ...within, everyAsin: asins.length === 0 ? 1 : 0, asins, most };
    let sorted: PageOrders;
    let sorting: Asked = {};
    let factor: Factor | undefined;
    const isByAmount = sortKey === 'currentRevenue' || sortKey === 'opportunity';
    if (isByAmount) {
      const occurring = await ask(searchCurrencies, within);
      factor = await readFactor(ask, occurring, within, channel, currency);
      sorted = amountPages[sortKey][factor === undefined ? 'plain' : 'converted'];
      sorting = sortingOf(occurring, factor, currency);
    } else {
      sorted = pages[sortKey];
    }
    const { rows, count } = await askPage(ask, sorted[sortOrder], { ...chosen, ...sorting }, asked);
    const shown = rows.map((row) => row.asin);
    const figures = shown.length === 0 ? [] : await ask(searchMonths, { ...within, asins: shown });
    if (!isByAmount) {
      const occurring = figures.filter((figure) => figure.revenue !== 0n || figure.total_revenue !== 0n);
      factor = await readFactor(ask, occurring, within, channel, currency);
    }
    const exchange = factor === undefined ? noExchange : exchangeBy(currency, factor);
    const told = (window: Days) => {
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

/** The factor of each month to the target, undefined where nothing needs one; refuses a currency that nobody has a rate of. */
async function readFactor(
  ask: Ask,
  occurring: readonly CurrencyMonth[],
  { first }: Days,
  channel: Channel,
  target: string,
): Promise<Factor | undefined> {
  const foreign = occurring.filter(({ currency }) => currency !== target);
  // Whether a currency is taken must not depend on there being amounts to convert.
  if (foreign.length === 0 && (occurring.length > 0 || target === channel.currency)) return undefined;
  const currencies = new Set(foreign.map(({ currency }) => currency));
  const days = foreign.length > 0 ? foreign.map(({ day }) => day) : [first];
  return await readMonthFactors(ask, currencies, target, { first: Math.min(...days), last: Math.max(...days) });
}

/** What a page is asked with to be sorted by an amount. */
function sortingOf(occurring: readonly CurrencyMonth[], factor: Factor | undefined, target: string): Asked {
  const amountScale = 10 ** currencyPlaces(target);
  if (factor === undefined) return { amountScale };
  const currencies = [...new Set(occurring.map(({ currency }) => currency))];
  const months = [...new Set(occurring.map(({ day }) => day))];
  const factors = currencies.flatMap((currency) => months.map((day) => factor(currency, day)));
  return { amountScale, currency: target, currencies, months, monthCount: months.length, factors };
}

/** Adds the months of a window up, by products; amounts in fractions of the target currency. */
function addUp(figures: readonly SearchMonth[], { first, last }: Days, exchange: Exchange): Map<string, Sums> {
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
