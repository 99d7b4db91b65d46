/** Each finding of a diagnosis follows from what was measured, and says so in words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listsOf, tablesBeside } from '../../../../test/table.ts';
import {
  judgeClock,
  judgeConfiguration,
  judgeDamage,
  judgeDisk,
  judgeFacts,
  judgeImports,
  judgeKeys,
  judgeNode,
  judgeRates,
  judgeStore,
  judgeTaxes,
  worst,
} from './findings.ts';

const tables = tablesBeside(import.meta.url, 'findings.tables.txt');

const config = {
  secret: 'of-no-matter-here',
  operatorTokens: ['of-no-matter-either'] as const,
  publicUrl: 'https://api.example.com',
  host: '0.0.0.0',
  contact: undefined,
  trustedProxies: [],
  origins: undefined,
  webhooks: { allowsHttp: false, networks: [] },
  mailDomains: undefined,
  requiresSecondFactor: false,
  breachedPasswords: undefined,
  environment: 'production' as const,
  dataFolder: '/data',
};
const gibibyte = 2 ** 30;

test('a configuration is well where its address is reached from outside', () => {
  const finding = 'production, listens on 0.0.0.0, public address https://api.example.com';
  const well = { subject: 'configuration', state: 'well', finding, advice: null };
  assert.deepEqual(judgeConfiguration(config), [well]);
});

test('an address that leads nowhere from outside is warned of where the service listens to the outside', () => {
  const state = (host: string, publicUrl: string) =>
    worst(judgeConfiguration({ ...config, host, publicUrl }));
  for (const own of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]'])
    for (const host of ['0.0.0.0', '::', '10.1.2.3'])
      assert.equal(state(host, `http://${own}:8080`), 'warning', `${host} ${own}`);
  for (const host of ['127.0.0.1', '127.0.1.1', 'localhost', '::1'])
    assert.equal(state(host, 'http://127.0.0.1:8080'), 'well', host);
  assert.equal(state('10.1.2.3', 'http://10.1.2.3:8080'), 'well');
});

test('an address is reported without its password', () => {
  for (const publicUrl of ['https://me:hidden@api.example.com', 'http://me:hidden@localhost:80'])
    assert.doesNotMatch(JSON.stringify(judgeConfiguration({ ...config, publicUrl })), /hidden/);
});

test('a disk is judged by its share and its size of free space', () => {
  const disk = { filesFree: 1, files: 100, isWritable: true };
  const judged = (free: number, size: number, more: Partial<typeof disk> = {}) =>
    judgeDisk('/data', { ...disk, free: free * gibibyte, size: size * gibibyte, ...more });
  for (const [free, size, state] of listsOf(tables.disks!))
    assert.equal(judged(free, size).state, state, `${free} of ${size}`);
  assert.equal(judged(4.9, 20).finding, '4.9 GiB free on the disk of /data, 24.5 %');
  for (const more of [{ filesFree: 0 }, { isWritable: false }])
    assert.equal(judged(50, 100, more).state, 'failed');
});

test('a clock is judged by what cannot be the time that reading it took', () => {
  const judged = (clock: number) => judgeClock('clock of the registry', clock, 100_000, 101_000);
  for (const [clock, state] of listsOf(tables.clocks!))
    assert.equal(judged(clock).state, state, `${clock}`);
  assert.equal(judged(111_000).finding, 'it is 10.0 s ahead of the clock of this node');
  assert.equal(judged(90_000).finding, 'it is 10.0 s behind the clock of this node');
});

test('a store is judged by the schema that it holds and by its servers', () => {
  const state = (held: number, newest: number) =>
    judgeStore('registry', { engine: 'SQLite 3', schema: { held, newest }, clock: null }).state;
  assert.deepEqual([state(2, 2), state(1, 2), state(10, 9)], ['well', 'failed', 'warning']);
  const ofClickHouse = { engine: 'ClickHouse 26.7', schema: { held: 3, newest: 3 }, clock: null };
  const clustered = (silent: number) =>
    judgeStore('warehouse', { ...ofClickHouse, servers: { all: 3, silent } });
  assert.equal(clustered(0).state, 'well');
  const { state: judged, finding } = clustered(1);
  const silent = '1 of 3 servers of ClickHouse 26.7 do not answer';
  assert.deepEqual([judged, finding], ['failed', silent]);
  assert.equal(judgeStore('warehouse', { ...ofClickHouse, isDamaged: true }).state, 'failed');
});

test('damage is a failure that names what is damaged', () => {
  const of = (damaged?: string[], isNew = true) =>
    judgeDamage(damaged && { at: 0, damaged }, isNew);
  const found = [of(['registry', 'a.csv'], false), of([]), of([], false), of(undefined, false)];
  assert.deepEqual(
    found.map(({ state, finding }) => `${state}: ${finding.split(';')[0]}`),
    [
      'failed: not as it was written: registry, a.csv',
      'well: everything stored is as it was written',
      'well: none at 1970-01-01T00:00:00.000Z',
      'well: none found yet',
    ],
  );
});

test('rates are judged by the age of the newest published one; own ones are named', () => {
  const rate = (currency: string, day: number, source = '') => ({
    currency,
    day,
    per_euro: 2,
    source,
  });
  const own = rate('TWD', 20_000, 'own');
  const judge = (rates: Parameters<typeof judgeRates>[0]) =>
    judgeRates(rates, 20_000).map(({ state }) => state);
  const ages = [20_000, 19_999, 19_993, 19_992].map((day) => judge([rate('USD', day)])[0]);
  assert.deepEqual(ages, ['well', 'well', 'well', 'warning']);
  assert.deepEqual(judge([]), ['warning']);
  assert.deepEqual(judge([own, rate('USD', 19_992)]), ['warning', 'well']);
  assert.deepEqual(judge([own]), ['well', 'well']);
  // A history of 200 days that was imported a week ago, and the day before.
  const shipped = (first: number) => judgeRates([rate('USD', 19_800)], 20_000, first)[0]!;
  assert.deepEqual([shipped(19_993).state, shipped(19_992).state], ['well', 'warning']);
  assert.equal(judgeRates([own], 20_000)[1]!.finding, 'in use: TWD of 2024-10-04');
});

test('imports, keys, facts, taxes and Node are judged by their numbers', () => {
  const long = 'running for more than an hour';
  for (const [running, failed, findings] of [
    [[], 0, ['none runs too long, none failed in the last 7 days']],
    [[4, 7], 0, [`${long}: 4, 7`]],
    [[], 2, ['failed in the last 7 days: 2']],
    [[4], 1, [`${long}: 4`, 'failed in the last 7 days: 1']],
  ] as const) {
    const found = judgeImports(running, failed).map(({ finding }) => finding);
    assert.deepEqual(found, findings);
  }
  assert.equal(judgeKeys(0, 0).state, 'well');
  const keys = 'keys of organisations without API access: 2; keys that expire within 7 days: 1';
  assert.equal(judgeKeys(2, 1).finding, keys);
  assert.equal(judgeFacts(0, 3).state, 'well');
  const facts = 'channels without an import in the last 3 days: 2 of 3';
  assert.equal(judgeFacts(2, 3).finding, facts);
  const taxes = judgeTaxes(['de'], ['fr', 'it']).map(({ finding }) => finding);
  assert.deepEqual(taxes, [
    'channels with orders whose prices were read by an earlier version: de',
    'channels whose net figures hold tax that no document states: fr, it',
  ]);
  assert.equal(worst(judgeTaxes([], [])), 'well');
  for (const [state, ...versions] of [
    ['well', 'v24.7.0', 'v24.21.0', 'v25.0.0', 'v100.0.0'],
    ['failed', 'v24.6.1', 'v22.9.0', 'v4.9.1'],
  ] as const)
    for (const version of versions)
      assert.equal(judgeNode(version, '>=24.7').state, state, version);
});

test('the state of the service is that of its worst finding', () => {
  const worstOf = (...states: ('well' | 'warning' | 'failed')[]) =>
    worst(states.map((state) => ({ subject: 'a', state, finding: 'b', advice: null })));
  assert.equal(worstOf('well', 'well'), 'well');
  assert.equal(worstOf('well', 'warning'), 'warning');
  assert.equal(worstOf('failed', 'warning', 'well'), 'failed');
});
