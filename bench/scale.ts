/**
 * The interactive endpoints over growing numbers of order lines: 200 channels, three years, from a
 * million lines on, ten times as many each time. Five channels have the same facts at every size;
 * requests ask them, so growth shows what the facts of others cost. A channel that grows is asked
 * as well. Up to ten million lines come through the public import, the rest by statements.
 * `npm run bench:scale [lines=10000000]`
 */
import { startOfDay } from '../src/calendar/period.ts';
import { merchantId, zone } from './data.ts';
import { type Flight, fly, type Shot } from './flight.ts';
import { peakOf, withServer } from './measure.ts';
import { firstDay } from './rows.ts';
import { channels, days, type World, worldOf } from './scaleWorld.ts';

const linesMin = 1_000_000;
const importedMax = 10_000_000;
const distinct = 100;
const warmUps = 10;
const windowDays = 90;
const secondsPerDay = 86_400;
const millisecondsMax = 100;
const growthMax = 1.3;
const [linesMax = 10_000_000] = process.argv.slice(2).map(Number);

const skus = Array.from({ length: 20 }, (_, sku) => `SKU-${String(sku).padStart(4, '0')}`);
/** 90 days and the 90 before, other ones for each request. */
const range = (place: number) => {
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
  const { fromDate, toDate, timezone } = range(place);
  return { fromDate, toDate, timezone };
};
const asked = (place: number) => ({ channelId: `channel-${place % channels.asked}`, merchantId });
const grown = (place: number) => ({
  channelId: `channel-${channels.asked + ((place * 13) % (channels.all - channels.asked))}`,
  merchantId,
});

/** The path with a query, or with the body of a POST request. */
type Ask = (place: number) => readonly [path: string, body?: object];

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
  const { fromDate } = range(place);
  const toDate = fromDate + 30 * secondsPerDay;
  return [
    '/orders/primarymkt',
    { ...asked(place), fromDate, toDate, pageSize: 100, ...others },
  ] as const;
};

const questions: Readonly<Record<string, Ask>> = {
  'salesByPeriod, days': (place) => sales(asked(place), range(place)),
  'salesByPeriod, days, 20 SKUs': (place) =>
    sales(asked(place), range(place), { sellerSkus: skus }),
  'salesByPeriod, hours of a week': (place) => {
    const { fromDate, timezone } = range(place);
    const toDate = fromDate + 7 * secondsPerDay - 1;
    return sales(asked(place), { fromDate, toDate, timezone, interval: 'h' });
  },
  advertisingByChannels: (place) => [
    '/reports/view/advertisingByChannels',
    { reportOptions: range(place), currentCurrency: 'USD' },
  ],
  'orders by createdAt': (place) => orders(place, { dateField: 'createdAt' }),
  'orders by updatedAt': (place) => orders(place, { dateField: 'updatedAt' }),
  campaigns: (place) => list('campaigns', place),
  adGroups: (place) => list('adGroups', place),
  products: (place) => list('products', place),
  storeProfitAndLoss: (place) => [
    '/profitability/storeProfitAndLoss',
    { ...asked(place), reportOptions: span(place) },
  ],
  productProfitAndLoss: (place) => {
    const { fromDate, toDate } = span(place);
    const reportOptions = { fromDate, toDate, pageSize: 50 };
    return ['/profitability/productProfitAndLoss', { ...asked(place), reportOptions }];
  },
  targets: (place) => get('/targets', { ...asked(place), ...span(place) }),
  'search query performance': (place) =>
    get('/search-query-performance/asins', { ...asked(place), ...range(place), pageSize: 50 }),
  channels: () => ['/channels', {}],
  'a grown channel: salesByPeriod, days': (place) => sales(grown(place), range(place)),
  'a grown channel: the same, 20 SKUs': (place) =>
    sales(grown(place), range(place), { sellerSkus: skus }),
};

type Measured = { readonly world: World; readonly found: ReadonlyMap<string, Flight> };

/** Asks every question, one request at a time. */
async function measure(world: World): Promise<Measured> {
  return withServer('service.ts', world.folder, async ({ pid, address }) => {
    const found = new Map<string, Flight>();
    for (const [name, ask] of Object.entries(questions)) {
      const shots = Array.from({ length: warmUps + distinct }, (_, place): Shot => {
        const [path, body] = ask(place);
        return {
          url: address + path,
          headers: { 'x-api-key': world.key },
          ...(body && { body: Buffer.from(JSON.stringify(body)) }),
        };
      });
      await fly([pid], shots.slice(0, warmUps), 1);
      found.set(name, await fly([pid], shots.slice(warmUps), 1));
    }
    const { lines, imported, rowsPerSecond, cpu, peak, bytes } = world;
    console.log(
      `${lines.toLocaleString('en')} lines, ${imported.toLocaleString('en')} by imports at ` +
        `${Math.round(rowsPerSecond).toLocaleString('en')} rows/s, ${cpu.toFixed(1)} µs of CPU a row, peak ${peak} MiB; ` +
        `${(bytes / 2 ** 30).toFixed(2)} GiB on disk; ` +
        `answers peak at ${peakOf(pid)} MiB`,
    );
    return { world, found };
  });
}

const measured: Measured[] = [];
for (let lines = linesMin; lines <= linesMax; lines *= 10)
  measured.push(await measure(await worldOf(lines, importedMax)));

const heads = measured.map(
  ({ world }) => `${world.lines / 1e6} M: p50`.padStart(14) + 'p95'.padStart(8) + 'CPU'.padStart(7),
);
console.log(`\n${'milliseconds'.padEnd(40)}${heads.join('')}   growth of p50, of CPU`);
for (const name of Object.keys(questions)) {
  const cells = measured.map(({ found }) => {
    const { p50, p95, cpu } = found.get(name)!;
    const slow = p95 > millisecondsMax ? '!' : ' ';
    return (
      p50.toFixed(1).padStart(14) + p95.toFixed(1).padStart(7) + slow + cpu.toFixed(1).padStart(7)
    );
  });
  const growth = measured.slice(1).map(({ found }, place) => {
    const ratio = (field: 'p50' | 'cpu') =>
      found.get(name)![field] / measured[place]!.found.get(name)![field];
    const isOver = ratio('p50') > growthMax && !name.startsWith('a grown');
    return `${ratio('p50').toFixed(2)}${isOver ? '!' : ''}, ${ratio('cpu').toFixed(2)}`;
  });
  console.log(`${name.padEnd(40)}${cells.join('')}   ${growth.join('; ')}`);
}
