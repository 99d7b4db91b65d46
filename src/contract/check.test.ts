/**
 * A request is checked against its contract: defaults, every failing rule in its order, unknown
 * fields, and bounds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import Format from 'typebox/format';
import { level, slowTest } from '../../test/level.ts';
import { compileCheck, type RawRequest, sayFailures } from './check.ts';
import { listedMax } from './fieldFailures.ts';
import {
  ByPeriodOptions,
  Currency,
  channelFields,
  List,
  OneOf,
  pageFields,
  periodRules,
  Text,
} from './shapes.ts';
import { unknownMax } from './unknownFields.ts';

const byPeriod = compileCheck({
  body: Type.Object({
    ...channelFields,
    reportOptions: ByPeriodOptions,
    includeTax: Type.Boolean({ default: true }),
    sellerSkus: Type.Optional(List(Text())),
    currentCurrency: Type.Optional(Currency()),
  }),
  rules: periodRules('reportOptions'),
});
const list = compileCheck({
  pathParameters: Type.Object({ groupId: Type.Integer({ minimum: 1 }) }),
  query: Type.Object({
    channelId: List(Text(), { minItems: 1, maxItems: 5 }),
    status: Type.Optional(List(OneOf(['active', 'paused']))),
    withTax: Type.Boolean({ default: false }),
    ...pageFields,
  }),
});

const right = {
  channelId: 'c',
  merchantId: 'm',
  reportOptions: { fromDate: 1_752_933_600, toDate: 1_753_019_999, timezone: 'Australia/Sydney' },
};
const said = (check: typeof byPeriod, given: RawRequest) => sayFailures(check.run(given).failures);
const body = (changes: object) => ({ body: { ...right, ...changes } });
const options = (changes: object) =>
  body({ reportOptions: { ...right.reportOptions, ...changes } });
/** Expects these failures of a request to the report by period; an empty text means none. */
const says = (given: RawRequest, text: string) => assert.equal(said(byPeriod, given), text);

test('a valid request passes, with its defaults and without unknown fields', () => {
  const { input, failures } = byPeriod.run(body({ currentCurrency: 'usd', shoeSize: 44 }));
  assert.deepEqual(failures, []);
  const reportOptions = { ...right.reportOptions, interval: 'd' };
  const added = { includeTax: true, currentCurrency: 'USD' };
  assert.deepEqual(input, { ...right, reportOptions, ...added });
});

test('a missing body counts as an empty one, and every required field is named', () => {
  says({}, 'channelId is required, merchantId is required, reportOptions is required');
});

test('a body that is not an object is refused as a whole', () => {
  for (const wrong of [null, [], 'text', 7])
    says({ body: wrong }, 'the body must be a JSON object');
});

test('every failing rule is listed in the order of the contract, whatever the order of the request', () => {
  const given = {
    includeTax: 'yes',
    reportOptions: { timezone: 'Mars/Base', toDate: '5', fromDate: 1.5 },
    merchantId: '',
    channelId: 7,
  };
  says(
    { body: given },
    'channelId must be a string, merchantId must not be empty, reportOptions.fromDate must be an integer, ' +
      'reportOptions.toDate must be an integer, reportOptions.timezone must be an IANA time zone, includeTax must be true or false',
  );
});

test('milliseconds are refused where seconds are expected', () => {
  const text = 'reportOptions.toDate must be in seconds and not in milliseconds';
  says(options({ toDate: 1_753_019_999_000 }), text);
  says(options({ toDate: 1e11 }), '');
});

test('a rule between fields is checked only when its fields pass their own rules', () => {
  const text = 'reportOptions.toDate must not be before reportOptions.fromDate';
  says(options({ toDate: 1 }), text);
  says(options({ toDate: 1, fromDate: null }), 'reportOptions.fromDate must be an integer');
  says(options({ toDate: right.reportOptions.fromDate }), '');
  const { body: sent } = options({ toDate: 1, priorToDate: 5 });
  says(
    { body: { ...sent, channelId: undefined, sellerSkus: [3] } },
    `channelId is required, ${text}, ` +
      'reportOptions.priorFromDate and reportOptions.priorToDate must be given together, sellerSkus[0] must be a string',
  );
});

test('numbers, booleans and lists are read from the text of a query', () => {
  const query = { channelId: 'a', withTax: 'true', pageSize: '5' };
  const { input, failures } = list.run({ path: { groupId: '7' }, query });
  assert.deepEqual(failures, []);
  const page = { pageIndex: 0, pageSize: 5 };
  assert.deepEqual(input, { groupId: 7, channelId: ['a'], withTax: true, ...page });
});

test('a list may be given as repeated, bracketed and comma-separated parameters', () => {
  const both = ['a', 'b'];
  const mixed = { channelId: 'a', 'channelId[]': 'b' };
  for (const query of [{ channelId: both }, { 'channelId[]': both }, { channelId: 'a,b' }, mixed])
    assert.deepEqual(list.run({ path: { groupId: '7' }, query }).input.channelId, both);
});

test('a wrong query is refused', () => {
  const words = { channelId: '', status: 'active,gone', withTax: '1' };
  const query = { ...words, pageIndex: ['1', '2'], pageSize: '5.0' };
  assert.equal(
    said(list, { path: { groupId: 'x' }, query }),
    'groupId must be an integer, channelId must not be empty, status[1] must be active or paused, withTax must be true or false, ' +
      'pageIndex must be given once, pageSize must be an integer',
  );
  const many = { path: { groupId: '1' }, query: { channelId: 'a,b,c,d,e,f' } };
  assert.equal(said(list, many), 'channelId must have at most 5 entries');
});

test('numbers in a body are not read from text', () => {
  says(options({ fromDate: '1752933600' }), 'reportOptions.fromDate must be an integer');
});

test('of a list the first failing entries are listed, and they hide no other field', () => {
  const sent = body({ sellerSkus: Array(900).fill(0), currentCurrency: 'euro' });
  const texts = said(byPeriod, sent).split(', ');
  const first = ['sellerSkus[0] must be a string', 'sellerSkus[1] must be a string'];
  assert.deepEqual(texts.slice(0, 2), first);
  assert.deepEqual(texts.slice(listedMax - 1), [
    `sellerSkus[${listedMax - 1}] must be a string`,
    'sellerSkus has more entries that fail',
    'currentCurrency must be a currency code of three letters',
  ]);
});

test('of thousands of failing entries only the listed ones are examined', () => {
  let examined = 0;
  Format.Set('counted', () => ++examined < 0);
  const row = Type.Object({ id: Type.String({ format: 'counted' }) });
  const rows = compileCheck({ body: Type.Object({ rows: List(row, { maxItems: 20_000 }) }) });
  const sent = { rows: Array.from({ length: 15_000 }, () => ({ id: 'x' })) };
  assert.equal(said(rows, { body: sent }).split(', ').length, listedMax + 1);
  assert.ok(examined < 5 * listedMax, `${examined} of 15000`);
});

test('a list that is too long is refused for its length, and for entries that fail', () => {
  const sent = (entryOf: (place: number) => unknown) =>
    body({ sellerSkus: Array.from({ length: 5_000 }, (_, place) => entryOf(place)) });
  const text = 'sellerSkus must have at most 1000 entries';
  const different = sent((place) => `A${place}`);
  says(different, text);
  assert.ok(said(byPeriod, sent(Number)).startsWith(`${text}, sellerSkus[0] must be a string, `));
  // Equal entries count once; the others have their positions in the client's request.
  const equal = sent(() => 'A');
  says(equal, '');
  says(body({ sellerSkus: ['A', 'A', 0] }), 'sellerSkus[2] must be a string');
});

test('a rule about the length of a list is checked although entries of it fail', () => {
  const check = compileCheck({
    body: Type.Object({ some: Type.Optional(List(Text(), { maxItems: 2 })), other: List(Text()) }),
    rules: [
      {
        at: 'some',
        reads: ['other'],
        check: ({ some = [], other }) => (some.length === other.length ? 'as many' : undefined),
      },
      { at: 'some', reads: ['some[]'], check: () => 'whole' },
    ],
  });
  const abc = ['a', 'b', 'c'];
  for (const [some, other, text] of [
    [[''], [5], 'some[0] must not be empty, as many, other[0] must be a string'],
    ['a', ['a'], 'some must be an array'],
    [abc, abc, 'some must have at most 2 entries, as many'],
    [['a'], ['a'], 'as many, whole'],
  ] as const)
    assert.equal(said(check, { body: { some, other } }), text);
});

test('null means no value in an optional field, and a wrong one in a required field', () => {
  const none = { sellerSkus: null, includeTax: null, currentCurrency: null };
  const { input, failures } = byPeriod.run(body(none));
  assert.deepEqual(failures, []);
  const reportOptions = { ...right.reportOptions, interval: 'd' };
  assert.deepEqual(input, { ...right, reportOptions, includeTax: true });
  const nested = byPeriod.run(options({ priorFromDate: null, priorToDate: null, interval: null }));
  assert.deepEqual(nested.failures, []);
  says(body({ channelId: null }), 'channelId must be a string');
  says(body({ sellerSkus: [null] }), 'sellerSkus[0] must be a string');
  const end = Type.Optional(Type.Union([Type.Integer(), Type.Null()]));
  const nullable = compileCheck({ body: Type.Object({ end }) });
  assert.deepEqual(nullable.run({ body: { end: null } }).input, { end: null });
});

test('fields that the contract does not know are named, wherever they are', () => {
  const rows = compileCheck({
    query: Type.Object({ tag: Type.Optional(List(Text())) }),
    body: Type.Object({
      options: Type.Optional(Type.Object({ timezone: Type.Optional(Text()) })),
      rows: Type.Optional(List(Type.Object({ sku: Text() }))),
    }),
  });
  const sent = {
    query: { tag: 'a', 'tag[]': 'b', 'shoe[]': '44' },
    body: {
      options: { timezon: 'UTC', 'x\r\n, y': 1, ['z'.repeat(500)]: 1 },
      rows: [{ sku: 'A' }, { sku: 'B', skus: 5 }, 7],
      timezone: 'UTC',
    },
  };
  const ignored =
    'shoe[] options.timezon options.(withheld) options.(withheld) rows[1].skus timezone';
  assert.deepEqual(rows.run(sent).ignored, ignored.split(' '));
  const strict = rows.run(sent, true);
  assert.deepEqual(strict.ignored, []);
  assert.deepEqual(sayFailures(strict.failures).split(', '), [
    'rows[2] must be an object',
    'shoe[] is not known',
    'options.timezon is not known: did you mean options.timezone?',
    'options.(withheld) is not known',
    'options.(withheld) is not known',
    'rows[1].skus is not known: did you mean rows[1].sku?',
    'timezone is not known: did you mean options.timezone?',
  ]);
  assert.deepEqual(rows.run({ query: { tag: 'a' }, body: { rows: [] } }, true).failures, []);
});

test('the number of unknown fields that are named is bounded', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]));
  const { ignored } = byPeriod.run(body(many));
  const expected = Array.from({ length: unknownMax }, (_, index) => `x${index}`);
  assert.deepEqual(ignored, expected);
  const { failures } = byPeriod.run(body(many), true);
  assert.equal(failures.length, unknownMax + 1);
  assert.equal(failures.at(-1)!.text, 'more fields are not known');
});

test('a text that a store would change is refused, wherever it is', () => {
  for (const text of ['a\u0000', '\ud83d', '\ude00b']) {
    const rule = 'must be whole characters without NUL';
    says(body({ channelId: text }), `channelId ${rule}`);
    says(body({ sellerSkus: ['A', text] }), `sellerSkus[1] ${rule}`);
    const sent = { path: { groupId: '7' }, query: { channelId: ['a', text] } };
    assert.equal(said(list, sent), `channelId[1] ${rule}`);
  }
  says(body({ sellerSkus: ['\ud83d\ude00', '\u202e', '\n'] }), '');
});

test('names that every object inherits are not fields', () => {
  const sent = JSON.stringify(right).replace('{', '{"__proto__":{"includeTax":"no"},');
  const { input, failures } = byPeriod.run({ body: JSON.parse(sent) });
  assert.deepEqual(failures, []);
  assert.equal(input.includeTax, true);
});

slowTest('whatever is sent either passes or is refused in words of its own', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(1, 0, '', 'd', 'UTC', true, 1e12, [], {}, 'é'.repeat(300)),
  );
  const recordOf = (names: string, fields: Record<string, fc.Arbitrary<unknown>> = {}) => {
    const values = names.split(' ').map((name) => [name, value]);
    return fc.record({ ...Object.fromEntries(values), ...fields }, { requiredKeys: [] });
  };
  const reportOptions = recordOf('fromDate toDate priorFromDate timezone interval');
  const record = recordOf('channelId merchantId includeTax currentCurrency', {
    reportOptions: fc.oneof(value, reportOptions),
    sellerSkus: fc.oneof(value, fc.array(value)),
  });
  fc.assert(
    fc.property(record, (sent) => {
      const { failures } = byPeriod.run({ body: sent });
      const wordless = 'the request does not keep the rules of this operation';
      assert.ok(failures.every(({ text }) => text !== wordless));
    }),
    { numRuns: level === 'deep' ? 2_000 : 500 },
  );
});
