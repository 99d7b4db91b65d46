/** Values that requests are made of: valid ones, nearly valid ones and hostile ones. */
import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../../src/contract/jsonSchema.ts';
import { barsOf, textBeside } from '../table.ts';

/** The most identifiers of one name that are recorded. */
export const knownMax = 12;
/** The first second with facts of the stores. */
export const firstDay = Date.UTC(2025, 1, 1) / 1000;
/** Seconds of a day. */
export const secondsPerDay = 86_400;

/** Stands in a draft for an identifier that only the world knows. */
export const reference = (name: string, index: number) => `~known~${name}~${index}~`;
export const references = /~known~(\w+)~(\d+)~/g;
/** Stands in the JSON of a draft for something that JSON.stringify would not write. */
const rawJson = (text: string) => `~raw~${text}~`;
const rawJsons = /"~raw~([^~"]*)~"/g;

/** The texts of a list that spaces and line ends separate. */
export const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

const injections = [
  "' OR '1'='1",
  "'; DROP TABLE channel; --",
  "' UNION SELECT sealed FROM api_key --",
  "1); ATTACH '/tmp/x' AS x; --",
  '$$; SELECT pg_read_file($$/etc/passwd$$)',
  "') FORMAT TSV SETTINGS max_execution_time=0 --",
  '<%= 1 %>',
  '-- ',
  ...wordsOf(`'||pg_sleep(20)||' read_csv('/etc/passwd') url('http://127.0.0.1:1/')
    {channel:Int64} {{7*7}} \${process.env} ../../../../etc/passwd ..%2f..%2fetc
    __proto__ constructor toString hasOwnProperty % %s%n \\ " * /* ? :name $1`),
];
const oddTexts = [
  ...'| |\u0000|a\u0000b|\ud800|a\udfffb|\u202eabc|e\u0301|\u0130|\u00df|\ufeff|\uffff'.split('|'),
  ...'\u2028|\r\n|\t|👩‍👩‍👧‍👦|０１２'.split('|'),
  ...['𝕏'.repeat(60), 'x'.repeat(201), 'x'.repeat(501), 'é'.repeat(20_000)],
];
const numbers = [
  ...[0, -1, 1, 0.5, 1.0000001, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 53 + 2, 1e11, 1e11 + 1],
  ...[1e12, -1e15, 1e21, 5e-324, 1e308],
];
const rawNumbers =
  '-0 1e400 -1e400 1E2 0.1e1 00 0x10 1_000 NaN Infinity 9007199254740993 1.0 +1 .5'.split(' ');

/** Any character. The unit `binary` of fast-check has them too, but takes seconds to list them. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff - 0x8_00 })
  .map((place) => String.fromCodePoint(place < 0xd8_00 ? place : place + 0x8_00));

export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...injections),
  fc.constantFrom(...oddTexts),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ maxLength: 300 }),
);
const nested = (depth: number, open: string, close: string) =>
  rawJson(open.repeat(depth) + close.repeat(depth));
export const hostileValue: Arbitrary<unknown> = fc.oneof(
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

const zones = wordsOf(`UTC America/New_York Asia/Kathmandu Australia/Lord_Howe Africa/Cairo
  Pacific/Apia America/Los_Angeles`);
const wordsByName: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  barsOf(textBeside(import.meta.url, 'values.words.txt')).map(([name, ...words]) => [name, words]),
);

/** Values that the schema of a field allows, mostly of records that exist. */
export function valid(schema: JsonSchema, name: string): Arbitrary<unknown> {
  const { minimum = -1e9, maximum = 1e9, minLength = 0, maxLength = 60 } = schema;
  const { minItems = 0, maxItems = 8 } = schema;
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
      const isReference = /(^id|Id|^channelIds|^subject|^email|^token)$/.test(name);
      return fc.oneof(
        { weight: isReference ? 60 : 0, arbitrary: existing },
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
export function nearlyValid(schema: JsonSchema, name: string): Arbitrary<unknown> {
  const mostly =
    schema.type === 'object'
      ? objectOf(schema, nearlyValid, fc.constantFrom(true, true, true, false))
      : valid(schema, name);
  return fc.oneof(
    { weight: 24, arbitrary: mostly },
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
  if (maxLength !== undefined) {
    const full = [maxLength, maxLength + 1].map((length) => 'x'.repeat(length));
    edges.push(fc.constantFrom(...full, '𝕏'.repeat(maxLength), 'y'.repeat(minLength)));
  }
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

/**
 * An object with a random choice of optional fields, and the required ones if `isComplete` holds.
 */
function objectOf(
  { properties = {}, required = [] }: JsonSchema,
  field: Field,
  isComplete: Arbitrary<boolean>,
): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name) && schema.default === undefined;
    const value = field(schema, name);
    if (isRequired && field === valid) return value.map((one) => [[name, one]]);
    // Both dates of a comparison come together.
    if (field === valid && name.startsWith('prior'))
      return value.map((one) => [[name, one, 'compared']]);
    return fc
      .tuple(isRequired ? isComplete : fc.boolean(), value)
      .map(([chosen, one]) => (chosen ? [[name, one]] : []));
  });
  const none = { weight: 6, arbitrary: fc.constant([]) };
  const names = fc.oneof(hostileText, fc.constantFrom('__proto__', 'constructor'));
  const unknown = fc.tuple(names, hostileValue).map((one) => [one]);
  const extra =
    field === valid ? none.arbitrary : fc.oneof(none, { weight: 1, arbitrary: unknown });
  return fc.tuple(extra, fc.boolean(), ...fields).map(([more, isCompared, ...all]) => {
    const chosen = all.flat().filter(([, , only]) => only === undefined || isCompared);
    return Object.fromEntries([...more, ...chosen] as [string, unknown][]);
  });
}

export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replaceAll(rawJsons, '$1');
}

export function spoilt(text: Arbitrary<string>): Arbitrary<string | Uint8Array | undefined> {
  return fc
    .tuple(text, fc.nat(), fc.nat({ max: 10 }), hostileValue)
    .map(([json, at, way, value]) => {
      const place = at % (json.length + 1);
      const [before, after] = [json.slice(0, place), json.slice(place)];
      const text = jsonText(value);
      const inherited = `,"__proto__":${text},"constructor":{"prototype":{"x":1}}}`;
      const noCharacters = Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0]);
      const ways = [
        () => before,
        () => json.replace('{', `{"channelId":${text},`),
        () => json.replace(/\}$/, inherited),
        () => `\ufeff${json}`,
        () => json + text,
        () => before + String.fromCharCode(at % 65_536) + after,
        () => Buffer.from(json, 'utf16le'),
        () => Buffer.concat([Buffer.from(before), noCharacters, Buffer.from(after)]),
        () => text,
        () => gzipSync(json),
      ];
      return ways[way]?.();
    });
}

/** A value of a query or a path, written as text. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}
