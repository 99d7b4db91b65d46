/** Requests of the interactive endpoints, about the world of `scaleWorld.ts` or other facts. */
import { startOfDay } from '../src/calendar/period.ts';
import { merchantId, zone } from './folders.ts';
import { firstDay } from './rows.ts';
import { channels, days } from './scaleWorld.ts';

const windowDays = 90;
const secondsPerDay = 86_400;

const skus = Array.from({ length: 20 }, (_, sku) => `SKU-${String(sku).padStart(4, '0')}`);

/** The path with a query, or with the body of a POST request. */
export type Ask = (place: number) => readonly [path: string, body?: object];

/** The range of a request, with the one before. */
type Range = Readonly<
  Record<'fromDate' | 'toDate' | 'priorFromDate' | 'priorToDate', number> & { timezone: string }
>;
/** The facts that requests are about, different for each place. */
export type Scope = {
  readonly rangeOf: (place: number) => Range;
  readonly channelOf: (place: number) => Readonly<Record<'channelId' | 'merchantId', string>>;
  /** Channels with advertising. */
  readonly advertised: readonly string[];
};

const get = (
  path: string,
  query: Readonly<Record<string, string | number>>,
  lists: readonly (readonly [string, string])[] = [],
) => {
  const words = [...Object.entries(query), ...lists].map(([name, value]) => [name, String(value)]);
  return [`${path}?${new URLSearchParams(words as [string, string][])}`] as const;
};
const sales = (channel: object, reportOptions: object, others: object = {}) =>
  ['/reports/view/salesByPeriod', { ...channel, reportOptions, ...others }] as const;

/** A request of each interactive endpoint, by its place; places differ in channel and range. */
export function requestsOf({ rangeOf, channelOf, advertised }: Scope) {
  const span = (place: number) => {
    const { fromDate, toDate, timezone } = rangeOf(place);
    return { fromDate, toDate, timezone };
  };
  const list = (name: string, place: number) => {
    const { timezone: _, ...dates } = span(place);
    const query = { ...dates, sortKey: 'cost', pageSize: 50 };
    const named = advertised.map((channelId) => ['channelId', channelId] as const);
    return get(`/advertising/${name}`, query, named);
  };
  const profit = (path: string, place: number, reportOptions: object) =>
    [path, { ...channelOf(place), reportOptions }] as const;
  const orders = (place: number, dateField: string) => {
    const { fromDate } = rangeOf(place);
    const toDate = fromDate + 30 * secondsPerDay;
    const page = { fromDate, toDate, pageSize: 100, dateField };
    return ['/orders/primarymkt', { ...channelOf(place), ...page }] as const;
  };
  return {
    'salesByPeriod, days': (place) => sales(channelOf(place), rangeOf(place)),
    'salesByPeriod, days, 20 SKUs': (place) =>
      sales(channelOf(place), rangeOf(place), { sellerSkus: skus }),
    'salesByPeriod, hours of a week': (place) => {
      const { fromDate, timezone } = rangeOf(place);
      const toDate = fromDate + 7 * secondsPerDay - 1;
      return sales(channelOf(place), { fromDate, toDate, timezone, interval: 'h' });
    },
    advertisingByChannels: (place) => [
      '/reports/view/advertisingByChannels',
      { reportOptions: rangeOf(place), currentCurrency: 'USD' },
    ],
    'orders by createdAt': (place) => orders(place, 'createdAt'),
    'orders by updatedAt': (place) => orders(place, 'updatedAt'),
    campaigns: (place) => list('campaigns', place),
    adGroups: (place) => list('adGroups', place),
    keywords: (place) => list('keywords', place),
    products: (place) => list('products', place),
    storeProfitAndLoss: (place) => profit('/profitability/storeProfitAndLoss', place, span(place)),
    'profitByPeriod, days': (place) =>
      profit('/reports/view/profitByPeriod', place, rangeOf(place)),
    productProfitAndLoss: (place) => {
      const { timezone: _, ...dates } = span(place);
      return profit('/profitability/productProfitAndLoss', place, { ...dates, pageSize: 50 });
    },
    targets: (place) => get('/targets', { ...channelOf(place), ...span(place) }),
    'search query performance': (place) =>
      get('/search-query-performance/asins', {
        ...channelOf(place),
        ...rangeOf(place),
        pageSize: 50,
      }),
    channels: () => ['/channels', {}],
  } satisfies Readonly<Record<string, Ask>>;
}

/** The range of a request: 90 days and the 90 before, different for each number. */
export const rangeOf = (place: number): Range => {
  const from = firstDay + windowDays + ((place * 37) % (days - 2 * windowDays));
  return {
    fromDate: startOfDay(zone, from)!,
    toDate: startOfDay(zone, from + windowDays)! - 1,
    priorFromDate: startOfDay(zone, from - windowDays)!,
    priorToDate: startOfDay(zone, from)! - 1,
    timezone: zone,
  };
};
const channelAt = (number: number) => ({ channelId: `channel-${number}`, merchantId });
const grown = (place: number) =>
  channelAt(channels.queried + ((place * 13) % (channels.all - channels.queried)));

/** The requests about the world of `scaleWorld.ts`, and those about channels that grow. */
export const interactive: Readonly<Record<string, Ask>> = {
  ...requestsOf({
    rangeOf,
    channelOf: (place) => channelAt(place % channels.queried),
    advertised: Array.from({ length: channels.queried }, (_, at) => `channel-${at}`),
  }),
  'a grown channel: salesByPeriod, days': (place) => sales(grown(place), rangeOf(place)),
  'a grown channel: the same, 20 SKUs': (place) =>
    sales(grown(place), rangeOf(place), { sellerSkus: skus }),
};
