/**
 * Sends valid, nearly valid and malformed requests to every public and operator operation, and
 * checks that each answer is one that the description promises.
 * `node test/fuzz.ts [requests=100000] [seed] [embedded|served]`
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Contract } from '../src/contract/endpoint.ts';
import { operatorIntroduction, publicIntroduction } from '../src/contract/introductions.ts';
import type { JsonSchema } from '../src/contract/jsonSchema.ts';
import type { Introduction } from '../src/contract/openapi.ts';
import { operatorContracts, publicContracts } from '../src/endpoints/contracts.ts';
import { dumpRegistry, dumpWarehouse, type StoredRow } from './dump.ts';
import { openWorld, type Pair, type Tenant, type World } from './harness.ts';
import { importRows } from './imports.ts';

/** The results of a run of requests. */
export type FuzzReport = {
  readonly requests: number;
  readonly seed: number;
  /** How often each operation answered with each status. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The first failure of each operation, minimised, and problems beyond single answers. */
  readonly failures: readonly {
    readonly operation: string;
    readonly reason: string;
    readonly request: string;
  }[];
};

/** A request before the identifiers of this world are filled in. */
type Draft = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
};
type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
};

/** An operation under test. */
type Target = {
  readonly contract: Contract;
  readonly introduction: Introduction;
  /** How many of its requests there are for one of another operation's. */
  readonly weight: number;
  /** Identifiers that requests may name, by the name of their field. */
  readonly known: Map<string, string[]>;
  readonly credential: Readonly<Record<string, string>>;
  readonly isWhole: (answer: unknown) => boolean;
};

const marker = 'belongs-to-somebody-else';
/** Stands for an operation where there is none. */
const broken = '(no proper HTTP)';
const requestsPerTurn = 25;
const answerMilliseconds = 5 * 60_000;
const knownMax = 12;
/** A store with rows of two months, so that views have something to compute. */
const firstDay = Date.UTC(2025, 1, 1) / 1000;
const secondsPerDay = 86_400;

// --- What is sent

/** Stands in a draft for an identifier that only the world knows. */
const reference = (name: string, index: number) => `~known~${name}~${index}~`;
const references = /~known~(\w+)~(\d+)~/g;
/** Stands in the JSON of a draft for something that JSON.stringify would not write. */
const rawJson = (text: string) => `~raw~${text}~`;
const rawJsons = /"~raw~([^~"]*)~"/g;

const injections = [
  "' OR '1'='1",
  "'; DROP TABLE channel; --",
  "' UNION SELECT sealed FROM api_key --",
  "1); ATTACH '/tmp/x' AS x; --",
  "'||pg_sleep(20)||'",
  '$$; SELECT pg_read_file($$/etc/passwd$$)',
  "read_csv('/etc/passwd')",
  "') FORMAT TSV SETTINGS max_execution_time=0 --",
  "url('http://127.0.0.1:1/')",
  '{channel:Int64}',
  '{{7*7}}',
  `\${process.env}`,
  '<%= 1 %>',
  '../../../../etc/passwd',
  '..%2f..%2fetc',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '%',
  '%s%n',
  '\\',
  '"',
  '*',
  '-- ',
  '/*',
  '?',
  ':name',
  '$1',
];
const oddTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfffb',
  '\u202eabc',
  'e\u0301',
  '\u0130',
  '\u00df',
  '\ufeff',
  '\uffff',
  '\u2028',
  '\r\n',
  '\t',
  '👩‍👩‍👧‍👦',
  '𝕏'.repeat(60),
  '０１２',
  'x'.repeat(201),
  'x'.repeat(501),
  'é'.repeat(20_000),
];
const numbers = [
  0,
  -1,
  1,
  0.5,
  1.0000001,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 53 + 2,
  1e11,
  1e11 + 1,
  1e12,
  -1e15,
  1e21,
  5e-324,
  1e308,
];
const rawNumbers = [
  '-0',
  '1e400',
  '-1e400',
  '1E2',
  '0.1e1',
  '00',
  '0x10',
  '1_000',
  'NaN',
  'Infinity',
  '9007199254740993',
  '1.0',
  '+1',
  '.5',
];

const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...injections),
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 300 }),
);
const nested = (depth: number, open: string, close: string) =>
  rawJson(open.repeat(depth) + close.repeat(depth));
const hostileValue: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(...numbers),
  fc.constantFrom(...rawNumbers).map(rawJson),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}], 'true', '1'),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(nested(200, '[', ']'), nested(5_000, '[', ']'), nested(2_000, '{', '}')),
  fc.constantFrom(1_001, 20_000).map((length) => Array.from({ length }, (_, index) => `s${index}`)),
  fc
    .constantFrom('__proto__', 'constructor', 'prototype')
    .map((name) => Object.fromEntries([[name, { polluted: true }]])),
);

const zones = [
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Pacific/Apia',
  'America/Los_Angeles',
];
const wordsByName: Readonly<Record<string, readonly string[]>> = {
  countryCode: ['US', 'de', 'GBR'],
  countryCodes: ['US', 'de', 'GBR', 'zz'],
  currency: ['USD', 'eur', 'JPY', 'XXX'],
  currentCurrency: ['USD', 'eur', 'JPY', 'XXX'],
  marketplaces: ['primarymkt', 'PRIMARYMKT', 'shopify'],
  sellerSkus: ['A', 'B', 'C'],
  products: ['A', 'B', 'C'],
  sellerSku: ['A', 'B', 'C'],
  dataset: ['orderLines', 'traffic'],
  email: ['one@example.com', 'Two@Example.com', 'three@example.com'],
};

/** Values that the schema of a field allows, mostly of records that exist. */
function valid(schema: JsonSchema, name: string): Arbitrary<unknown> {
  const {
    minimum = -1e9,
    maximum = 1e9,
    minLength = 0,
    maxLength = 60,
    minItems = 0,
    maxItems = 8,
  } = schema;
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valid(one, name)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const any = fc.integer({ min: minimum, max: maximum });
      if (/date$|^from$|^to$|expires/i.test(name))
        return fc.oneof({ weight: 6, arbitrary: nearDate(name) }, { weight: 1, arbitrary: any });
      return fc.oneof(
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) }),
        any,
        fc.constantFrom(minimum, maximum),
      );
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valid(schema.items ?? {}, name), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 8),
      });
    case 'object':
      return objectOf(schema, valid, fc.boolean());
    case 'string': {
      const any =
        schema.pattern === undefined
          ? fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) })
          : fc.stringMatching(new RegExp(schema.pattern));
      if (schema.format === 'timezone') return fc.constantFrom(...zones);
      if (schema.format === 'date')
        return nearDate(name).map((second) => new Date(second * 1000).toISOString().slice(0, 10));
      const existing = fc.nat({ max: knownMax - 1 }).map((index) => reference(name, index));
      const words = wordsByName[name] ?? ['A', 'B', 'org://shared', 'org://b', 'summer', 'Ü 1'];
      return fc.oneof(
        { weight: /(^id|Id|^channelIds|^subject)$/.test(name) ? 60 : 0, arbitrary: existing },
        { weight: name in wordsByName ? 40 : 3, arbitrary: fc.constantFrom(...words) },
        { weight: 2, arbitrary: any },
      );
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** A second of a range that is likely to hold facts, and to be the right way round. */
function nearDate(name: string): Arbitrary<number> {
  const start =
    firstDay -
    (/prior/i.test(name) ? 60 * secondsPerDay : 0) +
    (/to/i.test(name) ? 30 * secondsPerDay : 0);
  return fc.oneof(
    fc.nat({ max: 29 }).map((day) => start + day * secondsPerDay - (/to/i.test(name) ? 1 : 0)),
    fc.nat({ max: 30 * secondsPerDay }).map((second) => start + second),
  );
}

/** Values that are valid, at a limit or of the wrong type. */
function nearlyValid(schema: JsonSchema, name: string): Arbitrary<unknown> {
  return fc.oneof(
    {
      weight: 24,
      arbitrary:
        schema.type === 'object'
          ? objectOf(schema, nearlyValid, fc.constantFrom(true, true, true, false))
          : valid(schema, name),
    },
    { weight: 2, arbitrary: atTheEdge(schema, name) },
    { weight: 2, arbitrary: hostileValue },
  );
}

function atTheEdge(schema: JsonSchema, name: string): Arbitrary<unknown> {
  const { minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema;
  const edges: Arbitrary<unknown>[] = [hostileValue];
  for (const limit of [minimum, maximum]) {
    if (limit !== undefined)
      edges.push(fc.constantFrom(limit, limit - 1, limit + 1, limit + 0.5, String(limit)));
  }
  if (maxLength !== undefined)
    edges.push(
      fc.constantFrom(
        'x'.repeat(maxLength),
        'x'.repeat(maxLength + 1),
        '𝕏'.repeat(maxLength),
        'y'.repeat(minLength),
      ),
    );
  if (schema.type === 'array') {
    const lengths = [0, minItems, ...(maxItems === undefined ? [] : [maxItems, maxItems + 1])];
    const items = fc
      .constantFrom(...lengths)
      .chain((length) => valid(schema.items ?? {}, name).map((item) => ({ length, item })));
    edges.push(
      items.map(({ length, item }) =>
        Array.from({ length }, (_, index) => (typeof item === 'string' ? `${item}${index}` : item)),
      ),
    );
    edges.push(valid(schema.items ?? {}, name).map((item) => [item, item]));
  }
  return fc.oneof(...edges);
}

type Field = (schema: JsonSchema, name: string) => Arbitrary<unknown>;

/** An object with a random choice of optional fields, and the required ones if `keeps` holds. */
function objectOf(
  { properties = {}, required = [] }: JsonSchema,
  field: Field,
  keeps: Arbitrary<boolean>,
): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name) && schema.default === undefined;
    const value = field(schema, name);
    if (isRequired && field === valid) return value.map((one) => [[name, one]]);
    // Both dates of a comparison come together.
    if (field === valid && name.startsWith('prior'))
      return value.map((one) => [[name, one, 'compared']]);
    return fc
      .tuple(isRequired ? keeps : fc.boolean(), value)
      .map(([kept, one]) => (kept ? [[name, one]] : []));
  });
  const extra =
    field === valid
      ? fc.constant([])
      : fc.oneof(
          { weight: 6, arbitrary: fc.constant([]) },
          {
            weight: 1,
            arbitrary: fc
              .tuple(
                fc.oneof(hostileText, fc.constantFrom('__proto__', 'constructor')),
                hostileValue,
              )
              .map((one) => [one]),
          },
        );
  return fc.tuple(extra, fc.boolean(), ...fields).map(([more, isCompared, ...all]) => {
    const kept = all.flat().filter(([, , only]) => only === undefined || isCompared);
    return Object.fromEntries([...more, ...kept] as [string, unknown][]);
  });
}

function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replaceAll(rawJsons, '$1');
}

/** The JSON of a body, sometimes spoilt as a text. */
function bodyOf(contract: Contract, mode: Mode): Arbitrary<string | Uint8Array | undefined> {
  const schema = contract.body as JsonSchema | undefined;
  if (schema === undefined)
    return mode === 'valid'
      ? fc.constant(undefined)
      : fc.oneof(fc.constant(undefined), spoilt(fc.constant('{}')));
  if (mode === 'valid') return valid(schema, '').map(jsonText);
  if (mode === 'near') return nearlyValid(schema, '').map(jsonText);
  return spoilt(nearlyValid(schema, '').map(jsonText));
}

function spoilt(text: Arbitrary<string>): Arbitrary<string | Uint8Array | undefined> {
  return fc
    .tuple(text, fc.nat(), fc.nat({ max: 10 }), hostileValue)
    .map(([json, at, way, value]) => {
      const place = at % (json.length + 1);
      switch (way) {
        case 0:
          return json.slice(0, place);
        case 1:
          return json.replace('{', `{"channelId":${jsonText(value)},`);
        case 2:
          return json.replace(
            /\}$/,
            `,"__proto__":${jsonText(value)},"constructor":{"prototype":{"x":1}}}`,
          );
        case 3:
          return `\ufeff${json}`;
        case 4:
          return json + jsonText(value);
        case 5:
          return json.slice(0, place) + String.fromCharCode(at % 65_536) + json.slice(place);
        case 6:
          return Buffer.from(json, 'utf16le');
        case 7:
          return Buffer.concat([
            Buffer.from(json.slice(0, place)),
            Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0]),
            Buffer.from(json.slice(place)),
          ]);
        case 8:
          return jsonText(value);
        case 9:
          return gzipSync(json);
        default:
          return undefined;
      }
    });
}

type Mode = 'valid' | 'near' | 'hostile';

/** A value of a query or a path, written as text. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** Percent-encoding; half a character cannot be encoded, so it goes as the bytes that it would have. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/~|%7E/g, '~');
}

function queryOf(contract: Contract, mode: Mode): Arbitrary<string> {
  const fields = Object.entries(
    (contract.query?.properties ?? {}) as Readonly<Record<string, JsonSchema>>,
  );
  const required = (contract.query as JsonSchema | undefined)?.required ?? [];
  const pairs = fields.map(([name, schema]) => {
    const value = mode === 'valid' ? valid(schema, name) : nearlyValid(schema, name);
    const isAsked =
      required.includes(name) && schema.default === undefined && mode === 'valid'
        ? fc.constant(true)
        : fc.boolean();
    return fc.tuple(isAsked, value, fc.nat({ max: 3 })).map(([asked, one, way]) => {
      if (!asked) return [];
      if (!Array.isArray(one)) return [`${name}=${encoded(asText(one))}`];
      const entries = one.slice(0, 60).map((entry) => encoded(asText(entry)));
      if (way === 0) return entries.map((entry) => `${name}[]=${entry}`);
      if (way === 1) return [`${name}=${entries.join(',')}`];
      return entries.map((entry) => `${name}=${entry}`);
    });
  });
  const names = [...fields.map(([name]) => name), 'x', '__proto__', 'channelId'];
  const oddPair = fc
    .tuple(fc.constantFrom(...names), hostileText, fc.nat({ max: 8 }))
    .map(([name, text, way]) => {
      const odd = [
        `${name}[]=1`,
        `${name}=1,2`,
        `${name}=1&${name}=2`,
        `${name}`,
        `${name}=%zz`,
        `${name}=%00`,
        `${name}=%ED%A0%80`,
        `${name}[a][b]=1`,
      ];
      return odd[way] ?? `${name}=${encoded(text)}`;
    });
  const extra = mode === 'hostile' ? fc.array(oddPair, { maxLength: 3 }) : fc.constant([]);
  return fc.tuple(extra, ...pairs).map((all) => {
    const text = all.flat().join('&');
    return text === '' ? '' : `?${text}`;
  });
}

function pathOf(contract: Contract, mode: Mode): Arbitrary<string> {
  const parameters = Object.entries(
    (contract.pathParameters?.properties ?? {}) as Readonly<Record<string, JsonSchema>>,
  );
  const values = parameters.map(([name, schema]) => {
    const existing = fc.nat({ max: knownMax - 1 }).map((index) => reference(name, index));
    if (mode !== 'hostile')
      return fc.oneof(
        { weight: 4, arbitrary: schema.enum === undefined ? existing : valid(schema, name) },
        { weight: 1, arbitrary: valid(schema, name) },
      );
    return fc.oneof(
      hostileText,
      fc.constantFrom('%', 'x'.repeat(301), '9007199254740993', '1e3', '0x1', '-1', '01'),
      existing,
    );
  });
  const tail =
    mode === 'hostile'
      ? fc.constantFrom('', '', '', '', '/', '//', '/%zz', '%00', ';x=1', '#')
      : fc.constant('');
  return fc.tuple(tail, ...values).map(([end, ...texts]) => {
    const path = parameters.reduce(
      (text, [name], index) => text.replace(`{${name}}`, () => segment(asText(texts[index]))),
      contract.path,
    );
    return path + end;
  });
}

/** A part of a path; `inject` resolves dots as a browser does, so that they would lead to another operation. */
function segment(text: string): string {
  return /^\.{1,2}$/.test(text) ? 'dots' : encoded(text);
}

const headerText = fc.string({
  unit: fc.constantFrom(
    ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
    ' ',
    'ÿ',
    '\t',
  ),
  maxLength: 80,
});

function headersOf(
  target: Pick<Target, 'contract' | 'credential'>,
  mode: Mode,
): Arbitrary<Record<string, string>> {
  const { contract, credential } = target;
  const media =
    contract.stream === undefined
      ? ['application/json', 'application/json; charset=utf-8']
      : [...contract.stream];
  const type = fc.constantFrom(...media).map((text) => ({ 'content-type': text }));
  const once = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.nat({ max: 300 }).map((number) => ({ 'idempotency-key': `call-${number}` })),
    },
  );
  const usual = fc.tuple(type, once).map(([one, two]) => ({ ...credential, ...one, ...two }));
  if (mode !== 'hostile') return usual;
  const odd: Arbitrary<Record<string, string>>[] = [
    fc
      .constantFrom(
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
        '',
        ';',
        'application/jsonx',
        'text/csv; charset="nonsense"',
        'application/x-ndjson; charset=utf-7',
      )
      .map((text) => ({ 'content-type': text })),
    headerText.map((text) => ({ 'content-type': text })),
    fc.oneof(headerText, fc.constant('x'.repeat(256))).map((text) => ({ 'idempotency-key': text })),
    headerText.map((text) => ({ 'x-request-id': text })),
    fc
      .oneof(headerText, fc.constant('x'.repeat(10_000)))
      .map((text) => ({ 'x-api-key': text, authorization: text })),
    fc
      .constantFrom('gzip', '*;q=0', 'identity;q=0', 'br', ',,,', 'gzip;q=x')
      .map((text) => ({ 'accept-encoding': text })),
    fc.constantFrom('gzip', 'br', 'nonsense').map((text) => ({ 'content-encoding': text })),
    fc.constantFrom('text/html', '*/*;q=0', '').map((text) => ({ accept: text })),
    fc.constantFrom('0', '1', '999999999', '-1', 'x').map((text) => ({ 'content-length': text })),
    fc.constantFrom('https://shop.example', 'null').map((text) => ({ origin: text })),
  ];
  return fc
    .tuple(usual, fc.oneof(fc.constant({}), ...odd))
    .map(([all, one]) => ({ ...all, ...one }));
}

const moment = (offset: number) => new Date((firstDay + offset) * 1000).toISOString();
const rowsByDataset: Readonly<Record<string, readonly object[]>> = {
  orderLines: [
    {
      orderId: 'o1',
      lineId: '1',
      purchasedAt: moment(3_600),
      sku: 'A',
      quantity: 2,
      itemPrice: '20.00',
      itemTax: '1.60',
    },
    {
      orderId: 'o2',
      lineId: '1',
      purchasedAt: moment(90_000),
      sku: 'B',
      quantity: 1,
      itemPrice: 7,
      currency: 'EUR',
      buyerEmail: 'buyer@example.com',
    },
  ],
  traffic: [
    { date: '2025-02-02', pageViews: 100, sessions: 80, orderedRevenue: '44.44', orderedUnits: 4 },
    {
      date: '2025-02-03',
      sku: 'A',
      productId: 'PA',
      pageViews: 10,
      sessions: 5,
      buyBoxPercentage: 90,
    },
  ],
  campaignDays: [
    {
      date: '2025-02-02',
      campaignId: '1',
      impressions: 1_000,
      clicks: 20,
      cost: '6.50',
      sales: '26.00',
    },
  ],
  exchangeRates: [{ date: '2025-02-02', currency: 'USD', perEuro: 1.05 }],
};

/** A stream with the query and the path that go with it. */
type Stream = { readonly path: string; readonly body: string | Uint8Array };

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
const documents = [
  'orders.page.json',
  'orderItems.first.json',
  'salesAndTraffic.day.json',
  'salesAndTraffic.kiosk.jsonl',
  'referenceRates.csv',
];

/** Documents of every kind that an import takes, at the path that takes them. */
function streams({ path }: Contract): Arbitrary<Stream> {
  const channel = fc
    .nat({ max: knownMax - 1 })
    .map((index) => `?channelId=${reference('channelId', index)}`);
  const choices = path.includes('{dataset}')
    ? Object.entries(rowsByDataset).map(([dataset, rows]) => ({
        path: path.replace('{dataset}', dataset),
        body: rows.map((row) => JSON.stringify(row)).join('\n'),
        isNobodys: dataset === 'exchangeRates',
      }))
    : documents.map((name) => ({
        path,
        body: fixture(name),
        isNobodys: name === 'referenceRates.csv',
      }));
  return fc
    .tuple(fc.constantFrom(...choices), channel, fc.boolean())
    .map(([{ isNobodys, ...choice }, query, isPacked]) => ({
      path: isNobodys ? choice.path : choice.path + query,
      body: isPacked ? gzipSync(choice.body) : choice.body,
    }));
}

/** The same with one value changed. */
function changed(stream: Arbitrary<Stream>): Arbitrary<Stream> {
  return fc.tuple(stream, fc.nat(), hostileValue).map(([{ path, body }, at, value]) => {
    const text = typeof body === 'string' ? body : gunzipSync(body).toString();
    const places = [...text.matchAll(/:\s*("[^"]*"|-?[\d.]+|true|false)/g)];
    const place = places[at % Math.max(1, places.length)];
    if (place === undefined) return { path, body: `${text}${asText(value)}\n` };
    return {
      path,
      body: `${text.slice(0, place.index)}:${jsonText(value)}${text.slice(place.index + place[0].length)}`,
    };
  });
}

/** Bytes that are no document, or no longer one. */
function spoiltStream(stream: Arbitrary<Stream>): Arbitrary<string | Uint8Array | undefined> {
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
    fc.uint8Array({ maxLength: 300 }),
    body.map((one) => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.from(one)])),
    fc.constant(''),
  );
}

/** Requests of an operation: as they should be, nearly so, and hostile. */
function draftOf(
  { contract, credential }: Pick<Target, 'contract' | 'credential'>,
  otherMethods: readonly string[],
): Arbitrary<Draft> {
  const { method } = contract;
  const anyMethod = fc.oneof(
    { weight: 12, arbitrary: fc.constant(method) },
    { weight: 1, arbitrary: fc.constantFrom(method, ...otherMethods) },
  );
  const parts = (mode: Mode) => {
    const headers = headersOf({ contract, credential }, mode);
    const path = fc
      .tuple(pathOf(contract, mode), queryOf(contract, mode))
      .map(([before, query]) => before + query);
    if (contract.stream === undefined)
      return fc.record({ path, headers, body: bodyOf(contract, mode) });
    const stream = streams(contract);
    if (mode === 'hostile') return fc.record({ path, headers, body: spoiltStream(stream) });
    return fc
      .tuple(mode === 'valid' ? stream : changed(stream), headers)
      .map(([one, all]) => ({ ...one, headers: all }));
  };
  const modes = fc.oneof(
    { weight: 4, arbitrary: fc.record({ method: fc.constant(method), rest: parts('valid') }) },
    { weight: 4, arbitrary: fc.record({ method: fc.constant(method), rest: parts('near') }) },
    { weight: 3, arbitrary: fc.record({ method: anyMethod, rest: parts('hostile') }) },
  );
  return modes.map(({ method: asked, rest: { path, headers, body } }) => {
    const { 'content-type': type, ...others } = headers;
    return {
      method: asked,
      path,
      body,
      headers: {
        ...others,
        ...(body !== undefined && type !== undefined && { 'content-type': type }),
      },
    };
  });
}

// --- Sending requests and checking answers

function filled(text: string, known: Target['known'], write: (value: string) => string): string {
  return text.replaceAll(references, (_, name: string, index: string) => {
    const values = known.get(namesOf[name] ?? name) ?? [];
    return write(values.length === 0 ? `unknown-${index}` : values[Number(index) % values.length]!);
  });
}

/** Fields that hold an identifier under another name. */
const namesOf: Readonly<Record<string, string>> = {
  id: 'groupId',
  channelIds: 'channelId',
  subject: 'userId',
};

function ready(draft: Draft, known: Target['known']): Draft {
  const { body } = draft;
  return {
    ...draft,
    path: filled(draft.path, known, encodeURIComponent),
    body:
      typeof body === 'string'
        ? filled(body, known, (value) => JSON.stringify(value).slice(1, -1))
        : body,
  };
}

async function send({ server }: World, { method, path, headers, body }: Draft): Promise<Answer> {
  const response = await server.inject({
    method: method as 'GET',
    url: path,
    headers,
    ...(body !== undefined && { payload: typeof body === 'string' ? body : Buffer.from(body) }),
  });
  const isPacked = response.headers['content-encoding'] === 'gzip';
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isPacked ? gunzipSync(response.rawPayload).toString() : response.body,
  };
}

/** Statuses for requests that are not valid HTTP or match no route. */
const statusesOfBroken = [400, 404, 405, 408, 413, 414, 415, 431];

/** The fault of an answer, if any. */
function wrongWith(
  { contract, introduction, isWhole }: Target,
  sent: Draft,
  { status, headers, body }: Answer,
): string | undefined {
  const described = [
    200,
    ...Object.keys(introduction.errors(contract))
      .map(Number)
      .filter((one) => one < 500),
  ];
  if (![...described, ...statusesOfBroken].includes(status))
    return `status ${status} is not described: ${body.slice(0, 300)}`;
  if (introduction === publicIntroduction && (body + JSON.stringify(headers)).includes(marker))
    return `shows what belongs to another: ${body.slice(0, 300)}`;
  if (status === 200) {
    if (sent.method !== contract.method) return 'answers a method that it has not';
    if ((contract.answer as JsonSchema).type === 'void')
      return body === '' ? undefined : `has a body: ${body.slice(0, 300)}`;
    return isWhole(JSON.parse(body))
      ? undefined
      : `is not what the contract promises: ${body.slice(0, 300)}`;
  }
  if (!String(headers['content-type']).startsWith('application/json'))
    return `an error of the type ${headers['content-type']}`;
  const { status: word, error, ...others } = JSON.parse(body) as Record<string, unknown>;
  // An import of which nothing went in answers with its counts as well.
  const hasFields = contract.stream !== undefined && status === 422;
  const isError =
    word === 'error' &&
    typeof error === 'string' &&
    error !== '' &&
    (hasFields || Object.keys(others).length === 0);
  return isError ? undefined : `is not the body of an error: ${body.slice(0, 300)}`;
}

/** Keeps the identifiers in an answer, so that later requests name existing records. */
function learn(
  { known, introduction }: Pick<Target, 'known' | 'introduction'>,
  body: string,
): void {
  if (body === '') return;
  for (const [name, value] of identifiers(JSON.parse(body), '')) {
    // Public requests choose their channels elsewhere, so that most name one within reach.
    if (introduction !== publicIntroduction || !(name === 'channelId' || name === 'merchantId'))
      keep(known, name, value);
  }
}

function keep(known: Target['known'], name: string, value: string): void {
  const values = known.get(name) ?? [];
  if (!values.includes(value)) values.push(value);
  if (values.length > knownMax) values.shift();
  known.set(name, values);
}

/** Drops the identifiers of a deleted record. */
function unlearn(known: Target['known'], path: string): void {
  // Identifiers that are learned need no encoding.
  const named = path.replace(/\?.*/, '').split('/');
  for (const [name, values] of known)
    if (name !== 'merchantId')
      known.set(
        name,
        values.filter((value) => !named.includes(value)),
      );
}

function identifiers(value: unknown, name: string): [string, string][] {
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((entry) => identifiers(entry, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([inner, one]) => identifiers(one, inner));
  return /^\w+Id$/.test(name) && (typeof value === 'string' || typeof value === 'number')
    ? [[name, String(value)]]
    : [];
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${answerMilliseconds} ms`)),
    answerMilliseconds,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A request as it can be sent again. */
function shown({ method, path, headers, body }: Draft): string {
  const { 'x-api-key': _, authorization: __, ...others } = headers;
  const text =
    body === undefined || typeof body === 'string'
      ? body
      : `base64 ${Buffer.from(body).toString('base64')}`;
  return `${method} ${path.slice(0, 600)} ${JSON.stringify(others)} ${JSON.stringify(text)?.slice(0, 1_500) ?? 'without a body'}`;
}

// --- Requests that are no proper HTTP

const rawRequest: Arbitrary<string> = fc
  .record({
    line: fc.oneof(
      fc.constantFrom(
        'POST /channels HTTP/1.1',
        'GET /operator/audit HTTP/1.1',
        'GET /../../etc/passwd HTTP/1.1',
        'GET /operator/../channels HTTP/1.1',
      ),
      fc.constantFrom(
        'GET /%00%zz HTTP/1.1',
        'GET //channels HTTP/1.1',
        'POST http://other/channels HTTP/1.1',
        'OPTIONS * HTTP/1.1',
        'PRI * HTTP/2.0',
      ),
      fc.constantFrom(
        `GET /${'x'.repeat(20_000)} HTTP/1.1`,
        'GET /channels',
        'FOO /channels HTTP/1.1',
        'GET /channels HTTP/9.9',
        'GET\t/channels\tHTTP/1.1',
      ),
      fc.string({ unit: 'binary', maxLength: 60 }),
    ),
    headers: fc.array(
      fc.oneof(
        fc.constantFrom(
          'content-length: 5',
          'content-length: -1',
          'content-length: 99999999999999999999',
          'content-length: 5\r\ncontent-length: 6',
          'content-length: x',
        ),
        fc.constantFrom(
          'transfer-encoding: chunked',
          'transfer-encoding: chunked, gzip',
          'transfer-encoding: nonsense',
          'expect: 100-continue',
          'expect: nonsense',
        ),
        fc.constantFrom(
          `x: ${'y'.repeat(70_000)}`,
          'x',
          ': y',
          'x : y',
          ' continued',
          'x: \u0000',
          'host: a\r\nhost: b',
          'upgrade: websocket\r\nconnection: upgrade',
        ),
        fc.constantFrom(
          'content-type: application/json',
          'x-api-key: ~key~',
          'x-api-key: a\r\nx-api-key: b',
          'authorization: Bearer',
          'connection: close',
        ),
      ),
      { maxLength: 5 },
    ),
    body: fc.constantFrom(
      '',
      '{}',
      '5\r\n{"a":\r\n0\r\n\r\n',
      'zz\r\n',
      '{"channelId":',
      '\u0000\u0001',
    ),
  })
  .map(
    ({ line, headers, body }) =>
      `${[line, 'host: vitrine.test', ...headers].join('\r\n')}\r\n\r\n${body}`,
  );

/** Writes bytes to the server and reads until it closes; an answer that comes must be one of an error, or a proper one. */
async function sendRaw(
  port: number,
  text: string,
): Promise<{ status: number; wrong: string | undefined }> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  const closed = Promise.withResolvers<void>();
  socket.setEncoding('utf8').on('data', (part) => {
    answer += part;
  });
  socket.on('error', () => closed.resolve());
  socket.on('close', () => closed.resolve());
  socket.end(text);
  try {
    await inTime(closed.promise);
  } finally {
    socket.destroy();
  }
  if (answer === '') return { status: 0, wrong: undefined };
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
  if (!(status >= 100 && status < 500)) return { status, wrong: `answers ${answer.slice(0, 300)}` };
  if (answer.includes(marker)) return { status, wrong: 'shows what belongs to another' };
  return { status, wrong: undefined };
}

// --- The run

/** Sends random requests to a new world and reports the results; equal seeds send equal requests. */
export async function fuzz(pair: Pair, requests: number, seed: number): Promise<FuzzReport> {
  const world = await openWorld(pair, { logLevel: 'fatal' });
  try {
    return await run(world, requests, seed);
  } finally {
    await world.close();
  }
}

async function run(world: World, requests: number, seed: number): Promise<FuzzReport> {
  const own = await furnish(world, 'own', {});
  const foreign = await furnish(world, marker, {
    channelId: `channel-${marker}`,
    merchantId: `merchant-${marker}`,
  });
  const vendor = await world.channel(own.organisationId, 'vendor', {
    kind: 'vendor',
    merchantId: own.merchantId,
  });
  const before = await recordsOf(world, foreign);
  // The operator may undo any import, and their numbers are easy to guess. These have to stay.
  const { imports } = await world.operate(
    'GET',
    `/operator/imports?channelId=${foreign.channelId}`,
  );
  const undoingOthers: string[] = imports.map(
    ({ importId }: { importId: number }) => `/operator/imports/${importId}/facts`,
  );

  const publicKnown = new Map([
    ['channelId', [...mostly(own.channelId), vendor, 'imported', foreign.channelId, 'nowhere']],
    ['merchantId', [...mostly(own.merchantId), foreign.merchantId, 'nobody']],
  ]);
  // Records of others have small numbers as identifiers.
  for (const name of ['groupId', 'reportId', 'jobId']) publicKnown.set(name, ['1', '2', '3', '4']);
  const operatorKnown = new Map<string, string[]>();
  const targets: Target[] = [
    ...Object.values(publicContracts).map((contract) =>
      targetOf(contract, publicIntroduction, 6, publicKnown, { 'x-api-key': own.key }),
    ),
    ...Object.values(operatorContracts as Readonly<Record<string, Contract>>).map((contract) =>
      targetOf(contract, operatorIntroduction, weightOf(contract), operatorKnown, {
        authorization: `Bearer ${world.operatorToken}`,
      }),
    ),
  ];
  const drafts = new Map(
    targets.map((target) => [target, draftOf(target, methodsMissing(target.contract, targets))]),
  );

  const statuses: Record<string, Record<string, number>> = {};
  const failures = new Map<string, FuzzReport['failures'][number]>();
  let sent = 0;
  const count = (operation: string, status: number | string) => {
    statuses[operation] ??= {};
    statuses[operation][status] = (statuses[operation][status] ?? 0) + 1;
    sent++;
  };

  /** One turn of an operation; the first request that fails is made smaller until it does not fail any more. */
  async function turn<Sent>(
    operation: string,
    arbitrary: Arbitrary<Sent>,
    numRuns: number,
    turnSeed: number,
    ask: (one: Sent) => Promise<string | undefined>,
    show: (one: Sent) => string,
  ) {
    let last = { reason: '', request: '' };
    const property = fc.asyncProperty(arbitrary, async (one) => {
      const reason = await ask(one).catch((error: unknown) =>
        String((error as Error).stack ?? error),
      );
      if (reason === undefined) return;
      last = { reason, request: show(one) };
      throw new Error(reason);
    });
    const { failed } = await fc.check(property, { numRuns, seed: turnSeed });
    if (failed) failures.set(operation, { operation, ...last });
  }

  async function turnOf(
    target: Target,
    index: number,
    round: number,
    share: number,
  ): Promise<void> {
    const { operation } = target.contract;
    // A weight below one is a turn in some rounds only.
    const every = Math.max(1, Math.round(1 / target.weight));
    const numRuns =
      round % every === index % every
        ? Math.ceil(Math.max(1, target.weight) * requestsPerTurn * share)
        : 0;
    if (numRuns === 0 || failures.has(operation)) return;
    const ask = async (draft: Draft) => {
      const request = ready(draft, target.known);
      if (request.method === 'DELETE' && undoingOthers.includes(request.path.split('?')[0]!))
        return undefined;
      const answer = await inTime(send(world, request));
      count(operation, answer.status);
      if (answer.status === 200 && request.method === 'DELETE') unlearn(target.known, request.path);
      else if (answer.status === 200 && request.method !== 'GET') learn(target, answer.body);
      return wrongWith(target, request, answer);
    };
    await turn(
      operation,
      drafts.get(target)!,
      numRuns,
      seed + round * 1_000 + index,
      ask,
      (draft) => shown(ready(draft, target.known)),
    );
  }

  async function turnOfBroken(round: number, share: number): Promise<void> {
    const ask = async (text: string) => {
      const { status, wrong } = await sendRaw(Number(port), text.replace('~key~', own.key));
      count(broken, status === 0 ? 'closed' : status);
      return wrong;
    };
    if (failures.has(broken)) return;
    await turn(
      broken,
      rawRequest,
      Math.ceil(requestsPerTurn * share),
      seed + round * 1_000 + 999,
      ask,
      (text) => JSON.stringify(text.slice(0, 600)),
    );
  }

  const { port } = new URL(await world.server.listen({ port: 0, host: '127.0.0.1' }));
  const weights = targets.reduce((sum, { weight }) => sum + weight, 1);
  for (let round = 0; sent < requests && failures.size < targets.length; round++) {
    await refurnish(world, own, operatorKnown, round);
    const share = Math.min(1, (requests - sent) / (weights * requestsPerTurn));
    const turnsOf = async (introduction: Introduction) => {
      for (const [index, target] of targets.entries()) {
        if (target.introduction === introduction) await turnOf(target, index, round, share);
      }
    };
    // Side by side, because the operator does not wait for the callers to be done.
    await Promise.all([
      turnsOf(publicIntroduction),
      turnsOf(operatorIntroduction),
      turnOfBroken(round, share),
    ]);
  }

  const beyond = (reason: string, request = '') =>
    failures.set(reason, { operation: '(afterwards)', reason, request });
  for (const path of ['/healthz', '/readyz']) {
    const { status } = await world.ask(undefined, 'GET', path);
    if (status !== 200) beyond(`${path} answers ${status}`);
  }
  const after = await recordsOf(world, foreign);
  const changes = after
    .filter((one) => !before.includes(one))
    .concat(before.filter((one) => !after.includes(one)));
  if (changes.length > 0)
    beyond('records of another organisation have changed', changes.slice(0, 3).join('\n'));
  const channels = await world.ask(foreign.key, 'POST', '/channels', {});
  if (channels.status !== 200 || channels.body.length !== 1)
    beyond(`POST /channels answers ${JSON.stringify(channels)}`);
  if ('polluted' in {}) beyond('every object has got a new property');
  return { requests: sent, seed, statuses, failures: [...failures.values()] };
}

/** The right one so often that most requests pass by it, and not so often that the others are out of reach. */
function mostly(identifier: string): string[] {
  return Array.from({ length: knownMax - 4 }, () => identifier);
}

function targetOf(
  contract: Contract,
  introduction: Introduction,
  weight: number,
  known: Target['known'],
  credential: Target['credential'],
): Target {
  let compiled: ReturnType<typeof Compile<TSchema>> | undefined;
  const isWhole = (answer: unknown) => {
    compiled ??= Compile(contract.answer);
    return compiled.Check(answer);
  };
  return { contract, introduction, weight, known, credential, isWhole };
}

/** The frequency of an operation: lower for imports, passwords and deletions. */
function weightOf({ method, stream, body }: Contract): number {
  if (stream !== undefined) return 0.125;
  if (method === 'DELETE') return 0.5;
  return body !== undefined && 'password' in body.properties ? 0.5 : 2;
}

function methodsMissing({ path }: Contract, targets: readonly Target[]): string[] {
  const pattern = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
  const taken = targets
    .filter(({ contract }) => pattern(contract.path) === pattern(path))
    .map(({ contract }) => contract.method as string);
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'].filter(
    (method) => !taken.includes(method),
  );
}

/** An organisation with facts and, where there are such operations, with tags and groups. */
async function furnish(
  world: World,
  name: string,
  { channelId = `channel-${name}`, merchantId = 'M1 @ US' },
): Promise<Tenant> {
  const searchQueryPerformance = { plan: 'enterprise', searchQueryPerformance: true };
  const tenant = await world.tenant({
    organisation: { name, ...searchQueryPerformance },
    channelId,
    channel: { merchantId, displayName: name, timezone: 'America/New_York' },
  });
  const days = Array.from({ length: 30 }, (_, day) => day);
  const named = (text: string) => (name === marker ? `${text}-${marker}` : text);
  const lines = days.flatMap((day) =>
    ['A', 'B'].map((sku, line) => ({
      orderId: named(`order-${day}`),
      lineId: String(line),
      purchasedAt: firstDay + day * secondsPerDay + line * 10_000,
      sku: named(sku),
      quantity: 1 + line,
      itemPrice: 10.5 + day,
      itemTax: 0.75,
      currency: line === 0 ? 'USD' : 'EUR',
      buyerEmail: `${named('buyer')}@example.com`,
    })),
  );
  const date = (day: number) =>
    new Date((firstDay + day * secondsPerDay) * 1000).toISOString().slice(0, 10);
  await importRows(world, 'orderLines', channelId, lines);
  await importRows(
    world,
    'traffic',
    channelId,
    days.flatMap((day) => [
      {
        date: date(day),
        sku: named('A'),
        productId: 'PA',
        pageViews: 40 + day,
        sessions: 20,
        buyBoxPercentage: 90,
      },
    ]),
  );
  await importRows(
    world,
    'campaignDays',
    channelId,
    days.map((day) => ({
      date: date(day),
      campaignId: '1',
      impressions: 1_000,
      clicks: 20,
      cost: '6.50',
      sales: '26.00',
    })),
  );
  await importRows(
    world,
    'exchangeRates',
    undefined,
    days.flatMap((day) =>
      ['USD', 'JPY'].map((currency) => ({
        date: date(day),
        currency,
        perEuro: currency === 'USD' ? 1.05 : 161.5,
      })),
    ),
  );
  const { channelNumber } = await world.registry.records
    .selectFrom('channel')
    .select('channelNumber')
    .where('channelId', '=', channelId)
    .executeTakeFirstOrThrow();
  const times = { createdAt: world.clock.now, updatedAt: world.clock.now };
  await world.registry.records
    .insertInto('channelTag')
    .values({ channelNumber, userId: null, tag: `org://${name}` })
    .execute();
  const { groupId } = await world.registry.records
    .insertInto('customGroup')
    .values({ channelNumber, groupName: name, kind: 'brands', ...times })
    .returning('groupId')
    .executeTakeFirstOrThrow();
  await world.registry.records
    .insertInto('customGroupEntry')
    .values({ groupId, entry: named('Brand') })
    .execute();
  return tenant;
}

/** Gives the operator's requests something to work on again, after others have deleted or changed it. */
async function refurnish(
  world: World,
  own: Tenant,
  known: Target['known'],
  round: number,
): Promise<void> {
  await world.operator('DELETE', '/operator/channels/imported');
  await world.channel(own.organisationId, 'imported', { merchantId: own.merchantId });
  keep(known, 'channelId', 'imported');
  keep(known, 'merchantId', own.merchantId);
  const { organisationId } = await world.operate('POST', '/operator/organisations', {
    name: 'Playground',
  });
  for (const person of ['a', 'b', 'c']) {
    const email = `${person}-${round}@playground.example`;
    const { userId } = await world.operate('POST', '/operator/users', {
      organisationId,
      email,
      role: 'owner',
    });
    keep(known, 'userId', userId);
    keep(known, 'keyId', (await world.operate('POST', '/operator/keys', { userId })).keyId);
  }
  keep(known, 'organisationId', organisationId);
  keep(known, 'channelId', await world.channel(organisationId, `playground-${round}`));
}

/** Columns with the owner of a record. */
const ownerColumns = [
  'organisation_id',
  'user_id',
  'channel_number',
  'key_id',
  'group_id',
  'campaign_group_id',
  'import_id',
];

/** Everything that the stores hold of an organisation, a text for each record. */
async function recordsOf(world: World, { organisationId }: Tenant): Promise<string[]> {
  const dump = await dumpRegistry(world.registry);
  const owned = new Set([`organisation_id ${organisationId}`]);
  const held = new Set<StoredRow>();
  // Whose a record is may be known only by another record.
  for (let size = -1; size !== held.size; ) {
    size = held.size;
    for (const row of Object.values(dump).flat()) {
      const names = ownerColumns.flatMap((column) =>
        row[column] === undefined || row[column] === null ? [] : [`${column} ${row[column]}`],
      );
      if (held.has(row) || !names.some((name) => owned.has(name))) continue;
      held.add(row);
      for (const name of names) owned.add(name);
    }
  }
  const facts = Object.values(await dumpWarehouse(world.warehouse))
    .flat()
    .filter((line) => line.includes(marker));
  return [...[...held].map((row) => JSON.stringify(row)), ...facts];
}

if (import.meta.main) {
  const [requests = '100000', seed = String(Date.now() % 1_000_000_000), pair = 'embedded'] =
    process.argv.slice(2);
  const begun = performance.now();
  const report = await fuzz(pair as Pair, Number(requests), Number(seed));
  for (const [operation, statuses] of Object.entries(report.statuses))
    console.log(operation.padEnd(24), JSON.stringify(statuses));
  for (const { operation, reason, request } of report.failures)
    console.log(`\n${operation}: ${reason}\n  ${request}`);
  console.log(
    `\n${report.requests} requests, seed ${report.seed}, ${report.failures.length} failures, ${Math.round((performance.now() - begun) / 1000)} s`,
  );
  process.exitCode = report.failures.length === 0 ? 0 : 1;
}
