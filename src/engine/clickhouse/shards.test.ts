/** Channels on the servers of a ClickHouse cluster, also while one of them is down. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { standingClock } from '../../../test/clock.ts';
import { until } from '../../../test/harness.ts';
import { deepTest, level } from '../../../test/level.ts';
import {
  type ClickHouseCluster,
  queryClickHouse,
  startClickHouseCluster,
} from '../../../test/servers/clickhouse.ts';
import { temporaryRoot } from '../../../test/servers/process.ts';
import { listsOf } from '../../../test/table.ts';
import { collected, land, limits, nextImport, row } from '../../../test/warehouse.ts';
import { StartRefusal, StoreUnavailable } from '../errors.ts';
import { question } from '../question.ts';
import type { Warehouse } from '../warehouse.ts';
import { clickhouseLimits, openClickhouse } from './warehouse.ts';

const clicks = question<{ channel: number; clicks: number }>(
  'clicks',
  `SELECT known.channel AS channel, CAST(coalesce(sum(clicks), 0) AS BIGINT) AS clicks
   FROM campaign AS known
   LEFT JOIN campaign_day AS figures
     ON figures.channel = known.channel AND figures.campaign_id = known.campaign_id
   WHERE one_of(known.channel, {channels:Array(Int32)})
   GROUP BY known.channel ORDER BY known.channel`,
);

const count = 3;
/** Shorter than the deadline of a question, with ticks that the clock does not skip. */
const impatient = { ...clickhouseLimits, silenceMilliseconds: 6_600 };
let folder: string;
let cluster: ClickHouseCluster;
let databases = 0;

before(async () => {
  if (level !== 'deep') return;
  folder = await mkdtemp(join(await temporaryRoot(), 'vitrine-cluster-'));
  cluster = await startClickHouseCluster(count, folder);
});
after(async () => {
  await cluster?.stop();
  if (folder) await rm(folder, { recursive: true });
});

/** The addresses of the servers, each with an empty database. */
async function freshDatabase(): Promise<string[]> {
  const name = `fresh_${++databases}`;
  return await Promise.all(
    cluster.servers.map(async ({ url }) => {
      await queryClickHouse(url, `CREATE DATABASE ${name}`);
      const address = new URL(url);
      address.pathname = `/${name}`;
      return address.href;
    }),
  );
}

/** A campaign with the given clicks on one day. */
function campaign(number: number) {
  return {
    campaign: [row('campaign', { campaign_id: 'A' })],
    campaign_day: [row('campaign_day', { campaign_id: 'A', clicks: number, currency: 'USD' })],
  };
}

async function withWarehouse(
  urls: readonly string[],
  use: (warehouse: Warehouse) => Promise<void>,
  open = (all: string) => openClickhouse(all, join(folder, 'staging')),
): Promise<void> {
  const warehouse = await open(urls.join(','));
  try {
    await use(warehouse);
  } finally {
    await warehouse.close();
  }
}

const target = (channel: number) => ({ channel, timezone: 'UTC' });
const seen = async (warehouse: Warehouse, channels: readonly number[]) =>
  (await warehouse.read(channels, limits, (ask) => ask(clicks, { channels }))).map((found) => [
    found.channel,
    found.clicks,
  ]);
const versionsOn = async (url: string) =>
  await queryClickHouse(url, 'SELECT DISTINCT channel FROM channel_version ORDER BY channel');

deepTest('a channel lies whole on one server, and questions see those of all', async () => {
  const urls = await freshDatabase();
  await withWarehouse(urls, async (warehouse) => {
    await warehouse.migrate();
    for (const channel of [3, 4, 5, 6]) await land(warehouse, target(channel), campaign(channel));
    assert.deepEqual(await Promise.all(urls.map(versionsOn)), ['3\n6', '4', '5']);
    const all = [3, 4, 5, 6].map((channel) => [channel, channel]);
    assert.deepEqual(await seen(warehouse, [3, 4, 5, 6, 7]), all);
    assert.deepEqual(await seen(warehouse, [4]), [[4, 4]]);
    const streamed = await collected(warehouse.stream(clicks, { channels: [3, 4, 5, 6] }, limits));
    const found = streamed.map((one) => one.clicks);
    assert.deepEqual(found, [3, 4, 5, 6]);
    await warehouse.deleteFacts(4);
    await land(warehouse, target(5), campaign(50));
    assert.deepEqual(await seen(warehouse, [3, 4, 5, 6]), listsOf('3, 3\n5, 50\n6, 6'));
    await warehouse.prune(0);
    assert.deepEqual(await seen(warehouse, [5]), [[5, 50]]);
  });
});

deepTest('a server that is added gets new channels, and others stay where they are', async () => {
  const [first, second, third] = (await freshDatabase()) as [string, string, string];
  const installation = 'c6a8a2c6-3d4e-4c67-93a5-4b2f4a3a6d10';
  await withWarehouse([first], async (warehouse) => {
    await warehouse.migrate();
    await warehouse.setInstallation(installation);
    for (const channel of [3, 4, 5]) await land(warehouse, target(channel), campaign(channel));
  });
  await withWarehouse([first, second, third], async (warehouse) => {
    await warehouse.migrate();
    assert.equal((await warehouse.readMark()).installationId, installation);
    await land(warehouse, target(4), campaign(40));
    await land(warehouse, target(7), campaign(7));
    assert.deepEqual(await seen(warehouse, [3, 4, 5, 7]), listsOf('3, 3\n4, 40\n5, 5\n7, 7'));
  });
  assert.deepEqual(await Promise.all([first, second, third].map(versionsOn)), ['3\n4\n5', '7', '']);
});

deepTest('one server down: the channels of the others are read and imported', async () => {
  const urls = await freshDatabase();
  await withWarehouse(urls, async (warehouse) => {
    await warehouse.migrate();
    const imported = nextImport();
    for (const channel of [3, 4, 5]) await land(warehouse, target(channel), campaign(channel));
    await land(warehouse, target(0), { exchange_rate: [row('exchange_rate', {})] });
    await cluster.servers[1]!.kill();
    assert.deepEqual(await seen(warehouse, [3]), [[3, 3]]);
    assert.deepEqual(await seen(warehouse, [5]), [[5, 5]]);
    await land(warehouse, target(3), campaign(33));
    // For several channels, ClickHouse asks every server for facts.
    await assert.rejects(seen(warehouse, [3, 5]), StoreUnavailable);
    await assert.rejects(seen(warehouse, [3, 4]), StoreUnavailable);
    await assert.rejects(land(warehouse, target(4), campaign(44)), StoreUnavailable);
    // A channel that no other server has might be on the server that is down.
    await assert.rejects(seen(warehouse, [8]), StoreUnavailable);
    await assert.rejects(warehouse.isCommitted(imported), StoreUnavailable);
    assert.deepEqual((await warehouse.checkHealth()).servers, { all: 3, silent: 1 });
    await cluster.restart(1);
    assert.deepEqual(await seen(warehouse, [3, 4]), listsOf('3, 33\n4, 4'));
    await land(warehouse, target(4), campaign(44));
    assert.deepEqual(await seen(warehouse, [4, 8]), [[4, 44]]);
  });
});

deepTest('one server frozen: questions about it are refused, and others answered', async () => {
  const clock = standingClock();
  const open = (urls: string) => openClickhouse(urls, join(folder, 'staging'), impatient, clock);
  await withWarehouse(
    await freshDatabase(),
    async (warehouse) => {
      await warehouse.migrate();
      await land(warehouse, target(0), { exchange_rate: [row('exchange_rate', {})] });
      for (const channel of [3, 4, 5]) await land(warehouse, target(channel), campaign(channel));
      assert.deepEqual(await seen(warehouse, [3, 4, 5]), listsOf('3, 3\n4, 4\n5, 5'));
      const { pid } = cluster.servers[1]!;
      process.kill(pid, 'SIGSTOP');
      try {
        assert.deepEqual(await seen(warehouse, [3]), [[3, 3]]);
        // It accepts connections, but answers neither the service nor the server that queries it.
        for (const channels of [[4], [3, 5]]) {
          let refused: unknown;
          let ticks = 0;
          seen(warehouse, channels).catch((error: unknown) => {
            refused = error;
          });
          await until(() => {
            clock.advance(impatient.silenceMilliseconds / 3);
            return ++ticks > 30 || refused !== undefined;
          });
          assert.ok(refused instanceof StoreUnavailable, String(refused));
        }
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await until(() => {
        clock.advance(impatient.silenceMilliseconds / 3);
        return seen(warehouse, [3, 4]).then(
          () => true,
          () => false,
        );
      });
    },
    open,
  );
});

deepTest('a channel on two servers is an error, so are servers of two installations', async () => {
  const urls = await freshDatabase();
  for (const url of urls.slice(0, 2))
    await withWarehouse([url], async (warehouse) => {
      await warehouse.migrate();
      await land(warehouse, target(4), campaign(1));
    });
  await withWarehouse(urls, async (warehouse) => {
    await warehouse.migrate();
    await assert.rejects(seen(warehouse, [4]), /channel 4 lie on two servers/);
  });
  for (const url of urls.slice(0, 2))
    await withWarehouse([url], (warehouse) => warehouse.setInstallation(url.slice(-36)));
  await withWarehouse(urls, async (warehouse) => {
    await assert.rejects(warehouse.readMark(), StartRefusal);
  });
});

deepTest('a cluster of another size or another name is refused before it gets tables', async () => {
  const urls = await freshDatabase();
  await withWarehouse(urls.slice(0, 2), async (warehouse) => {
    await assert.rejects(warehouse.migrate(), /names 2 servers, but the cluster vitrine has 3/);
  });
});
