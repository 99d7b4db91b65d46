/**
 * Documents in JSON are read as they are or refused: fields that are added, missing or moved,
 * values in other spellings, rows in another order, rows of other stores and a second import never
 * change a fact without a word.
 */
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../facts.ts';
import { american } from '../finances.ts';
import type { ChannelSettings } from '../harness.ts';
import { assertSameOrRefused, type Spelling } from '../spellings.ts';
import { vendor } from '../vendorSales.ts';

/** A kind of document: an example, whose import needs `query`, and what its fields are. */
type Kind = {
  readonly name: string;
  readonly text: string;
  readonly channel?: Partial<ChannelSettings>;
  readonly query?: string;
  /** Paths of fields that a document need not have: what they say is then not known. */
  readonly optional?: RegExp;
  /** A field that names the store, by its name, and another store. */
  readonly others?: readonly [name: string, value: string];
};

// biome-ignore lint/suspicious/noExplicitAny: documents have any shape.
type Json = any;

const example = (name: string) =>
  readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8');
const swedish = {
  ...{ merchantId: 'A1NORTHWIND @ A2NODRKZP88ZB9', currency: 'SEK' },
  timezone: 'Europe/Stockholm',
};

/** Fields of advertising that a report need not have: names, and figures besides the main ones. */
const ofReports =
  /(?:Name|Status|Type|Strategy|Amount|CurrencyCode|SameSku\d+d|unitsSold\w*|Promoted\w*|detailPageViewsClicks|newToBrand\w*)$/;

const kinds: readonly Kind[] = [
  { name: 'spCampaigns', text: example('sp-campaigns.json'), optional: ofReports },
  {
    name: 'spAdGroups',
    text: example('sp-ad-groups.json'),
    optional: ofReports,
    others: ['campaignBudgetCurrencyCode', 'CAD'],
  },
  {
    name: 'spAdvertisedProducts',
    text: example('sp-advertised-products.json'),
    optional: new RegExp(`${ofReports.source}|advertised|adGroupId`),
  },
  {
    name: 'sbCampaigns',
    text: fixture('ads.sbCampaigns.json').replaceAll(/\s+"(?:sales|purchases)Clicks".*/g, ''),
    query: '&type=adsSbCampaigns',
    optional: ofReports,
  },
  {
    name: 'sdCampaigns',
    text: fixture('ads.sdCampaigns.json').replace(/\s+"impressionsViews".*/, ''),
    query: '&type=adsSdCampaigns',
    optional: ofReports,
  },
  {
    name: 'salesAndTraffic',
    text: example('sales-and-traffic.json'),
    optional: /^(?:salesAndTrafficBy(?:Date|Asin)|.*(?:buyBox\w+|mobile\w+|parentAsin|sku))$/,
    others: ['currencyCode', 'CAD'],
  },
  {
    name: 'salesAndTrafficKiosk',
    text: fixture('salesAndTraffic.kiosk.jsonl'),
    others: ['marketplaceId', 'A2EUQ1WTGCTBG2'],
  },
  {
    name: 'vendorSales',
    text: example('vendor-sales.json'),
    channel: { ...american, ...vendor },
    optional: /^sales(?:Aggregate|ByAsin)$/,
    others: ['currencyCode', 'CAD'],
  },
  {
    name: 'vendorTraffic',
    text: example('vendor-traffic.json'),
    channel: { ...american, ...vendor },
    optional: /^traffic(?:Aggregate|ByAsin)$/,
  },
  {
    name: 'searchQueries',
    text: example('search-query-performance.json'),
    optional: /Price(?:\.amount)?$/,
    others: ['currencyCode', 'CAD'],
  },
  {
    name: 'ordersApi2026',
    text: fixture('orders.get2026.json'),
    // The answer has only what was requested.
    optional:
      /^order\.(?:lastUpdated|programs|associated|salesChannel|payment|fulfillment|orderItems$|orderItems.*quantityOrdered|.*\.(?:product|proceeds|price))/,
  },
  {
    name: 'transactions',
    text: fixture('finances.transactions.json'),
    channel: swedish,
    // Amounts without parts count as a whole.
    optional: /transaction(?:Type|Id)|related|items$|breakdowns|contexts/,
  },
  {
    name: 'economics',
    text: fixture('finances.economics.jsonl').split('\n').slice(0, 2).join('\n'),
    query: '&coarse=lastDay',
    // Queries choose their parts.
    optional: /\.(?:parentAsin|childAsin|sales|fees|ads)(?:$|\.)/,
    others: ['marketplaceId', 'A2EUQ1WTGCTBG2'],
  },
];

/** The paths of all fields, with `*` for the places of lists. */
function pathsOf(value: Json, path: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, [...path, '*']));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => [
    [...path, name].join('.'),
    ...pathsOf(one, [...path, name]),
  ]);
}

/** A copy in which objects, lists and other values were changed, the inner ones first. */
function mapped(value: Json, change: (value: Json, path: string) => Json, path = ''): Json {
  const inner = (one: Json, name: string) =>
    mapped(one, change, path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value))
    return change(
      value.map((one) => inner(one, '*')),
      path,
    );
  if (value === null || typeof value !== 'object') return change(value, path);
  const entries = Object.entries(value).map(([name, one]) => [name, inner(one, name)]);
  return change(Object.fromEntries(entries), path);
}

const isObject = (value: Json) =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function* spellingsOf({ text, optional, others }: Kind): Iterable<Spelling> {
  const isLines = text.startsWith('{') && text.trim().includes('\n{');
  const document: Json = isLines
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(text);
  const textOf = (value: Json) =>
    isLines ? value.map((one: Json) => JSON.stringify(one)).join('\n') : JSON.stringify(value);
  const changed = (change: (value: Json, path: string) => Json) => textOf(mapped(document, change));
  for (const path of new Set(pathsOf(document))) {
    if (optional?.test(path)) continue;
    const [, outer = '', name = ''] = /^(?:(.*)\.)?([^.]+)$/.exec(path)!;
    const renamed = changed((value, at) =>
      at === outer && isObject(value) && name in value
        ? Object.fromEntries(
            Object.entries(value).map(([key, one]) => [key === name ? `${key}New` : key, one]),
          )
        : value,
    );
    yield [`${path} renamed`, renamed];
  }
  yield ['new fields', changed((value) => (isObject(value) ? { newField: 17, ...value } : value))];
  yield [
    'fields in another order',
    changed((value) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value,
    ),
  ];
  yield ['numbers as texts', changed((value) => (typeof value === 'number' ? `${value}` : value))];
  yield [
    'texts as numbers',
    changed((value) =>
      typeof value === 'string' && String(Number(value)) === value ? Number(value) : value,
    ),
  ];
  yield [
    'rows in another order',
    changed((value, path) =>
      Array.isArray(value) && !path.includes('.') ? value.toReversed() : value,
    ),
  ];
  if (others === undefined) return;
  const [name, other] = others;
  const foreign = (value: Json) =>
    mapped(value, (one, path) => (path.endsWith(name) && typeof one === 'string' ? other : one));
  yield [
    'rows of others',
    changed((value, path) =>
      Array.isArray(value) && !path.includes('.') && isObject(value[0])
        ? [...value.map(foreign), ...value]
        : value,
    ),
  ];
}

for (const kind of kinds)
  test(`${kind.name}: other spellings have the same facts or are refused`, () =>
    assertSameOrRefused(kind.text, spellingsOf(kind), kind.channel ?? american, kind.query));
