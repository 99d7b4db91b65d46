/**
 * Requests are counted by key, day, operation and outcome; the counts reach the registry every few
 * seconds and when the server ends, whatever happens meanwhile.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { createUsage, usageWriteMilliseconds } from '../src/access/usage.ts';
import { StoreUnavailable } from '../src/engine/errors.ts';
import type { Registry } from '../src/engine/registry.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { HandClock } from './clock.ts';
import { examples } from './examples.ts';
import { clockStart, onEachPair, until } from './harness.ts';
import { deepTest, level } from './level.ts';
import { recordOf, recordsOf } from './records.ts';
import { makeOwner, startService } from './service.ts';
import { listsOf } from './table.ts';
import { assertShown } from './world.ts';

/** 2026-01-15, the day of the world's clock, in days since 1970-01-01. */
const today = 20_468;

/** A clock a number of milliseconds after the start of the world's. */
const clockAt = (milliseconds: number) => new HandClock(clockStart + milliseconds);

const unheard = (error: unknown) => assert.fail(String(error));

/** The recorded usage of a key, by day and operation. */
async function usageOf(registry: Registry, keyId: string) {
  const rows = await recordsOf({ registry }, 'keyUsage', { keyId }, 'operation');
  return rows
    .map((row) => ({
      day: Number(row.day),
      operation: row.operation,
      requests: Number(row.requests),
      refused: Number(row.refused),
      limited: Number(row.limited),
      failed: Number(row.failed),
    }))
    .sort((one, other) => one.day - other.day);
}

/** A request of a key that was answered. */
const answered = (keyId: string, operation: string, status: number) => {
  const measured = { reason: null, milliseconds: 1, requestId: 'request' };
  return { keyId, operation, status, ...measured };
};

const lastUsed = async (registry: Registry, keyId: string): Promise<number | null> => {
  const { lastUsedAt } = await recordOf({ registry }, 'apiKey', { keyId });
  return lastUsedAt === null ? null : Number(lastUsedAt);
};

onEachPair(
  'usage',
  (world) => {
    test('counted requests are written every few seconds, and no request writes', async () => {
      const { keyId, key } = await world().tenant();
      const { records } = world().registry;
      const changing = ['insertInto', 'updateTable', 'deleteFrom'] as const;
      const writes = changing.map((name) => mock.method(records, name));
      for (let time = 0; time < 100; time += 1)
        assert.equal((await world().ask(key, 'POST', '/say', { how: 'well' })).status, 200);
      assert.deepEqual(await usageOf(world().registry, keyId), []);
      // Nodes look for jobs all the time.
      const tables = writes.flatMap((one) => one.mock.calls.map((call) => call.arguments[0]));
      assert.ok(
        tables.every((table) => table === 'job'),
        `${tables}`,
      );
      for (const one of writes) one.mock.restore();

      world().timers.advance(usageWriteMilliseconds);
      await until(async () => (await usageOf(world().registry, keyId)).length > 0);
      assert.deepEqual(await usageOf(world().registry, keyId), [
        { day: today, operation: 'say', requests: 100, refused: 0, limited: 0, failed: 0 },
      ]);
    });

    test('the counts of two nodes add up, and the key was last used when either saw it last', async () => {
      const { registry } = world();
      const keys: string[] = [];
      const rounds = level === 'deep' ? 10 : 4;
      const { userId, keyId } = await world().tenant();
      for (let number = 0; number < 5; number += 1)
        keys.push((await world().operate('POST', '/operator/keys', { userId })).keyId);
      const none = { day: today, refused: 0, failed: 0 };
      const here = createUsage(registry, clockAt(2_000), unheard);
      const there = createUsage(registry, clockAt(1_000), unheard);
      for (let round = 0; round < rounds; round += 1) {
        for (const key of keys) here.note(answered(key, 'say', 200));
        for (const key of keys.toReversed())
          there.note(answered(key, round % 2 === 0 ? 'say' : 'sing', 429));
        await Promise.all([here.write(), there.write()]);
      }
      await Promise.all([here.close(), there.close()]);
      for (const key of keys) {
        assert.deepEqual(await usageOf(registry, key), [
          { operation: 'say', ...none, requests: 1.5 * rounds, limited: rounds / 2 },
          { operation: 'sing', ...none, requests: rounds / 2, limited: rounds / 2 },
        ]);
        assert.equal(await lastUsed(registry, key), clockStart + 2_000);
        // Without those that the limits did not allow.
        assert.equal(await here.usedOn(key, today), rounds);
      }
      assert.equal(await here.usedOn(keyId, today), 0);
      assert.equal(await here.usedOn(keys[0]!, today + 1), 0);
    });

    test('counts made during a write are written by the next call', async () => {
      const { keyId } = await world().tenant();
      const usage = createUsage(world().registry, clockAt(0), unheard);
      usage.note(answered(keyId, 'say', 200));
      const first = usage.write();
      usage.note(answered(keyId, 'say', 200));
      await Promise.all([usage.write(), usage.write()]);
      assert.equal(await usage.usedOn(keyId, today), 2);
      await Promise.all([first, usage.close()]);
    });

    test('a registry that is out of reach for a while loses no counts, and a key that is gone takes none along', async () => {
      const { registry } = world();
      const { userId, keyId } = await world().tenant();
      const gone = await world().operate('POST', '/operator/keys', { userId });
      const failures: unknown[] = [];
      const usage = createUsage(registry, clockAt(0), (error) => failures.push(error));
      const broken = mock.method(registry.records, 'transaction', () => {
        throw new StoreUnavailable('registry', new Error('gone'));
      });
      for (let time = 0; time < 3; time += 1) {
        usage.note(answered(keyId, 'say', 200));
        usage.note(answered(gone.keyId, 'say', 200));
        await usage.write();
      }
      assert.equal(failures.length, 3);
      broken.mock.restore();
      await registry.records.deleteFrom('apiKey').where('keyId', '=', gone.keyId).execute();
      usage.note(answered(keyId, 'say', 500));
      await usage.close();
      assert.equal(failures.length, 3);
      assert.deepEqual(await usageOf(registry, keyId), [
        { day: today, operation: 'say', requests: 4, refused: 0, limited: 0, failed: 1 },
      ]);
      assert.deepEqual(await usageOf(registry, gone.keyId), []);
      const single = await recordsOf(world(), 'recentRequest', { keyId }, 'requestNumber');
      const statuses = single.map(({ status }) => status);
      assert.deepEqual(statuses, [200, 200, 200, 500]);
      assert.deepEqual(await recordsOf(world(), 'recentRequest', { keyId: gone.keyId }), []);
    });

    // The last, because it moves the clock and ends the server.
    test('requests are counted by key, UTC day, operation and outcome', async () => {
      const organisation = { plan: 'standard' };
      const { keyId, userId, key } = await world().tenant({ organisation, limits: { perDay: 8 } });
      const other = await world().operate('POST', '/operator/keys', { userId });
      const say = async (how: string | undefined) =>
        (await world().ask(key, 'POST', '/say', { how })).status;
      for (const [status, how] of listsOf(`
        200, well
        400,
        404, missing
        500, fails
        503, later
        200, well`))
        assert.equal(await say(how), status, how);
      for (const status of [401, 401, 429])
        assert.equal((await world().ask(key, 'POST', '/orders', {})).status, status);
      await world().ask('wrong', 'POST', '/say', { how: 'well' });
      await world().ask(key, 'GET', '/nowhere');
      world().clock.now = Date.UTC(2026, 0, 16, 0, 0, 1);
      assert.equal(await say('well'), 200);
      const { registry } = world();
      assert.equal(await lastUsed(registry, keyId), null);
      await world().server.close();

      assertShown(await usageOf(registry, keyId))`
        day,          operation,  requests, refused, limited, failed
        ${today},     readOrders, 3,        2,       1,       0
        ${today},     say,        6,        2,       0,       2
        ${today + 1}, say,        1,        0,       0,       0`;
      assert.equal(await lastUsed(registry, keyId), Date.UTC(2026, 0, 16, 0, 0, 1));
      assert.deepEqual(await usageOf(registry, other.keyId), []);
      assert.equal(await lastUsed(registry, other.keyId), null);
    });
  },
  { endpoints: examples },
);

deepTest('a killed service has its written counts and continues the day from there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-usage-'));
  let service = await startService(folder);
  try {
    const userId = await makeOwner(service);
    const limits = { perSecond: 1_000, burst: 1_000, perDay: 30 };
    const { keyId, key } = await service.operate('POST', '/operator/keys', { userId, limits });
    const ask = () => service.ask('POST', '/channels', {}, { 'x-api-key': key });
    const since = Date.now();
    for (let time = 0; time < 20; time += 1) assert.equal((await ask()).status, 200);
    const registry = await openSqlite(join(folder, 'registry.sqlite'));
    const written = async () =>
      (await usageOf(registry, keyId)).reduce((sum, { requests }) => sum + requests, 0);
    await until(async () => (await written()) >= 20);
    assert.equal((await ask()).status, 200);
    await service.kill();
    const used = await written();
    const days = (await usageOf(registry, keyId)).length;
    assert.ok((await lastUsed(registry, keyId))! >= since);
    await registry.close();
    assert.ok(used === 20 || used === 21, String(used));
    if (days !== 1) return; // Midnight has passed meanwhile.

    service = await startService(folder);
    // At once, while the service still reads its earlier usage.
    const answers = await Promise.all(Array.from({ length: 14 }, ask));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    assert.deepEqual([count(200), count(429)], [30 - used, used - 16]);
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
