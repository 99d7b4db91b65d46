/**
 * The cost of a look at the versions of channels, which each request to ClickHouse takes: CPU of
 * its server, of one channel and of all of them, before and after a sweep. `node bench/versions.ts
 * [changes=5000] [channels=200] [rounds=5]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClickhouse } from '../src/engine/clickhouse/warehouse.ts';
import { queryClickHouse, startClickHouse } from '../test/servers/clickhouse.ts';
import { cpuOf, median } from './measure.ts';

const [changes = 5_000, channels = 200, rounds = 5] = process.argv.slice(2).map(Number);
const looksPerRound = 20;
/** The tables that imports of order lines and of financial events change. */
const tables = [
  ['order_line', 'order_slot', 'store_day'],
  ['finance_event', 'profit_slot', 'profit_product_day'],
].map((names) => `[${names.map((name) => `'${name}'`).join(', ')}]`);

const folder = mkdtempSync(join(tmpdir(), 'vitrine-versions-'));
const server = await startClickHouse();
const warehouse = await openClickhouse(server.url, folder);
try {
  await warehouse.migrate();
  await queryClickHouse(
    server.url,
    `INSERT INTO channel_version (channel, version, import_id, state, tables)
     SELECT number % ${channels} + 1, intDiv(number, ${channels}) + 1, number, state,
       if(state = 'begun', [], if(intDiv(number, ${channels}) % 2 = 0, ${tables.join(', ')}))
     FROM numbers(${channels * changes}) ARRAY JOIN ['begun', 'committed'] AS state`,
  );
  await print('before a sweep');
  await warehouse.prune(0);
  await print('after a sweep');
} finally {
  await warehouse.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function print(when: string): Promise<void> {
  const all = Array.from({ length: channels }, (_, place) => place + 1);
  const rows = await queryClickHouse(server.url, 'SELECT count() FROM channel_version');
  console.log(`${when}: ${Number(rows).toLocaleString('en')} versions`);
  for (const channels of [[1], all])
    console.log(
      `${String(channels.length).padStart(6)} channels: ${(await cpuOfLook(channels)).toFixed(1)} ms CPU`,
    );
}

/** Milliseconds of CPU of the server for a look at the facts of channels. */
async function cpuOfLook(channels: readonly number[]): Promise<number> {
  const found: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const before = cpuOf(server.pid);
    for (let look = 0; look < looksPerRound; look++)
      await warehouse.view(channels, { deadlineMilliseconds: 60_000 }, async () => undefined);
    // The first round warms caches.
    if (round >= 0) found.push(((cpuOf(server.pid) - before) / looksPerRound) * 1000);
  }
  return median(found);
}
