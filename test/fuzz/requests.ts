/** Random requests of an operation: as they should be, nearly so, and hostile. */
import fc, { type Arbitrary } from 'fast-check';
import type { Contract } from '../../src/contract/endpoint.ts';
import type { JsonSchema } from '../../src/contract/jsonSchema.ts';
import type { Draft, Target } from './answers.ts';
import { changed, spoiltStream, streams } from './documents.ts';
import {
  asText,
  hostileText,
  jsonText,
  knownMax,
  nearlyValid,
  reference,
  spoilt,
  valid,
  wordsOf,
} from './values.ts';

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

export type Mode = 'valid' | 'near' | 'hostile';

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
    const isPresent =
      required.includes(name) && schema.default === undefined && mode === 'valid'
        ? fc.constant(true)
        : fc.boolean();
    return fc.tuple(isPresent, value, fc.nat({ max: 3 })).map(([present, one, way]) => {
      if (!present) return [];
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
      const odd = ['[]=1', '=1,2', `=1&${name}=2`, '', '=%zz', '=%00', '=%ED%A0%80', '[a][b]=1'];
      return name + (odd[way] ?? `=${encoded(text)}`);
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

const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
const headerText = fc.string({ unit: fc.constantFrom(...visible, ' ', 'ÿ', '\t'), maxLength: 80 });
const wrongTypes = [
  ...wordsOf('text/plain application/xml application/jsonx ;'),
  ...['', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16'],
  ...['text/csv; charset="nonsense"', 'application/x-ndjson; charset=utf-7'],
];

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
  const keyed = fc.nat({ max: 300 }).map((number) => ({ 'idempotency-key': `call-${number}` }));
  const once = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: keyed });
  const usual = fc.tuple(type, once).map(([one, two]) => ({ ...credential, ...one, ...two }));
  if (mode !== 'hostile') return usual;
  const odd: Arbitrary<Record<string, string>>[] = [
    fc.constantFrom(...wrongTypes).map((text) => ({ 'content-type': text })),
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

/** Requests of an operation: as they should be, nearly so, and hostile. */
export function draftOf(
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
  return modes.map(({ method: present, rest: { path, headers, body } }) => {
    const { 'content-type': type, ...others } = headers;
    const typed = body !== undefined && type !== undefined && { 'content-type': type };
    return { method: present, path, body, headers: { ...others, ...typed } };
  });
}
