/** Beside the heavy questions of one organisation, everything else goes on. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { defaultLimits, threadsFor } from '../src/config.ts';
import { QuestionQueue, queued } from '../src/engine/questionQueue.ts';
import type { QueryLimits, Requester, View, Warehouse } from '../src/engine/warehouse.ts';
import { HandClock } from './clock.ts';
import { onOnePair, type Tenant, until } from './harness.ts';
import { importRows } from './imports.ts';
import { slowTest } from './level.ts';
import { csvOf } from './reports.ts';
import { freshService } from './service.ts';

const clock = new HandClock();
/** The organisations whose questions are held back. */
const heavy = new Set<string>();
let running = 0;
let begun = 0;
let release = Promise.withResolvers<void>();

/** A warehouse that holds back what the heavy organisations ask. */
function held(warehouse: Warehouse): Warehouse {
  const hold = async ({ requester }: QueryLimits) => {
    if (requester === undefined || !heavy.has(requester.organisationId)) return;
    running++;
    await release.promise;
    running--;
  };
  return new Proxy(warehouse, {
    get(target, name) {
      if (name === 'ask' || name === 'read')
        return async (first: never, second: never, ...rest: never[]) => {
          const limits: QueryLimits = name === 'ask' ? rest[0]! : second;
          if (limits.requester?.isReport === undefined) await hold(limits);
          const method = target[name] as (...all: never[]) => unknown;
          return method.call(target, first, second, ...rest);
        };
      if (name === 'view')
        return (channels: number[], limits: QueryLimits, use: (view: View) => unknown) =>
          target.view(channels, limits, async ({ stamps, ask }) =>
            use({
              stamps,
              async ask(question, parameters) {
                await hold(limits);
                return ask(question, parameters);
              },
            }),
          );
      return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
    },
  });
}

const maxima = { runningMax: 2, organisationMax: 1, waitingMax: 3 };

/** A queue that counts who has come to it. */
class CountedQueue extends QuestionQueue {
  override acquire(requester: Requester, signal?: AbortSignal): Promise<() => void> {
    if (heavy.has(requester.organisationId) && !requester.isReport) begun++;
    return super.acquire(requester, signal);
  }
}

const day = { fromDate: 1_752_883_200, toDate: 1_752_969_599, timezone: 'UTC' };
const path = '/reports/view/salesByPeriod';

onOnePair(
  'Heavy questions of one organisation',
  (world) => {
    let one: Tenant;
    let other: Tenant;

    before(async () => {
      heavy.clear();
      [begun, running] = [0, 0];
      release = Promise.withResolvers();
      one = await world().tenant();
      other = await world().tenant();
      heavy.add(one.organisationId);
    });

    after(() => release.resolve());

    const ask = ({ channelId, merchantId }: Tenant, key: string) =>
      world().ask(key, 'POST', path, { channelId, merchantId, reportOptions: day });
    const secondKey = async () =>
      (await world().operate('POST', '/operator/keys', { userId: one.userId })).key as string;

    test('They wait in turn and are refused beyond the limits; nothing else waits', async () => {
      const { key } = one;
      const waiting = [ask(one, key), ask(one, key), ask(one, key)];
      await until(() => begun === 3 && running === 1);

      assert.equal((await ask(other, other.key)).status, 200);
      const get = (url: string) => world().ask(undefined, 'GET', url);
      assert.equal((await get('/readyz')).status, 200);
      assert.equal((await get('/openapi.json')).status, 200);
      const signIn = { email: 'nobody@example.com', password: 'no password of anybody' };
      const origin = { origin: 'http://vitrine.test' };
      const refused = await world().ask(undefined, 'POST', '/account/session', signIn, origin);
      assert.equal(refused.status, 401, JSON.stringify(refused.body));
      await world().operate('GET', `/operator/freshness?channelId=${one.channelId}`);
      const traffic = { date: '2025-07-19', sku: 'A-1', pageViews: 1, currency: 'USD' };
      await importRows(world(), 'traffic', one.channelId, [traffic]);
      const report = await csvOf(world(), one, 'trafficAndConversion', day);
      assert.equal(report.rows.length, 1);

      const second = await secondKey();
      const newest = [ask(one, second), ask(one, second)];
      await until(() => begun === 5);
      // The queue holds three: of the newest key's two questions the one that came later goes.
      const full = await Promise.race(newest);
      assert.equal(full.status, 503);
      assert.equal(full.headers['retry-after'], '10');
      assert.match(full.body.error, /more requests than it can answer at the moment: try again in/);
      // Whichever came first runs, and the four others wait too long.
      const all = [...waiting, ...newest];
      let answered = 0;
      for (const each of all) void each.then(() => answered++);
      clock.advance(10_000);
      await until(() => answered === all.length - 1);
      release.resolve();
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [200, 503, 503, 503, 503]);
      assert.equal((await ask(one, key)).status, 200);
      release = Promise.withResolvers();
    });
  },
  {
    between: (warehouse) =>
      queued(held(warehouse), new CountedQueue({ ...maxima, waitMilliseconds: 10_000 }, clock)),
  },
);

slowTest('A service has threads for its questions, imports and the rest.', async () => {
  await using service = await freshService();
  assert.equal((await service.ask('GET', '/readyz')).status, 200);
  const tasks = `/proc/${service.pid}/task`;
  const nameOf = (id: string) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim();
  const workers = readdirSync(tasks).filter((id) => nameOf(id) === 'libuv-worker').length;
  // Threads that a worker starts have its name too.
  assert.ok(workers >= threadsFor(defaultLimits), `${workers} threads`);
  assert.ok(threadsFor(defaultLimits) > defaultLimits.questions + defaultLimits.imports + 1);
});
