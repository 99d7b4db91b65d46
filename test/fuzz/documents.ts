/** Random documents for the imports: whole ones, changed ones and bytes that are none. */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import { strToU8, unzipSync, zipSync } from 'fflate';
import type { Contract } from '../../src/contract/endpoint.ts';
import { fixture } from '../facts.ts';

import { spreadsheet } from '../spreadsheet.ts';
import { rowsOf } from '../table.ts';
import { asText, firstDay, hostileValue, jsonText, knownMax, reference, spoilt } from './values.ts';

const moment = (offset: number) => new Date((firstDay + offset) * 1000).toISOString();
const rowsByDataset: Readonly<Record<string, readonly object[]>> = {
  orderLines: rowsOf(`
    orderId, lineId, purchasedAt,       sku, quantity, itemPrice, itemTax, currency, buyerEmail
    o1,      "1",    ${moment(3_600)},  A,   2,        "20.00",   "1.60"
    o2,      "1",    ${moment(90_000)}, B,   1,        7,         ,        EUR, buyer@example.com`),
  traffic: rowsOf(`
    date,       sku, productId, pageViews, sessions, orderedRevenue, orderedUnits, buyBoxPercentage
    2025-02-02, ,    ,          100,       80,       "44.44",        4
    2025-02-03, A,   PA,        10,        5,        ,               ,             90`),
  campaignDays: rowsOf(`
    date,       campaignId, impressions, clicks, cost,   sales
    2025-02-02, "1",        1000,        20,     "6.50", "26.00"`),
  exchangeRates: [{ date: '2025-02-02', currency: 'USD', perEuro: 1.05 }],
};

/** A stream with the query and the path that go with it. */
type Stream = { readonly path: string; readonly body: string | Uint8Array };

const documents: readonly (readonly [name: string, body: string | Uint8Array])[] = [
  new URL('../fixtures/', import.meta.url),
  new URL('../../samples/', import.meta.url),
]
  .flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => new URL(name, folder)),
  )
  .filter(({ pathname }) => !pathname.endsWith('.md'))
  .flatMap((file): [string, string | Uint8Array][] => {
    const name = file.pathname.slice(file.pathname.lastIndexOf('/') + 1);
    const text = readFileSync(file, 'utf8');
    const isTable = /\.(txt|csv)$/.test(name);
    return [text, ...(isTable ? [spreadsheetOf(text)] : [])].map((body) => [name, body]);
  });

/** A table as a spreadsheet. */
function spreadsheetOf(text: string): Buffer {
  const separator = text.includes('\t') ? '\t' : ',';
  return spreadsheet([text.split(/\r?\n/).map((line) => line.split(separator))]);
}

/** Documents of every kind that an import takes, at the path that takes them. */
export function streams({ path }: Contract): Arbitrary<Stream> {
  const channel = fc
    .oneof(
      fc.constant('imported'),
      fc.nat({ max: knownMax - 1 }).map((index) => reference('channelId', index)),
    )
    .map((channelId) => `channelId=${channelId}`);
  const choices = path.includes('{dataset}')
    ? Object.entries(rowsByDataset).map(([dataset, rows]) => ({
        path: path.replace('{dataset}', dataset),
        body: rows.map((row) => JSON.stringify(row)).join('\n'),
        isNobodys: dataset === 'exchangeRates',
      }))
    : documents.map(([name, body]) => ({ path, body, isNobodys: name === 'referenceRates.csv' }));
  const options = fc.constantFrom('', '&coarse=lastDay', '&decimal=comma', '&zone=channel');
  return fc
    .tuple(fc.constantFrom(...choices), channel, options, fc.boolean())
    .map(([{ isNobodys, ...choice }, query, option, isPacked]) => ({
      path: isNobodys ? choice.path : `${choice.path}?${query}${option}`,
      body: isPacked && typeof choice.body === 'string' ? gzipSync(choice.body) : choice.body,
    }));
}

const upTo = (count: number) => [...Array(count).keys()];

/** Documents that try to cost more than their size, by what is wrong with them. */
const hostileDocuments: Readonly<Record<string, () => string | Uint8Array>> = {
  'a cell beyond any sheet': () => spreadsheetWithCells(['ZZZZZZ4000000000']),
  'the last cell of a sheet': () => spreadsheetWithCells(['XFD1048576']),
  'cells without a place': () => spreadsheetWithCells(['A0', '1A', '', 'A-1', 'A1:B2', 'a1']),
  'a shared text that is not there': () =>
    spreadsheetWithCells(['A1'], '<c r="A1" t="s"><v>99999999999</v></c>'),
  'entities that grow': spreadsheetThatGrows,
  'a file that opens to 200 MiB': () =>
    zipSync({ 'xl/workbook.xml': new Uint8Array(200 * 1_048_576) }, { level: 6 }),
  'twenty thousand files': () =>
    zipSync(Object.fromEntries(upTo(20_000).map((at) => [`xl/${at}.xml`, new Uint8Array()]))),
  'lists in lists': () => gzipSync('['.repeat(30_000_000)),
  'objects in objects': () => gzipSync('{"a":'.repeat(5_000_000)),
  blanks: () => gzipSync(' '.repeat(100_000_000)),
  'a packed packed document': () => gzipSync(gzipSync(fixture('orders.page.json'))),
  'a packed document cut off': () => gzipSync(fixture('orders.page.json')).subarray(0, 200),
  'a line of 8 MiB': () => gzipSync(`${'x'.repeat(8 * 1_048_576)}\n`),
  'a quotation without an end': () => gzipSync(`order-id,sku\n1,"${'a,b\n'.repeat(1_000_000)}`),
  'thirty thousand columns': () =>
    gzipSync(
      `${upTo(30_000)
        .map((at) => `column-${at}`)
        .join('\t')}\n`,
    ),
  'a million bad rows': () => gzipSync('{}\n'.repeat(1_000_000)),
  'no characters': () => new Uint8Array(1_000_000),
  'the other byte order': () => Buffer.from(`\ufeff${fixture('orders.allOrders.txt')}`, 'utf16le'),
};

/** The bytes of a spreadsheet whose only sheet has cells at these places. */
function spreadsheetWithCells(places: readonly string[], cells?: string): Buffer {
  const files = unzipSync(spreadsheet([[['order-id']]]));
  const made = places.map((place) => `<c r="${place}" t="inlineStr"><is><t>x</t></is></c>`);
  files['xl/worksheets/sheet1.xml'] = strToU8(
    `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cells ?? made.join('')}</row></sheetData></worksheet>`,
  );
  return Buffer.from(zipSync(files));
}

/** A spreadsheet with a text whose entities name one another. */
function spreadsheetThatGrows(): Uint8Array {
  const names = ['a', ...upTo(9).map((at) => `b${at}`)];
  const entities = names.map(
    (name, at) =>
      `<!ENTITY ${name} "${at === 0 ? 'a'.repeat(1000) : `&${names[at - 1]};`.repeat(20)}">`,
  );
  const texts = `<!DOCTYPE x [${entities.join('')}]><sst><si><t>&b8;</t></si></sst>`;
  const files = unzipSync(spreadsheetWithCells(['A1']));
  return zipSync({ ...files, 'xl/sharedStrings.xml': strToU8(texts) });
}

const made = new Map<string, string | Uint8Array>();

/** Any of the hostile documents, each made once. */
const hostileDocument = fc.constantFrom(...Object.keys(hostileDocuments)).map((name) => {
  const body = made.get(name) ?? hostileDocuments[name]!();
  made.set(name, body);
  return body;
});

/** The same with one value changed. */
export function changed(stream: Arbitrary<Stream>): Arbitrary<Stream> {
  return fc.tuple(stream, fc.nat(), hostileValue).map(([{ path, body }, at, value]) => {
    const bytes = Buffer.from(body);
    if (bytes.subarray(0, 2).toString() === 'PK') return { path, body: bytes.subarray(at % 9) };
    const text = typeof body === 'string' ? body : gunzipSync(body).toString();
    if (!/^[[{]/.test(text)) return { path, body: withOtherField(text, at, asText(value)) };
    const places = [...text.matchAll(/:\s*("[^"]*"|-?[\d.]+|true|false)/g)];
    const place = places[at % Math.max(1, places.length)];
    if (place === undefined) return { path, body: `${text}${asText(value)}\n` };
    return {
      path,
      body: `${text.slice(0, place.index)}:${jsonText(value)}${text.slice(place.index + place[0].length)}`,
    };
  });
}

/** A table with another field in place of one. */
function withOtherField(text: string, at: number, value: string): string {
  const fields = [...text.matchAll(/[^\t,;\r\n]+/g)];
  const field = fields[at % Math.max(1, fields.length)];
  if (field === undefined) return text + value;
  return text.slice(0, field.index) + value + text.slice(field.index + field[0].length);
}

/** Bytes that are no document, or no longer one. */
export function spoiltStream(
  stream: Arbitrary<Stream>,
): Arbitrary<string | Uint8Array | undefined> {
  const body = stream.map((one) => one.body);
  const cut = fc.tuple(body, fc.nat()).map(([whole, at]) => {
    const bytes = Buffer.from(whole);
    return at % 2 === 0
      ? bytes.subarray(0, at % bytes.length)
      : Buffer.concat([bytes, Buffer.from([at % 256])]);
  });
  return fc.oneof(
    spoilt(body.filter((one) => typeof one === 'string')),
    cut,
    hostileDocument,
    fc.uint8Array({ maxLength: 300 }),
    body.map((one) => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.from(one)])),
    fc.constant(''),
  );
}
