/**
 * DuckDB imports documents of any size within its memory: large imports leave less of it to others,
 * and rows are sorted and added up in portions.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deepTest, slowTest } from '../../../test/level.ts';
import {
  day0,
  event,
  freshTarget,
  limits,
  nextImport,
  row,
  stage,
} from '../../../test/warehouse.ts';
import { question } from '../question.ts';
import type { Warehouse } from '../warehouse.ts';
import { openDuckdb } from './warehouse.ts';

const orders = 36_000;
const days = 9;
/** Too little to sort all of these rows at once. */
const memoryMegabytes = 64;

/** Opens a warehouse with this much memory, in a temporary folder. */
async function within(
  memoryMegabytes: number,
  run: (warehouse: Warehouse, target: ReturnType<typeof freshTarget>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-insert-'));
  const warehouse = await openDuckdb(folder, { memoryMegabytes, readersMax: 1 });
  try {
    await warehouse.migrate();
    await run(warehouse, freshTarget());
  } finally {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  }
}

slowTest('DuckDB has less memory during large imports, and all of it after the last', async () => {
  const sql = "SELECT value AS memory FROM duckdb_settings() WHERE name = 'memory_limit'";
  const memory = question('memory', sql);
  const found: unknown[] = [];
  await within(256, async (warehouse, { channel, timezone }) => {
    const note = async () => found.push((await warehouse.ask(memory, {}, limits))[0]!.memory);
    await note();
    const begin = async (records: number) => {
      const batch = await warehouse.begin({ channel, importId: nextImport() });
      const record = 'x'.repeat(2 ** 20);
      const rows = Array.from({ length: records }, (_, number) =>
        row('order_record', { order_id: `O-${number}`, day: day0, record }),
      );
      await stage(warehouse, batch, { order_record: rows });
      await note();
      return batch;
    };
    const small = await begin(1);
    const first = await begin(17);
    const second = await begin(17);
    await small.commit({}, timezone);
    await first.discard();
    await note();
    await second.commit({}, timezone);
    await note();
  });
  const [all, less] = ['244.1 MiB', '122.0 MiB'];
  assert.deepEqual(found, [all, all, less, less, less, all]);
});

deepTest('a first import of many events of one product is added up in little memory', async () => {
  // Enough for the sums, too little for all events.
  await within(36, async (warehouse, { channel, timezone }) => {
    const batch = await warehouse.begin({ channel, importId: nextImport() });
    const [files, events] = [10, 25_000];
    for (let file = 0; file < files; file++) {
      const rows = Array.from({ length: events }, (_, index) =>
        event(`unit-${file * events + index}-${'x'.repeat(100)}`, 1, { sku: 'A', quantity: 1 }),
      );
      await stage(warehouse, batch, { finance_event: rows }, file * events + 1);
    }
    await batch.commit({}, timezone);
    const sql = 'SELECT units_sold FROM profit_product_day WHERE channel = {channel:Int32}';
    const sold = question('units sold', sql);
    assert.deepEqual(await warehouse.ask(sold, { channel }, limits), [
      { units_sold: files * events },
    ]);
  });
});

deepTest('undated rows of any width are sorted in portions, each row once', async () => {
  await within(memoryMegabytes, async (warehouse, { channel, timezone }) => {
    const batch = await warehouse.begin({ channel, importId: nextImport() });
    const rows = Array.from({ length: orders }, (_, number) => {
      const sku = `'${Math.imul(number, 0x9e3779b1)}`;
      return row('product', { sku, title: sku.repeat(200) });
    });
    await stage(warehouse, batch, { product: rows });
    const committed = await batch.commit({}, timezone);
    assert.equal(committed.rows.product, orders);
    const sql = 'SELECT count(DISTINCT sku) AS skus FROM product WHERE channel = {channel:Int32}';
    const skus = question('SKUs', sql);
    assert.deepEqual(await warehouse.ask(skus, { channel }, limits), [{ skus: orders }]);
  });
});

deepTest('rows of any width are sorted by day in portions, within DuckDB’s memory', async () => {
  await within(memoryMegabytes, async (warehouse, { channel, timezone }) => {
    const batch = await warehouse.begin({ channel, importId: nextImport() });
    const files = 6;
    for (let file = 0; file < files; file++) {
      const rows = Array.from({ length: orders / files }, (_, index) => {
        const number = file * (orders / files) + index;
        const record = `{"${String(Math.imul(number, 0x9e3779b1)).repeat(150)}":1}`;
        return row('order_record', {
          order_id: `O-${number}`,
          day: day0 + (number % days),
          record,
        });
      });
      await stage(warehouse, batch, { order_record: rows }, file * (orders / files) + 1);
    }
    const committed = await batch.commit({}, timezone);
    assert.equal(committed.rows.order_record, orders);
    const sql = `SELECT day, count(*) AS orders FROM order_record
         WHERE channel = {channel:Int32} GROUP BY day ORDER BY day`;
    const byDay = question('orders by day', sql);
    assert.deepEqual(
      (await warehouse.ask(byDay, { channel }, limits)).map(({ day, orders }) => [day, orders]),
      Array.from({ length: days }, (_, day) => [day0 + day, orders / days]),
    );
  });
});
