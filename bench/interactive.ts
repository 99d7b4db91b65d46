/** Requests of the interactive endpoints about the world of `scaleWorld.ts`. */
import { startOfDay } from '../src/calendar/period.ts';
import { merchantId, zone } from './data.ts';
import { firstDay } from './rows.ts';
import { channels, days } from './scaleWorld.ts';

const windowDays = 90;
const secondsPerDay = 86_400;

const skus = Array.from({ length: 20 }, (_, sku) => `SKU-${String(sku).padStart(4, '0')}`);
/** The range of a request: 90 days and the 90 before, other ones for each number. */
export const rangeOf = (place: number) => {
  const from = firstDay + windowDays + ((place * 37) % (days - 2 * windowDays));
  return {
    fromDate: startOfDay(zone, from)!,
    toDate: startOfDay(zone, from + windowDays)! - 1,
    priorFromDate: startOfDay(zone, from - windowDays)!,
    priorToDate: startOfDay(zone, from)! - 1,
    timezone: zone,
  };
};
const span = (place: number) => {
  const { fromDate, toDate, timezone } = rangeOf(place);
  return { fromDate, toDate, timezone };
};
const asked = (place: number) => ({ channelId: `channel-${place % channels.asked}`, merchantId });
const grown = (place: number) => ({
  channelId: `channel-${channels.asked + ((place * 13) % (channels.all - channels.asked))}`,
  merchantId,
});

/** The path with a query, or with the body of a POST request. */
export type Ask = (place: number) => readonly [path: string, body?: object];

const get = (path: string, query: Readonly<Record<string, string | number>>) => {
  const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return [`${path}?${new URLSearchParams(words as [string, string][])}`] as const;
};
const list = (name: string, place: number) => {
  const { fromDate, toDate } = span(place);
  const [path] = get(`/advertising/${name}`, { fromDate, toDate, sortKey: 'cost', pageSize: 50 });
  return [
    path + Array.from({ length: channels.asked }, (_, at) => `&channelId=channel-${at}`).join(''),
  ] as const;
};
const sales = (channel: object, reportOptions: object, others: object = {}) =>
  ['/reports/view/salesByPeriod', { ...channel, reportOptions, ...others }] as const;
const orders = (place: number, others: object) => {
  const { fromDate } = rangeOf(place);
  const toDate = fromDate + 30 * secondsPerDay;
  return [
    '/orders/primarymkt',
    { ...asked(place), fromDate, toDate, pageSize: 100, ...others },
  ] as const;
};

/** A request of each interactive endpoint, by its place; places differ in channel and range. */
export const interactive: Readonly<Record<string, Ask>> = {
  'salesByPeriod, days': (place) => sales(asked(place), rangeOf(place)),
  'salesByPeriod, days, 20 SKUs': (place) =>
    sales(asked(place), rangeOf(place), { sellerSkus: skus }),
  'salesByPeriod, hours of a week': (place) => {
    const { fromDate, timezone } = rangeOf(place);
    const toDate = fromDate + 7 * secondsPerDay - 1;
    return sales(asked(place), { fromDate, toDate, timezone, interval: 'h' });
  },
  advertisingByChannels: (place) => [
    '/reports/view/advertisingByChannels',
    { reportOptions: rangeOf(place), currentCurrency: 'USD' },
  ],
  'orders by createdAt': (place) => orders(place, { dateField: 'createdAt' }),
  'orders by updatedAt': (place) => orders(place, { dateField: 'updatedAt' }),
  campaigns: (place) => list('campaigns', place),
  adGroups: (place) => list('adGroups', place),
  keywords: (place) => list('keywords', place),
  products: (place) => list('products', place),
  storeProfitAndLoss: (place) => [
    '/profitability/storeProfitAndLoss',
    { ...asked(place), reportOptions: span(place) },
  ],
  'profitByPeriod, days': (place) => [
    '/reports/view/profitByPeriod',
    { ...asked(place), reportOptions: rangeOf(place) },
  ],
  productProfitAndLoss: (place) => {
    const { fromDate, toDate } = span(place);
    const reportOptions = { fromDate, toDate, pageSize: 50 };
    return ['/profitability/productProfitAndLoss', { ...asked(place), reportOptions }];
  },
  targets: (place) => get('/targets', { ...asked(place), ...span(place) }),
  'search query performance': (place) =>
    get('/search-query-performance/asins', { ...asked(place), ...rangeOf(place), pageSize: 50 }),
  channels: () => ['/channels', {}],
  'a grown channel: salesByPeriod, days': (place) => sales(grown(place), rangeOf(place)),
  'a grown channel: the same, 20 SKUs': (place) =>
    sales(grown(place), rangeOf(place), { sellerSkus: skus }),
};
