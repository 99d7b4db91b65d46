/** Warehouses of earlier schema versions. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { textsSince } from '../../schema/warehouse/tables.ts';
import { slowTest } from '../../test/level.ts';
import { queryClickHouse } from '../../test/servers/clickhouse.ts';
import { freshTarget, land, openWarehouse, row, rowsOf } from '../../test/warehouse.ts';
import { openDuckdb } from './duckdb/warehouse.ts';
import type { Warehouse } from './warehouse.ts';

const added = textsSince(1);
const oldTarget = { channel: 900, timezone: 'UTC' };
const rate = row('exchange_rate', { day: 20_000, currency: 'TWD', per_euro: 37 });
const old = {
  ad_product_day: [row('ad_product_day', { day: 20_000, product_id: 'P1' })],
  exchange_rate: [rate],
};
/** A different sum for every quarter of an hour. */
const lines = Array.from({ length: 50 }, (_, place) =>
  row('order_line', {
    day: 20_000,
    order_id: `O${place}`,
    line_id: '1',
    sku: 'S1',
    quantity: 1,
    purchased_at: 20_000 * 86_400 + place * 900,
    item_price: BigInt(place) * 1_250_000n,
  }),
);
const newer = {
  ad_product_day: [row('ad_product_day', { day: 20_001, product_id: 'P2', campaign_id: 'C' })],
};

/** Asserts that old rows stay, and that new ones join them. */
async function assertUpgraded(warehouse: Warehouse): Promise<void> {
  const target = freshTarget();
  await warehouse.migrate();
  const campaigns = async (channel: number) =>
    (await rowsOf(warehouse, 'ad_product_day', channel)).map(({ product_id, campaign_id }) => [
      product_id,
      campaign_id,
    ]);
  await land(warehouse, target, newer);
  assert.deepEqual(await campaigns(oldTarget.channel), [['P1', '']]);
  assert.deepEqual(await campaigns(target.channel), [['P2', 'C']]);
  assert.deepEqual(await rowsOf(warehouse, 'keyword', oldTarget.channel), []);
  assert.deepEqual(await rowsOf(warehouse, 'exchange_rate', oldTarget.channel), [rate]);
}

/** How a sum of order lines is stored. */
async function storageOf(connection: DuckDBConnection): Promise<unknown[]> {
  const answer = await connection.run(
    `SELECT DISTINCT compression FROM pragma_storage_info('order_slot')
     WHERE column_name = 'item_price' AND segment_type LIKE 'DECIMAL%'`,
  );
  return (await answer.getRowsJson()).flat();
}

slowTest('DuckDB opens the warehouse of the version before, with all of its rows', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-upgrade-'));
  try {
    const first = await openDuckdb(folder);
    await first.migrate();
    await land(first, oldTarget, { ...old, order_line: lines });
    const sums = await rowsOf(first, 'order_slot', oldTarget.channel);
    await first.close();
    const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'));
    const connection = await instance.connect();
    for (const { table, column } of added)
      await connection.run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    await connection.run('DROP TABLE keyword');
    await connection.run('CREATE TABLE packed AS SELECT * FROM order_slot');
    await connection.run('DROP TABLE order_slot');
    await connection.run('ALTER TABLE packed RENAME TO order_slot');
    await connection.run('CHECKPOINT');
    assert.deepEqual(await storageOf(connection), ['BitPacking']);
    await connection.run('UPDATE warehouse_version SET version = 1');
    connection.closeSync();
    instance.closeSync();
    const warehouse = await openDuckdb(folder);
    try {
      await assertUpgraded(warehouse);
      assert.equal(sums.length, lines.length);
      assert.deepEqual(await rowsOf(warehouse, 'order_slot', oldTarget.channel), sums);
    } finally {
      await warehouse.close();
    }
    const upgraded = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'));
    assert.deepEqual(await storageOf(await upgraded.connect()), ['RLE']);
    upgraded.closeSync();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

slowTest('ClickHouse opens the warehouse of the version before, with all of its rows', async () => {
  const { warehouse, clickhouseUrl, close } = await openWarehouse('served');
  const sql = (text: string) => queryClickHouse(clickhouseUrl!, text);
  try {
    await land(warehouse, oldTarget, old);
    for (const table of new Set(added.map((text) => text.table))) {
      const columns = added.filter((text) => text.table === table).map(({ column }) => column);
      await sql(
        `CREATE TABLE older ENGINE = MergeTree ORDER BY (channel, day, version) AS
         SELECT * EXCEPT (${columns.join(', ')}) FROM all_${table}`,
      );
      await sql(`DROP TABLE all_${table}`);
      await sql(`DROP TABLE staged_${table}`);
      await sql(`RENAME TABLE older TO all_${table}`);
    }
    await sql('DROP TABLE committed_import');
    await sql('TRUNCATE TABLE warehouse_version');
    await sql('INSERT INTO warehouse_version VALUES (1)');
    await assertUpgraded(warehouse);
  } finally {
    await close();
  }
});
