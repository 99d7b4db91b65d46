import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { eachPair, until, type World } from '../../../../test/harness.ts';
import { importRows } from '../../../../test/imports.ts';
import { StoreUnavailable } from '../../../engine/errors.ts';
import type { Warehouse } from '../../../engine/warehouse.ts';
import type { Finding } from './findings.ts';

const day = 86_400_000;

/** The findings of a diagnosis by their subjects, after a check of what holds for each of them. */
async function diagnosed(
  world: World,
): Promise<{ state: string; of: (subject: string) => Finding[] }> {
  const before = Math.floor(world.clock.now / 1000);
  const { state, at, findings } = await world.operate('GET', '/operator/diagnosis');
  assert.ok(at >= before && at <= world.clock.now / 1000, `${at}`);
  for (const finding of findings as Finding[]) {
    assert.equal(finding.advice === null, finding.state === 'well', JSON.stringify(finding));
  }
  return {
    state,
    of: (subject) => findings.filter((finding: Finding) => finding.subject === subject),
  };
}

const states = (findings: readonly Finding[]) => findings.map(({ state }) => state);
const said = (findings: readonly Finding[]) => findings.map(({ finding }) => finding);

eachPair(
  '200: a sound service has no findings except the tasks that its operator still has to do',
  async (world) => {
    // The clock of this process, by which those of the stores are judged.
    Object.defineProperty(world.clock, 'now', { get: Date.now, configurable: true });
    const { version } = JSON.parse(
      readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
    );
    const isServed = world.pair === 'served';
    const { of } = await diagnosed(world);
    assert.deepEqual(said(of('version')), [`Vitrine ${version}`]);
    assert.deepEqual(said(of('node')), [`Node ${process.version}`]);
    assert.match(
      of('registry')[0]!.finding,
      isServed ? /^PostgreSQL \d+\S*.* answers/ : /^SQLite \d+\.\d+\S* answers/,
    );
    assert.match(
      of('warehouse')[0]!.finding,
      isServed ? /^ClickHouse \d+\.\d+\S* answers/ : /^DuckDB \d+\.\d+\S* answers/,
    );
    assert.deepEqual(said(of('budgets')), [
      isServed ? 'kept in PostgreSQL' : 'kept in the memory of this process',
    ]);
    for (const subject of [
      'version',
      'node',
      'registry',
      'warehouse',
      'budgets',
      'imports',
      'keys',
      'facts',
    ]) {
      assert.deepEqual(states(of(subject)), ['well'], subject);
    }
    assert.equal(of('disk').length, 1);
    for (const subject of ['clock of the registry', 'clock of the warehouse']) {
      assert.deepEqual(states(of(subject)), isServed ? ['well'] : [], subject);
    }
    assert.deepEqual(said(of('exchange rates')), [
      'there are none, so no currency can be converted',
    ]);

    await importRows(world, 'exchangeRates', undefined, [
      { date: new Date().toISOString().slice(0, 10), currency: 'USD', perEuro: 1.1 },
      { date: '2020-01-01', currency: 'JPY', perEuro: 160 },
    ]);
    assert.deepEqual(states((await diagnosed(world)).of('exchange rates')), ['well']);
    Object.defineProperty(world.clock, 'now', { value: Date.now() + 9 * day });
    assert.deepEqual(states((await diagnosed(world)).of('exchange rates')), ['warning']);
  },
);

eachPair('200: a wrong clock is reported if a store has its own clock', async (world) => {
  world.clock.now = Date.now() + day;
  const { state, of } = await diagnosed(world);
  if (world.pair === 'embedded') return;
  for (const subject of ['clock of the registry', 'clock of the warehouse']) {
    assert.deepEqual(states(of(subject)), ['warning']);
    assert.match(of(subject)[0]!.finding, /^it is 8\d{4}\.\d s behind the clock of this node$/);
  }
  assert.notEqual(state, 'well');
});

eachPair('200: records that need looking after are counted', async (world) => {
  const { now } = world.clock;
  const acme = await world.tenant();
  const bravo = await world.tenant();
  const ended = await world.tenant();
  const revoked = await world.tenant();
  const end = (keyId: string, milliseconds: number) =>
    world.operate('PATCH', `/operator/keys/${keyId}`, {
      expiresAt: Math.floor((now + milliseconds) / 1000),
    });
  await world.operate('PATCH', `/operator/organisations/${bravo.organisationId}`, {
    apiAccess: false,
  });
  await end(acme.keyId, 7 * day);
  await end(bravo.keyId, 8 * day);
  await end(ended.keyId, -day);
  await end(revoked.keyId, day);
  await world.operate('DELETE', `/operator/keys/${revoked.keyId}`);
  assert.deepEqual(said((await diagnosed(world)).of('keys')), [
    'keys of organisations without API access: 1; keys that expire within 7 days: 1',
  ]);

  const { channelNumber } = await world.registry.records
    .selectFrom('channel')
    .select('channelNumber')
    .where('channelId', '=', acme.channelId)
    .executeTakeFirstOrThrow();
  const record = async (
    state: 'running' | 'done' | 'failed',
    startedAt: number,
    finishedAt: number | null,
    dataset = 'traffic',
  ) => {
    const none = {
      rowsRead: 0,
      rowsAccepted: 0,
      rowsRejected: 0,
      rowsMerged: 0,
      rowsSkipped: 0,
      rowsCoarse: 0,
      rounded: 0,
      firstDate: null,
      lastDate: null,
      error: null,
    };
    const { importId } = await world.registry.records
      .insertInto('import')
      .values({ dataset, channelNumber, state, startedAt, finishedAt, ...none })
      .returning('importId')
      .executeTakeFirstOrThrow();
    return importId;
  };
  assert.deepEqual(states((await diagnosed(world)).of('facts')), ['well']);
  world.clock.now += 3 * day + 1;
  const later = world.clock.now;
  assert.deepEqual(said((await diagnosed(world)).of('facts')), [
    'channels without an import in the last 3 days: 4 of 4',
  ]);
  await record('done', later - 3 * day, later - 3 * day);
  assert.deepEqual(said((await diagnosed(world)).of('facts')), [
    'channels without an import in the last 3 days: 3 of 4',
  ]);
  world.clock.now += 1;
  await record('done', later, later, 'rebuild');
  await record('failed', later, later);
  await record('running', later, null);
  assert.deepEqual(said((await diagnosed(world)).of('facts')), [
    'channels without an import in the last 3 days: 4 of 4',
  ]);

  await record('failed', later - 8 * day, later - 8 * day);
  const running = await record('running', later - 3_700_000, null);
  assert.deepEqual(said((await diagnosed(world)).of('imports')), [
    `running for more than an hour: ${running}`,
    'failed in the last 7 days: 1',
  ]);
});

eachPair(
  '200: a warehouse that is down, with words that nobody may read, is a failure among the findings',
  async (world) => {
    const { state, of } = await diagnosed(world);
    assert.equal(state, 'failed');
    assert.deepEqual(said(of('warehouse')), [
      'the warehouse cannot be reached; the log of this node says why',
    ]);
    assert.deepEqual(states(of('warehouse')), ['failed']);
    assert.deepEqual(states(of('exchange rates')), ['failed']);
    assert.deepEqual(states(of('registry')), ['well']);
    const text = JSON.stringify(await world.operate('GET', '/operator/diagnosis'));
    assert.doesNotMatch(text, /hidden/);
    assert.ok(
      world.logLines.some(
        (line) =>
          line.includes('the diagnosis could not examine') &&
          line.includes('"subject":"warehouse"'),
      ),
    );
  },
  {
    between: (warehouse) =>
      instead(warehouse, () =>
        Promise.reject(new StoreUnavailable('warehouse', new Error('http://me:hidden@host'))),
      ),
  },
);

eachPair(
  '200: a warehouse that hangs is a failure after two seconds, and holds up nothing else',
  async (world) => {
    const before = world.timers.pending;
    const diagnosing = diagnosed(world);
    // The other examinations have ended and cancelled their timers.
    await until(() => world.timers.pending === before + 2);
    world.timers.advance(2_000);
    const { state, of } = await diagnosing;
    assert.equal(state, 'failed');
    for (const subject of ['warehouse', 'exchange rates'])
      assert.deepEqual(said(of(subject)), ['no answer within 2 s'], subject);
    for (const subject of ['registry', 'keys', 'facts', 'imports'])
      assert.deepEqual(states(of(subject)), ['well'], subject);
  },
  { between: (warehouse) => instead(warehouse, () => new Promise<never>(() => {})) },
);

eachPair('200: a registry that is down is a failure among the findings', async (world) => {
  await world.registry.close();
  const { state, of } = await diagnosed(world);
  assert.equal(state, 'failed');
  for (const subject of ['registry', 'imports', 'keys', 'facts'])
    assert.deepEqual(states(of(subject)), ['failed'], subject);
  assert.deepEqual(states(of('warehouse')), ['well']);
});

eachPair('200: a diagnosis holds no secret, and changes nothing', async (world) => {
  const { key } = await world.tenant();
  const before = await world.operate('GET', '/operator/audit');
  const text = JSON.stringify(await world.operate('GET', '/operator/diagnosis'));
  for (const secret of [world.operatorToken, 'secret-of-the-tests', key])
    assert.ok(!text.includes(secret));
  assert.doesNotMatch(text, /:\/\/[^/"]*@/);
  assert.deepEqual(await world.operate('GET', '/operator/audit'), before);
});

/** A warehouse whose answers to questions are those of `answer`. */
function instead(warehouse: Warehouse, answer: () => Promise<never>): Warehouse {
  const replaced: Pick<Warehouse, 'ask' | 'checkHealth'> = { ask: answer, checkHealth: answer };
  return new Proxy(warehouse, {
    get: (target, name) => Reflect.get(name in replaced ? replaced : target, name),
  });
}
