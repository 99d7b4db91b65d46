/**
 * Rollups: profit follows unit costs, products and zones, only changed days are computed again, and
 * a removed channel leaves nothing.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { factTables } from '../../schema/warehouse/tables.ts';
import { slowTest } from '../../test/level.ts';
import { listsOf, tablesBeside } from '../../test/table.ts';
import {
  type Cells,
  type Document,
  day0,
  daysOf,
  event,
  everything,
  freshTarget,
  land,
  limits,
  million,
  nextImport,
  numbered,
  numberSeen,
  onOneWarehouse,
  orderLine,
  row,
  rowsOf,
  secondsPerDay,
  stage,
  type Target,
} from '../../test/warehouse.ts';
import { Model } from '../../test/warehouseModel.ts';
import { inPortions } from './duckdb/rollups.ts';
import { question } from './question.ts';
import type { Warehouse } from './warehouse.ts';

const tables = tablesBeside(import.meta.url, 'rollups.tables.txt');

/** The number of the import that a channel shows. */
const seen = (warehouse: Warehouse, { channel }: Target) =>
  warehouse.read([channel], limits, (ask) => numberSeen(ask, channel));

onOneWarehouse('rollups', (opened, engine) => {
  let warehouse: Warehouse;
  before(() => {
    warehouse = opened().warehouse;
  });

  test('unit costs change what was earned before they came, from their date on, and events find the costs that came before them', async () => {
    const target = freshTarget('America/New_York');
    const { channel } = target;
    /** Unit costs; shipping costs are in JPY. */
    const costs = (csv: string) =>
      listsOf(csv).map(([sku, day, cogs, cogs_currency, shipping_cost]) => {
        const cells = { sku, effective_from: day0 + day, cogs, cogs_currency, shipping_cost };
        return row('unit_cost', { ...cells, shipping_cost_currency: 'JPY' });
      });
    const figures = async () =>
      (await rowsOf(warehouse, 'profit_slot', channel)).map((one) => {
        const amounts = [one.sales, one.cogs, one.cogs_returned, one.shipping_fees];
        const hour = Number(one.slot_at) / 3600 - day0 * 24;
        return [hour, one.currency, ...amounts.map((amount) => Number(amount) / 1e6)];
      });
    /** Hours, currencies, sales, cost of goods, cost of returned goods, and cost of shipping. */
    const earned = async (csv: string) => assert.deepEqual(await figures(), listsOf(csv));
    const sale = (unit: string, hour: number, sku: string, quantity: number, more: Cells = {}) =>
      event(unit, 1, { hour, sku, quantity, amount: 100n * million, ...more });
    // If the event names no carrier, the catalogue says whether the marketplace shipped it.
    await land(warehouse, target, {
      finance_event: [
        sale('1', 1, 'A', 2),
        sale('2', 30, 'A', 3, { fulfillment: 'AFN' }),
        sale('3', 31, 'A', 1, { line: 'refunds', amount: -40n * million }),
        sale('4', 50, 'B', 4),
        sale('5', 51, 'A', -5, { line: 'cogs', amount: -7n * million }),
      ],
    });
    await earned(tables.earned!);
    const first = costs(`
      A, 1, 5000000n, EUR, 2000000n
      B, 0, 1000000n, USD, 3000000n`);
    await land(warehouse, target, { unit_cost: first });
    await earned(tables.costed!);
    // A later cost in another currency applies; by the catalogue, the marketplace ships B.
    await land(warehouse, target, {
      unit_cost: costs('A, 0, 9000000n, GBP, 2000000n'),
      product: [row('product', { sku: 'B', fulfilled_by_marketplace: 1 })],
    });
    await land(warehouse, target, {
      finance_event: [sale('6', 25, 'A', 1, { fulfillment: 'MFN' }), sale('7', 49, 'B', 1)],
    });
    await earned(tables.converted!);
  });

  slowTest('rollups are computed anew only where their facts have changed', async () => {
    const target = freshTarget();
    const { channel } = target;
    const computedIn = (rollup: string) =>
      question<{ day: number; import_id: number }>(
        `computed in ${rollup}`,
        `SELECT DISTINCT day, import_id FROM ${rollup} WHERE channel = {channel:Int32} ORDER BY day`,
      );
    /** The import that computed each day. */
    const since = async (rollup = 'profit_slot') =>
      (await warehouse.ask(computedIn(rollup), { channel }, limits)).map((one) => one.import_id);
    const currencies = { cogs_currency: 'USD', shipping_cost_currency: 'USD' };
    const cost = (sku: string, day: number, cogs: bigint) =>
      row('unit_cost', { sku, effective_from: day0 + day, cogs, ...currencies });
    const product = (sku: string, title: string, fulfilled_by_marketplace: number) =>
      row('product', { sku, title, fulfilled_by_marketplace });
    // Days that are so far apart that the days between are not computed along with them.
    const events = [0, 10, 20, 30, 40, 50].map((day) =>
      event(`U${day}`, 1, { hour: day * 24, sku: day === 20 ? 'B' : 'A' }),
    );
    const landing = async (document: Document) => {
      const importId = nextImport();
      const arrival = await warehouse.begin({ channel, importId });
      await stage(warehouse, arrival, document);
      await arrival.commit({}, target.timezone);
      return importId;
    };
    const one = await landing({ finance_event: events });
    assert.deepEqual(await since(), [one, one, one, one, one, one]);
    const two = await landing({ unit_cost: [cost('A', 40, 1n), cost('A', 30, 1n)] });
    assert.deepEqual(await since(), [one, one, one, two, two, two]);
    await landing({ unit_cost: [cost('A', 30, 1n), cost('A', 40, 1n)] });
    assert.deepEqual(await since(), [one, one, one, two, two, two]);
    const costs = [cost('A', 30, 1n), cost('A', 40, 2n), cost('B', 10, 1n)];
    const three = await landing({ unit_cost: costs });
    assert.deepEqual(await since(), [one, one, three, two, three, three]);
    const four = await landing({ product: [product('B', 'one', 0), product('C', 'one', 1)] });
    assert.deepEqual(await since(), [one, one, four, two, three, three]);
    await landing({ product: [product('B', 'another', 0), product('C', 'another', 1)] });
    assert.deepEqual(await since(), [one, one, four, two, three, three]);
    const twice = [product('B', 'first', 0), product('B', 'another', 1)];
    const five = await landing({ product: twice });
    assert.deepEqual(await since(), [one, one, five, two, three, three]);
    // Unit costs are added when the rollup is read.
    assert.deepEqual(await since('profit_product_day'), [one, one, one, one, one, one]);
  });

  test('an import computes the rows of its own SKUs anew, and others of the same days where days are written whole', async () => {
    const target = freshTarget();
    const sold = (unit: string, hour: number, sku: string, quantity: number) =>
      event(unit, 1, { hour, sku, quantity, amount: million });
    const landing = async (...events: Cells[]) => {
      await land(warehouse, target, { finance_event: events });
    };
    const found = async () =>
      (await rowsOf(warehouse, 'profit_product_day', target.channel)).map((one) => [
        Number(one.day) - day0,
        one.sku,
        Number(one.units_sold),
      ]);
    const sql =
      'SELECT count(DISTINCT import_id) AS computed FROM profit_product_day WHERE channel = {channel:Int32}';
    const computedBy = question<{ computed: number }>('imports of a rollup', sql);
    await landing(sold('1', 1, 'A', 1), sold('2', 2, 'B', 2), sold('3', 26, 'B', 4));
    // The unit moves to another SKU and day: it leaves no row behind.
    await landing(sold('1', 27, 'C', 8), sold('4', 28, 'B', 16));
    assert.deepEqual(await found(), listsOf('0, B, 2\n1, B, 20\n1, C, 8'));
    const [row] = await warehouse.ask(computedBy, { channel: target.channel }, limits);
    assert.equal(Number(row!.computed), engine === 'duckdb' ? 2 : 1);
  });

  test('a rebuild moves the days of the rollup to another zone', async () => {
    const target = freshTarget('UTC');
    const model = new Model();
    const document = {
      order_line: [0, 5, 12, 23, 47, 71].map((hour) =>
        orderLine({
          order_id: `H${hour}`,
          purchased_at: day0 * secondsPerDay + hour * 3600,
          item_price: 3n * million,
        }),
      ),
      traffic: [row('traffic', { day: day0 + 1, sku: 'A', units: 4, currency: 'USD' })],
    };
    await land(warehouse, target, document);
    const [brought] = (await everything(warehouse, target.channel, true)).traffic as [Cells];
    model.land(document, daysOf(document), Number(brought.import_id));
    for (const timezone of ['Pacific/Auckland', 'America/Los_Angeles', 'UTC']) {
      const importId = nextImport();
      await warehouse.rebuild({ ...target, importId }, timezone);
      const found = await everything(warehouse, target.channel, true);
      assert.deepEqual(found, model.everything(timezone));
      assert.equal(await warehouse.isCommitted(importId), true);
    }
  });

  test('a forgotten channel has no facts, others keep theirs, and it may begin again', async () => {
    const [target, other] = [freshTarget(), freshTarget()];
    for (const one of [target, other])
      await land(warehouse, one, { ...numbered(3), product: [row('product', { sku: 'A' })] });
    assert.deepEqual(
      (await warehouse.extents(target.channel, target.timezone)).map((reach) => ({ ...reach })),
      [
        { table: 'order_line', firstDay: day0, lastDay: day0 + 2, rows: 60 },
        { table: 'traffic_total', firstDay: day0, lastDay: day0 + 2, rows: 3 },
        { table: 'product', firstDay: null, lastDay: null, rows: 1 },
      ],
    );
    await warehouse.deleteFacts(target.channel);
    const empty = Object.fromEntries(factTables.map((table) => [table.name, []]));
    assert.deepEqual(await everything(warehouse, target.channel), empty);
    assert.deepEqual(await warehouse.extents(target.channel, target.timezone), []);
    assert.equal(await seen(warehouse, other), 3);
    await warehouse.prune(0);
    assert.deepEqual(await everything(warehouse, target.channel), empty);
    await land(warehouse, target, numbered(4));
    assert.equal(await seen(warehouse, target), 4);
  });

  test('migrating again, by several nodes at once, changes nothing', async () => {
    const target = freshTarget();
    await land(warehouse, target, numbered(2));
    await Promise.all([
      warehouse.migrate(),
      ...(engine === 'clickhouse' ? [warehouse.migrate(), warehouse.migrate()] : []),
    ]);
    assert.equal(await seen(warehouse, target), 2);
  });
});

test('days with many facts are computed in portions: all of them, in order, each within its rows', () => {
  const rowsOf = (day: number) => [4, 0, 3, 11, 0, 2, 5, 4][day % 8]!;
  const portionsOf = (days: number, rowsMax: number) =>
    inPortions([...Array(days).keys()], rowsOf, rowsMax);
  assert.deepEqual(portionsOf(8, 9), [[0, 1, 2], [3], [4, 5, 6], [7]]);
  assert.deepEqual(portionsOf(8, 1_000_000), [[0, 1, 2, 3, 4, 5, 6, 7]]);
  assert.deepEqual(portionsOf(5, 1), [[0], [1], [2], [3], [4]]);
});
