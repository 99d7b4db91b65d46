/**
 * Documents as sellers download them, with the right values, by table: `cases/*.csv` names the
 * files of a case, the store that imports them, the question, and the answer. The values were added
 * up by hand. Lines of a profit and loss that an answer does not name are 0.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Answer, type ChannelSettings, onOnePair } from './harness.ts';
import { sampled } from './level.ts';
import { csvOf, named } from './reports.ts';
import { StoredChannel } from './storedChannel.ts';
import { rowsOf } from './table.ts';

type Case = Record<'files' | 'store' | 'options' | 'question' | 'answer', string>;
type Figures = Readonly<Record<string, number>>;
type Row = Readonly<Record<string, unknown>>;
/** The values of a case: `Camp A: cost 10 sales 50; Camp B: cost 1`, or values without names. */
type Named = readonly (readonly [name: string, figures: Figures])[];

const store = (countryCode: string, currency: string, timezone: string, id: string) => ({
  countryCode,
  currency,
  timezone,
  merchantId: `A1NORTHWIND @ ${id}`,
});
const stores: Readonly<Record<string, Partial<ChannelSettings>>> = {
  us: store('US', 'USD', 'America/Los_Angeles', 'ATVPDKIKX0DER'),
  de: store('DE', 'EUR', 'Europe/Berlin', 'A1PA6795UKMFR9'),
  fr: store('FR', 'EUR', 'Europe/Paris', 'A13V1IB3VIYZZH'),
  uk: store('GB', 'GBP', 'Europe/London', 'A1F83G8C2ARO7P'),
  jp: store('JP', 'JPY', 'Asia/Tokyo', 'A1VC38T7YXB528'),
  au: store('AU', 'AUD', 'Australia/Sydney', 'A39IBJ37TRP1C6'),
  in: store('IN', 'INR', 'Asia/Kolkata', 'A21TJRUUN4KGV'),
  shop: { ...store('DE', 'EUR', 'Europe/Berlin', 'Shopify'), marketplace: 'Shopify' },
};

const seconds = (date: string) => Date.parse(date) / 1000;
const wide = { fromDate: seconds('2026-05-01'), toDate: seconds('2026-08-01'), timezone: 'UTC' };

/** Names with values, as a table of cases writes them. */
function namedOf(text = ''): Named {
  return text.split(/;\s*/).map((part) => {
    const [, name = '', figures = ''] = /^(?:(.*): )?(.*)$/.exec(part)!;
    const pairs = [...figures.matchAll(/(\w+) (-?[\d.]+)/g)];
    return [name, Object.fromEntries(pairs.map(([, key, value]) => [key, Number(value)]))];
  });
}

const ok = ({ status, body }: Answer) => {
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

/** The values of `expected` in an object of more. */
const sameOf = (given: Readonly<Record<string, unknown>>, expected: Figures) =>
  Object.fromEntries(Object.keys(expected).map((name) => [name, Number(given[name])]));

async function profit(channel: StoredChannel, includeTax: boolean): Promise<Figures> {
  const { world, tenant } = channel;
  const { key, channelId, merchantId } = tenant;
  const reportOptions = { ...wide, includeTax };
  const body = { channelId, merchantId, reportOptions };
  const lines = ok(await world.ask(key, 'POST', '/profitability/storeProfitAndLoss', body));
  return Object.fromEntries(
    Object.entries(lines as Figures).filter(([name, value]) => value !== 0 && !/^total/.test(name)),
  );
}

/** Units and sales of everything, with and without tax. */
async function sales(channel: StoredChannel): Promise<Figures> {
  const years = (includeTax: boolean) =>
    channel.view('2026-05-01', '2026-08-01', 'UTC', { includeTax, interval: 'y' });
  const [net, gross] = [await years(false), await years(true)];
  const sum = (rows: typeof net, name: string) =>
    Math.round(rows.reduce((total, row) => total + Number(row[name]), 0) * 100) / 100;
  return { net: sum(net, 'sales'), gross: sum(gross, 'sales'), units: sum(net, 'unitsSold') };
}

/** The rows of a list of advertising on some dates, by the names of campaigns or keywords. */
async function listed(channel: StoredChannel, list: string, first: string, last: string) {
  const { world, tenant } = channel;
  const query = new URLSearchParams({
    channelId: tenant.channelId,
    fromDate: String(seconds(`${first}T12:00Z`)),
    toDate: String(seconds(`${last}T12:00Z`)),
    currency: 'USD',
    pageSize: '100',
  });
  const { data } = ok(await world.ask(tenant.key, 'GET', `/advertising/${list}?${query}`));
  return data as readonly Row[];
}

const namesOfLists = {
  campaigns: (row: Row) => String(row.campaign_name),
  keywords: (row: Row) => `${row.ad_type} ${row.keyword_text}`,
};

/** The rows of a table by their names; `sum` names the whole table. */
function checkRows(rows: readonly Row[], nameOf: (row: Row) => string, answer: string): void {
  for (const [name, expected] of namedOf(answer)) {
    const own = rows.filter((row) => name === 'sum' || nameOf(row) === name);
    const given = Object.fromEntries(
      Object.keys(expected).map((column) => [
        column,
        own.reduce((sum, row) => sum + Number(row[columnOf(column)]), 0),
      ]),
    );
    assert.deepEqual(given, expected, `${name} of ${JSON.stringify(rows)}`);
  }
}

async function checkList(channel: StoredChannel, words: readonly string[], answer: string) {
  const [list, first, last = first] = words as [keyof typeof namesOfLists, string, string?];
  checkRows(await listed(channel, list, first, last), namesOfLists[list], answer);
}

const columnOf = (name: string) =>
  ({ sales: 'attributed_sales', orders: 'attributed_conversions' })[name] ?? name;

/** Sends the question of a case to a store that has imported its files. */
async function check(channel: StoredChannel, answers: readonly Answer[], one: Case): Promise<void> {
  const words = one.question.split(' ');
  const [[, figures]] = namedOf(one.answer) as [Named[number]];
  const last = answers.at(-1)!;
  if (words[0] === 'refused') {
    assert.match(String(last.status), /^4/, JSON.stringify(last.body));
    return assert.match(JSON.stringify(last.body), new RegExp(one.answer));
  }
  if (words[0] === 'import') return assert.deepEqual(sameOf(last.body, figures), figures);
  if (words[0] === 'profit')
    return assert.deepEqual(await profit(channel, words[1] === 'gross'), figures);
  if (words[0] === 'sales') return assert.deepEqual(await sales(channel), figures);
  if (words[0] === 'returns') {
    const { columns, rows } = await csvOf(
      channel.world,
      channel.tenant,
      'cancellationsAndRefunds',
      wide,
    );
    const place = columns.indexOf('unitsRefunded');
    return assert.equal(
      rows.reduce((sum, row) => sum + Number(row[place]), 0),
      figures.units,
    );
  }
  if (words[0] === 'traffic') {
    const options = { ...wide, view: 'skus' };
    const csv = await csvOf(channel.world, channel.tenant, 'trafficAndConversion', options);
    return checkRows(named(csv), ({ sku }) => String(sku), one.answer);
  }
  if (words[0] !== 'store') return checkList(channel, words, one.answer);
  const [day] = await channel.view(`${words[1]}T00:00`, `${words[1]}T23:59:59`);
  assert.deepEqual(sameOf(day!, figures), figures);
}

onOnePair('Documents as sellers have them', (world) => {
  for (const folder of ['money', 'advertising']) {
    const text = readFileSync(new URL(`cases/${folder}.csv`, import.meta.url), 'utf8');
    const cases = rowsOf(text) as Case[];
    const groups = Map.groupBy(cases, (one) => `${one.files} ${one.options ?? ''}`);
    for (const [place, [name, own]] of [...groups].entries())
      test(name, async () => {
        const { files, store: code, options } = own[0]!;
        const given = files.split(' ');
        const orders = given.length > 1 ? [given, given.toReversed()] : [given];
        for (const order of sampled(orders, orders.length, place)) {
          const channel = await StoredChannel.open(world(), stores[code]!);
          const answers: Answer[] = [];
          for (const file of order)
            answers.push(
              await channel.import(
                readFileSync(new URL(`cases/${folder}/${file}`, import.meta.url)),
                options === undefined ? '' : `&${options}`,
              ),
            );
          for (const one of own) await check(channel, answers, one);
        }
      });
  }
});
