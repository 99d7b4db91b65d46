/**
 * The account pages count the requests of a user's keys as the operator does, and list the last
 * ones with the reason of each refusal.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from '../../../../test/examples.ts';
import { hardlyLimited, onEachPair, testOnOnePair } from '../../../../test/harness.ts';
import { addRecords, recordsOf } from '../../../../test/records.ts';
import { rowsOf } from '../../../../test/table.ts';
import { ownerOf } from '../../../../test/visitors.ts';
import { assertShown } from '../../../../test/world.ts';
import { pruneRequests } from '../../../access/usage.ts';
import type { KeyUsageRecord } from '../../../engine/records.ts';

const day = 86_400_000;
/** 2026-01-15, the day of the world's clock, in days since 1970-01-01. */
const today = 20_468;
const counted = ['requests', 'refused', 'limited', 'failed'] as const;
type Counts = Record<(typeof counted)[number], number>;

const sumOf = (rows: readonly Counts[]) =>
  Object.fromEntries(counted.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]));

onEachPair(
  'the use of keys',
  (world, pair) => {
    const testOnce = testOnOnePair(pair);
    const say = async (key: string, how?: string, headers?: Record<string, string>) =>
      (await world().ask(key, 'POST', '/say', { how }, headers)).headers['x-request-id'];

    test('the figures equal those that the operator sees, however the requests ended', async () => {
      const organisation = { plan: 'standard' };
      const tenant = await world().tenant({ organisation, limits: { perDay: 9 } });
      const other = await world().tenant();
      const visitor = await ownerOf(world(), tenant);
      const nothing = { requests: 0, refused: 0, limited: 0, failed: 0 };
      const empty = await visitor.get('/account/usage');
      assert.deepEqual([empty.total, empty.operations, empty.days.length], [nothing, [], 30]);
      const named = (keyId: string, name: string, key: string) => ({
        keyId,
        name,
        hint: `...${key.slice(-4)}`,
      });
      const first = named(tenant.keyId, 'API key', tenant.key);
      assert.deepEqual(empty.keys, [{ ...first, ...nothing, usedToday: 0, perDay: 9 }]);

      world().clock.now += 1;
      const input = { userId: tenant.userId, name: 'Nightly reports', limits: hardlyLimited };
      const second = await world().operate('POST', '/operator/keys', input);
      const earlier = `keyId, day, operation, requests, refused, limited, failed
        ${tenant.keyId}, ${today - 29}, listOnce, 40,   0, 1, 0
        ${second.keyId}, ${today - 29}, listOnce, 2,    0, 1, 0
        ${tenant.keyId}, ${today - 30}, listOnce, 1000, 0, 1, 0
        ${other.keyId},  ${today - 3},  listOnce, 7,    0, 1, 0`;
      await addRecords(world(), 'keyUsage', ...(rowsOf(earlier) as KeyUsageRecord[]));
      for (const how of ['well', undefined, 'missing', 'fails', 'later', 'well', 'well'])
        await say(tenant.key, how);
      for (let time = 0; time < 4; time += 1) await world().ask(tenant.key, 'POST', '/orders', {});
      await say(second.key, 'well');
      await say(other.key, 'well');
      await world().ask('wrong', 'POST', '/say', {});

      const { total, days, operations, keys } = await visitor.get('/account/usage');
      const path = `/operator/usage?userId=${tenant.userId}&pageSize=1000`;
      const { usage } = await world().operate('GET', path);
      const where = (field: string, value: string) =>
        sumOf(usage.filter((one: Record<string, unknown>) => one[field] === value));
      assert.deepEqual(total, sumOf(usage));
      assert.deepEqual(total, { requests: 54, refused: 4, limited: 4, failed: 2 });
      for (const { date, ...counts } of days) assert.deepEqual(counts, where('date', date), date);
      assertShown([days[0], days[29]])`
        date,       requests
        2025-12-17, 42
        2026-01-15, 12`;
      for (const { operation, call: _, ...counts } of operations)
        assert.deepEqual(counts, where('operation', operation), operation);
      assertShown(operations)`
        operation,  call,         requests
        listOnce,   listOnce,     42
        say,        POST /say,    8
        readOrders, POST /orders, 4`;
      // Used today is without what the limits did not allow: 9 of the first key's 11 requests.
      const counts = { requests: 51, refused: 4, limited: 3, failed: 2, usedToday: 9 };
      const ofFirst = { ...first, ...counts, perDay: 9 };
      const nightly = named(second.keyId, 'Nightly reports', second.key);
      const few = { requests: 3, refused: 0, limited: 1, failed: 0, usedToday: 1 };
      const ofSecond = { ...nightly, ...few };
      assert.deepEqual(keys, [ofFirst, { ...ofSecond, perDay: hardlyLimited.perDay }]);
      assert.deepEqual(total, sumOf(keys));
      await world().operate('DELETE', `/operator/keys/${second.keyId}`);
      const after = await visitor.get('/account/usage');
      assert.deepEqual(after.keys, [ofFirst, { ...ofSecond, perDay: null }]);
      assert.equal(after.total.requests, 54);
    });

    testOnce('the last fifty requests of this user are listed one by one', async () => {
      const [tenant, other] = [await world().tenant(), await world().tenant()];
      const visitor = await ownerOf(world(), tenant);
      assert.deepEqual(await visitor.get('/account/requests'), { requests: [] });
      const { userId } = tenant;
      const issued = { userId, limits: hardlyLimited };
      const second = await world().operate('POST', '/operator/keys', issued);
      const expected: unknown[] = [];
      for (let number = 0; number < 60; number += 1) {
        world().clock.now += 7;
        const how = number % 3 === 0 ? 'fails' : 'well';
        const key = number % 2 === 0 ? tenant.key : second.key;
        const named = number === 59 ? { 'x-request-id': 'named-by-the-client' } : {};
        const requestId = await say(key, how, named);
        const status = how === 'fails' ? 500 : 200;
        expected.unshift([world().clock.now, 'say', 'POST /say', status, requestId]);
        // Several writes; each leaves the newest requests of a key.
        if (number % 25 === 0) await visitor.get('/account/requests');
      }
      await say(other.key, 'well');
      const { requests } = await visitor.get('/account/requests');
      const names = ['at', 'operation', 'call', 'status', 'requestId'];
      const listed = requests.map((one: Record<string, unknown>) => names.map((name) => one[name]));
      assert.deepEqual(listed, expected.slice(0, 50));
      assert.equal(requests[0].requestId, 'named-by-the-client');
      for (const { milliseconds } of requests) assert.ok(milliseconds > 0 && milliseconds < 5_000);
    });

    testOnce('a refused request says why, without keys, addresses and its texts', async () => {
      const tenant = await world().tenant({ organisation: { plan: 'standard' } });
      const visitor = await ownerOf(world(), tenant);
      const send = (path: string, body: object) => world().ask(tenant.key, 'POST', path, body);
      await send('/say', {});
      await send('/orders', {});
      await send('/say', { how: 'fails' });
      await send('/say', { how: 'well' });
      await send('/say', { how: `quote ${tenant.key} of ann@example.com, indeed` });
      await send('/say', { how: `quote ${'long '.repeat(90)}` });
      const { requests } = await visitor.get('/account/requests');
      const [long, ...rest] = requests;
      const broken =
        'something went wrong on our side; the x-request-id of this answer helps us to find out what';
      assertShown(rest)`
        status, reason
        400, """(withheld)"" has no answer: (withheld) of (withheld), indeed"
        200, null
        500, ${broken}
        401, this endpoint needs the enterprise plan
        400, how is required`;
      assert.match(long.reason, /^"\(withheld\)" has no answer: (long )+[long ]*…$/);
      assert.equal(long.reason.length, 300);
      const { name, hint } = requests[0].key;
      assert.deepEqual([name, hint], ['API key', `...${tenant.key.slice(-4)}`]);
    });

    test('of each key no more than fifty requests are stored, and none longer than seven days', async () => {
      const tenant = await world().tenant();
      const visitor = await ownerOf(world(), tenant);
      const { keyId } = tenant;
      const stored = async () =>
        (await recordsOf(world(), 'recentRequest', { keyId }, 'requestNumber')).map(({ at }) => at);
      const times: number[] = [];
      for (let number = 0; number < 70; number += 1) {
        world().clock.now += 1;
        times.push(world().clock.now);
        await say(tenant.key, 'well');
        if (number === 9) await visitor.get('/account/requests');
      }
      await visitor.get('/account/requests');
      assert.deepEqual(await stored(), times.slice(-50));
      const last = times.at(-1)!;
      world().clock.now = last + 7 * day - 20;
      // After days, the earlier session has ended.
      const again = await ownerOf(world(), tenant);
      assert.equal((await again.get('/account/requests')).requests.length, 21);
      await pruneRequests(world().registry, world().clock.now);
      assert.deepEqual(await stored(), times.slice(-21));
      await world().operate('DELETE', `/operator/users/${tenant.userId}`);
      assert.deepEqual(await stored(), []);
    });
  },
  { endpoints: examples },
);
