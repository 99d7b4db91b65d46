/**
 * Light requests of one organisation beside 40 heavy ones of another, in turn with quiet times: a
 * week of sales and a readiness check, against ranges of centuries and SKUs in zones that no rollup
 * fits. Then small work of every kind beside much work of others. `node bench/fairness.ts
 * [rounds=5] [requests=300] [pieces=9]`
 */
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { mintKey } from '../src/access/keys.ts';
import { openSqlite } from '../src/engine/sqlite/registry.ts';
import { benchData } from './data.ts';
import { merchantId, secret, zone } from './folders.ts';
import type { HeavyBody, Lanes } from './lanes.ts';
import { heapFlags, median, withServers } from './measure.ts';
import { firstDay } from './rows.ts';
import { measureTurns } from './turns.ts';

const heavyInFlight = 40;
/** Time until all heavy requests are under way. */
const warmUpMilliseconds = 1_000;
const secondsPerDay = 86_400;
const [rounds = 5, requests = 300, pieces = 9] = process.argv.slice(2).map(Number);
const data = await benchData(2, 200, 730);

/** Copies the data set, and gives its second channel to another organisation. */
async function withNeighbour(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(data.folder, folder, { recursive: true });
  const registry = await openSqlite(join(folder, 'registry.sqlite'));
  const { records } = registry;
  const organisationId = 'neighbour';
  const organisation = await records
    .selectFrom('organisation')
    .selectAll()
    .executeTakeFirstOrThrow();
  await records
    .insertInto('organisation')
    .values({ ...organisation, organisationId })
    .execute();
  const user = await records.selectFrom('userAccount').selectAll().executeTakeFirstOrThrow();
  const own = { organisationId, userId: organisationId, email: 'neighbour@example.com' };
  await records
    .insertInto('userAccount')
    .values({ ...user, ...own })
    .execute();
  const { key, ...stored } = mintKey(secret, organisationId, 'production');
  const apiKey = await records.selectFrom('apiKey').selectAll().executeTakeFirstOrThrow();
  await records
    .insertInto('apiKey')
    .values({ ...apiKey, keyId: organisationId, userId: organisationId, ...stored })
    .execute();
  await records
    .updateTable('channel')
    .set({ organisationId })
    .where('channelId', '=', 'channel-1')
    .execute();
  await registry.close();
  return key;
}

const from = firstDay * secondsPerDay;
const ages = { fromDate: 0, toDate: 1e11, timezone: 'America/Denver' };
const facts = { fromDate: from, toDate: from + data.days * secondsPerDay, timezone: 'Asia/Kabul' };
const skus = Array.from({ length: 100 }, (_, sku) => `SKU-${String(sku).padStart(4, '0')}`);
const own = { channelId: 'channel-0', merchantId };
const heavy: readonly (readonly [string, HeavyBody])[] = [
  ['/reports/view/advertisingByChannels', { reportOptions: ages, currentCurrency: 'USD' }],
  ['/reports/view/salesByPeriod', { ...own, reportOptions: facts, sellerSkus: skus }],
  ['/reports/view/salesByPeriod', { ...own, reportOptions: { ...ages, interval: 'y' } }],
  ['/profitability/storeProfitAndLoss', { ...own, reportOptions: ages }],
];
const week = {
  channelId: 'channel-1',
  merchantId,
  reportOptions: { fromDate: from, toDate: from + 7 * secondsPerDay - 1, timezone: zone },
};

/** Sends a request once; returns the milliseconds and the status. */
async function ask(url: string, init: RequestInit): Promise<readonly [number, number]> {
  const start = performance.now();
  const answer = await fetch(url, init);
  await answer.arrayBuffer();
  return [performance.now() - start, answer.status];
}

const highest = (times: readonly number[]) =>
  [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1]!;

const folder = fileURLToPath(new URL('data/fairness/', import.meta.url));
const neighbour = await withNeighbour(folder);
await withServers(async (start) => {
  const { address } = await start('service.ts', folder, [], heapFlags);
  const light = {
    'a week of sales': (): ReturnType<typeof ask> =>
      ask(`${address}/reports/view/salesByPeriod`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': neighbour },
        body: JSON.stringify(week),
      }),
    readiness: () => ask(`${address}/readyz`, {}),
  };
  type Light = keyof typeof light;
  const names = Object.keys(light) as Light[];
  const measure = async () => {
    const times = new Map<Light, number[]>(names.map((name) => [name, []]));
    for (let index = 0; index < requests; index++)
      for (const name of names) {
        const [milliseconds, status] = await light[name]();
        if (status !== 200) throw new Error(`${name} answered ${status}`);
        times.get(name)!.push(milliseconds);
      }
    return new Map(names.map((name) => [name, highest(times.get(name)!)]));
  };
  await measure();
  const ratios = new Map<Light, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const quiet = await measure();
    const workerData: Lanes = {
      address,
      key: data.key,
      requests: heavy,
      inFlight: heavyInFlight,
    };
    const lanes = new Worker(new URL('lanes.ts', import.meta.url), { workerData });
    await delay(warmUpMilliseconds);
    const beside = await measure();
    lanes.postMessage('over');
    const [statuses] = await once(lanes, 'message');
    for (const name of names) {
      const ratio = beside.get(name)! / quiet.get(name)!;
      ratios.get(name)!.push(ratio);
      console.log(
        `round ${round + 1}, ${name}: 99th quiet ${quiet.get(name)!.toFixed(1)} ms, beside ` +
          `${heavyInFlight} heavy ones ${beside.get(name)!.toFixed(1)} ms, ratio ${ratio.toFixed(1)}`,
      );
    }
    console.log(`  heavy answers by status: ${JSON.stringify(statuses)}`);
  }
  for (const name of names)
    console.log(`${name}: median ratio ${median(ratios.get(name)!).toFixed(1)}`);
});
await measureTurns(pieces);
