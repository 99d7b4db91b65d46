/**
 * Documents in JSON are read as they are or refused: fields that are added, missing or moved,
 * values in other spellings, rows in another order, rows of other stores and a second import never
 * change a fact without a word.
 */
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { american } from '../finances.ts';
import type { ChannelSettings } from '../harness.ts';
import { sampled } from '../level.ts';
import { assertSameOrRefused, type Spelling } from '../spellings.ts';
import { barredRowsOf, textBeside } from '../table.ts';
import { vendor } from '../vendorSales.ts';

/** A kind of document: an example, whose import needs `query`, and what its fields are. */
type Kind = {
  readonly name: string;
  readonly text: string;
  readonly channel: Partial<ChannelSettings> | undefined;
  readonly query: string | undefined;
  /** Paths of fields that a document need not have: what they say is then not known. */
  readonly optional?: RegExp;
  /** A field that names the store, by its name, and another store. */
  readonly others: readonly string[] | undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: documents have any shape.
type Json = any;

const channels: Readonly<Record<string, Partial<ChannelSettings>>> = {
  american,
  vendor: { ...american, ...vendor },
  swedish: {
    merchantId: 'A1NORTHWIND @ A2NODRKZP88ZB9',
    currency: 'SEK',
    timezone: 'Europe/Stockholm',
  },
};

/** Fields of advertising that a report need not have: names, and figures besides the main ones. */
const ofReports = String.raw`(?:Name|Status|Type|Strategy|Amount|CurrencyCode|SameSku\d+d|unitsSold\w*|Promoted\w*|detailPageViewsClicks|newToBrand\w*)$`;

// The API of 2026 answers what was requested, and queries of economics choose their parts. Amounts
// of transactions without parts count as a whole.
const kinds = barredRowsOf(
  textBeside(import.meta.url, 'jsonKinds.txt').replaceAll('REPORTS', ofReports),
).map(({ name = '', file, query, channel = 'american', optional, others, without }): Kind => {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  return {
    name,
    query,
    channel: channels[channel],
    others: others?.split(' '),
    ...(optional !== undefined && { optional: new RegExp(optional) }),
    text: without === undefined ? text : text.replaceAll(new RegExp(without, 'g'), ''),
  };
});

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
  const [name = '', other] = others ?? [];
  if (name === '') return;
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

for (const [place, kind] of kinds.entries())
  test(`${kind.name}: other spellings have the same facts or are refused`, () => {
    const spellings = sampled([...spellingsOf(kind)], 3, place);
    return assertSameOrRefused(kind.text, spellings, kind.channel ?? american, kind.query);
  });
