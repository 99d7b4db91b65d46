/**
 * The diagnosis says what is well, what needs looking after and what has failed, even when a store
 * is down or hangs, and holds no secret.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { onEachPair, testOnOnePair, until } from '../../../../test/harness.ts';
import { importRows } from '../../../../test/imports.ts';
import { changeRecords, channelNumberOf } from '../../../../test/records.ts';
import { StoreUnavailable } from '../../../engine/errors.ts';
import { openImport } from '../../../engine/registry.ts';
import type { Warehouse } from '../../../engine/warehouse.ts';
import type { Finding } from './findings.ts';

const day = 86_400_000;
const states = (findings: readonly Finding[]) => findings.map(({ state }) => state);
const said = (findings: readonly Finding[]) => findings.map(({ finding }) => finding);

/** Stands in for the warehouse, if there is one. */
let answer: (() => Promise<never>) | undefined;

/** A warehouse that answers questions by `answer` while there is one. */
function interrupted(warehouse: Warehouse): Warehouse {
  return new Proxy(warehouse, {
    get: (target, name) =>
      answer && (name === 'ask' || name === 'checkHealth') ? answer : Reflect.get(target, name),
  });
}

onEachPair(
  'the diagnosis',
  (world, pair) => {
    const isServed = pair === 'served';
    const testOnce = testOnOnePair(pair);

    /** The findings by their subjects, after a check of what holds for each of them. */
    async function diagnosed() {
      const before = Math.floor(world().clock.now / 1000);
      const { state, at, findings } = await world().operate('GET', '/operator/diagnosis');
      assert.ok(at >= before && at <= world().clock.now / 1000, `${at}`);
      for (const finding of findings as Finding[])
        assert.equal(finding.advice === null, finding.state === 'well', JSON.stringify(finding));
      const of = (subject: string): Finding[] =>
        findings.filter((finding: Finding) => finding.subject === subject);
      return { state, of };
    }
    const stateOf = async (subject: string) => states((await diagnosed()).of(subject));
    const saidOf = async (subject: string) => said((await diagnosed()).of(subject));
    const standAt = (now: number) =>
      Object.defineProperty(world().clock, 'now', { value: now, writable: true });

    test('200: a sound service has no findings except the tasks that its operator still has to do', async () => {
      const { now } = world().clock;
      // The clock of this process, which judges the stores' clocks.
      Object.defineProperty(world().clock, 'now', { get: Date.now, configurable: true });
      const file = new URL('../../../../package.json', import.meta.url);
      const { version } = JSON.parse(readFileSync(file, 'utf8'));
      const { of } = await diagnosed();
      assert.deepEqual(said(of('version')), [`Vitrine ${version}`]);
      assert.deepEqual(said(of('node')), [`Node ${process.version}`]);
      const registry = isServed ? /^PostgreSQL \d+\S*.* answers/ : /^SQLite \d+\.\d+\S* answers/;
      assert.match(of('registry')[0]!.finding, registry);
      const warehouse = isServed
        ? /^ClickHouse \d+\.\d+\S* answers/
        : /^DuckDB \d+\.\d+\S* answers/;
      assert.match(of('warehouse')[0]!.finding, warehouse);
      assert.match(of('budgets')[0]!.finding, isServed ? /PostgreSQL$/ : / of this process$/);
      const examined = ['version', 'node', 'registry', 'warehouse', 'damage', 'budgets'];
      for (const subject of [...examined, 'imports', 'keys', 'facts'])
        assert.deepEqual(states(of(subject)), ['well'], subject);
      assert.equal(of('disk').length, 1);
      for (const subject of ['clock of the registry', 'clock of the warehouse'])
        assert.deepEqual(states(of(subject)), isServed ? ['well'] : [], subject);
      assert.match(of('exchange rates')[0]!.finding, /^there are none, so no currency can be/);

      await importRows(world(), 'exchangeRates', undefined, [
        { date: new Date().toISOString().slice(0, 10), currency: 'USD', perEuro: 1.1 },
        { date: '2020-01-01', currency: 'JPY', perEuro: 160 },
      ]);
      assert.deepEqual(await stateOf('exchange rates'), ['well']);
      standAt(Date.now() + 9 * day);
      assert.deepEqual(await stateOf('exchange rates'), ['warning']);
      standAt(now);
    });

    test('200: a wrong clock is reported if a store has its own clock', async () => {
      const { now } = world().clock;
      standAt(Date.now() + day);
      const { state, of } = await diagnosed();
      standAt(now);
      if (!isServed) return;
      for (const subject of ['clock of the registry', 'clock of the warehouse']) {
        assert.deepEqual(states(of(subject)), ['warning']);
        assert.match(of(subject)[0]!.finding, /^it is 8\d{4}\.\d s behind the clock of this node$/);
      }
      assert.notEqual(state, 'well');
    });

    test('200: a warehouse that is down, with words that nobody may read, is a failure among the findings', async () => {
      const down = new StoreUnavailable('warehouse', new Error('http://me:hidden@host'));
      answer = () => Promise.reject(down);
      try {
        const { state, of } = await diagnosed();
        assert.equal(state, 'failed');
        assert.match(of('warehouse')[0]!.finding, /^the warehouse cannot be reached; the log/);
        assert.deepEqual(states(of('warehouse')), ['failed']);
        assert.deepEqual(states(of('exchange rates')), ['failed']);
        assert.deepEqual(states(of('registry')), ['well']);
        const text = JSON.stringify(await world().operate('GET', '/operator/diagnosis'));
        assert.doesNotMatch(text, /hidden/);
      } finally {
        answer = undefined;
      }
      const lines = world().logLines.filter((one) => one.includes('"subject":"warehouse"'));
      assert.ok(lines.some((one) => one.includes('the diagnosis could not examine')));
    });

    test('200: a warehouse that hangs is a failure after two seconds, and holds up nothing else', async () => {
      answer = () => new Promise<never>(() => {});
      try {
        const before = world().timers.pending;
        const diagnosing = diagnosed();
        // The other examinations have ended and cancelled their timers.
        await until(() => world().timers.pending === before + 2);
        world().timers.advance(2_000);
        const { state, of } = await diagnosing;
        assert.equal(state, 'failed');
        for (const subject of ['warehouse', 'exchange rates'])
          assert.deepEqual(said(of(subject)), ['no answer within 2 s'], subject);
        for (const subject of ['registry', 'keys', 'facts', 'imports'])
          assert.deepEqual(states(of(subject)), ['well'], subject);
      } finally {
        answer = undefined;
      }
    });

    testOnce('200: records that need looking after are counted', async () => {
      const { now } = world().clock;
      const acme = await world().tenant();
      const bravo = await world().tenant();
      const ended = await world().tenant();
      const revoked = await world().tenant();
      const end = (keyId: string, milliseconds: number) => {
        const expiresAt = Math.floor((now + milliseconds) / 1000);
        return world().operate('PATCH', `/operator/keys/${keyId}`, { expiresAt });
      };
      const ofBravo = `/operator/organisations/${bravo.organisationId}`;
      await world().operate('PATCH', ofBravo, { apiAccess: false });
      await end(acme.keyId, 7 * day);
      await end(bravo.keyId, 8 * day);
      await end(ended.keyId, -day);
      await end(revoked.keyId, day);
      await world().operate('DELETE', `/operator/keys/${revoked.keyId}`);
      const counted =
        'keys of organisations without API access: 1; keys that expire within 7 days: 1';
      assert.deepEqual(await saidOf('keys'), [counted]);

      const channelNumber = await channelNumberOf(world(), acme.channelId);
      type State = 'running' | 'done' | 'failed';
      const record = async (state: State, startedAt: number, dataset = 'traffic') => {
        const importId = await openImport(world().registry, dataset, channelNumber, startedAt);
        const finishedAt = state === 'running' ? null : startedAt;
        await changeRecords(world(), 'import', { importId }, { state, finishedAt });
        return importId;
      };
      const without = (channels: number) => [
        `channels without an import in the last 3 days: ${channels} of 4`,
      ];
      assert.deepEqual(await stateOf('facts'), ['well']);
      world().clock.now += 3 * day + 1;
      const later = world().clock.now;
      assert.deepEqual(await saidOf('facts'), without(4));
      await record('done', later - 3 * day);
      assert.deepEqual(await saidOf('facts'), without(3));
      world().clock.now += 1;
      await record('done', later, 'rebuild');
      await record('failed', later);
      await record('running', later);
      assert.deepEqual(await saidOf('facts'), without(4));

      await record('failed', later - 8 * day);
      const running = await record('running', later - 3_700_000);
      assert.deepEqual(await saidOf('imports'), [
        `running for more than an hour: ${running}`,
        'failed in the last 7 days: 1',
      ]);
    });

    test('200: a diagnosis holds no secret, and changes nothing', async () => {
      const { key } = await world().tenant();
      const before = await world().operate('GET', '/operator/audit');
      const text = JSON.stringify(await world().operate('GET', '/operator/diagnosis'));
      for (const secret of [world().operatorToken, 'secret-of-the-tests', key])
        assert.ok(!text.includes(secret));
      assert.doesNotMatch(text, /:\/\/[^/"]*@/);
      assert.deepEqual(await world().operate('GET', '/operator/audit'), before);
    });

    // The last, because it closes the registry.
    test('200: a registry that is down is a failure among the findings', async () => {
      await world().registry.close();
      const { state, of } = await diagnosed();
      assert.equal(state, 'failed');
      for (const subject of ['registry', 'imports', 'keys', 'facts'])
        assert.deepEqual(states(of(subject)), ['failed'], subject);
      assert.deepEqual(states(of('warehouse')), ['well']);
    });
  },
  { between: interrupted },
);
