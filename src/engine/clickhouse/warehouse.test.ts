/**
 * The warehouse in ClickHouse: pruning, users and servers that refuse, changes that lose their
 * lock, keys compared in passes, a node's cache of its own changes, and how few statements an
 * import takes.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { factTables } from '../../../schema/warehouse/tables.ts';
import { standingClock } from '../../../test/clock.ts';
import { until } from '../../../test/harness.ts';
import { deepTest, slowTest } from '../../../test/level.ts';
import { queryClickHouse, startClickHouse } from '../../../test/servers/clickhouse.ts';
import { startClickHouseProxy } from '../../../test/servers/proxy.ts';
import { freshStores } from '../../../test/servers/shared.ts';
import { listsOf } from '../../../test/table.ts';
import {
  collected,
  type Document,
  day0,
  daysOf,
  endless,
  everything,
  land,
  limits,
  numbered,
  numberSeen,
  one,
  openWarehouse,
  orderLine,
  row,
  secondsPerDay,
  stage,
} from '../../../test/warehouse.ts';
import { isoDate } from '../../calendar/period.ts';
import { DeadlineExceeded, StoreUnavailable } from '../errors.ts';
import type { Row, Warehouse } from '../warehouse.ts';
import { clickhouseLimits, openClickhouse } from './warehouse.ts';

/** The number of the import whose facts the only channel shows. */
const numberIn = (warehouse: Warehouse) => warehouse.read([1], limits, (ask) => numberSeen(ask, 1));

slowTest('a sweep frees what was replaced or never landed; answers stay', async () => {
  const { warehouse, clickhouseUrl, close } = await openWarehouse('served');
  try {
    const sql = (text: string) => queryClickHouse(clickhouseUrl!, text);
    const target = { channel: 1, timezone: 'Europe/Berlin' };
    for (let number = 1; number <= 4; number++) await land(warehouse, target, numbered(number));
    const forgotten = Math.floor(Date.now() / 1000 - 2 * secondsPerDay) * 2 ** 20;
    const day = isoDate(day0);
    for (const [columns, values] of [
      [
        'channel_version (channel, version, import_id, state, at)',
        "1, 5, 900, 'begun', now64(3) - toIntervalDay(2)",
      ],
      ['visible_day (channel, fact, day, version)', `1, 'order_line', '${day}', 5`],
      ['all_order_line (channel, day, version, quantity)', `1, '${day}', 5, 77`],
      ['staged_product (batch, sku)', `${forgotten}, 'A'`],
    ])
      await sql(`INSERT INTO ${columns} VALUES (${values})`);
    const counts = `SELECT (SELECT count() FROM all_order_line), (SELECT count() FROM visible_day),
      (SELECT count() FROM staged_product),
      (SELECT countIf(state = 'discarded') FROM channel_version)`;
    const count = async () => (await sql(counts)).split('\t').map(Number);
    const lines = (await everything(warehouse, 1)).order_line!;
    const quantities = lines.map((line) => line.quantity);
    assert.deepEqual(quantities, Array(60).fill(4));
    await land(warehouse, target, {
      campaign_day: [row('campaign_day', { campaign_id: 'A', clicks: 5, currency: 'USD' })],
    });
    const seen = await everything(warehouse, 1);
    assert.deepEqual(seen.order_line, lines);
    assert.deepEqual(await count(), [241, 4 * (3 + 3 + 3 + 5) + 1 + 2, 1, 1]);
    await warehouse.prune(3600);
    assert.deepEqual(await count(), [240, 4 * (3 + 3 + 3 + 5) + 2, 0, 1]);
    assert.deepEqual(await everything(warehouse, 1), seen);
    await warehouse.prune(0);
    assert.deepEqual(await count(), [60, 3 + 3 + 3 + 5 + 1, 0, 1]);
    assert.deepEqual(await everything(warehouse, 1), seen);
    await land(warehouse, target, numbered(6));
    assert.equal(await numberIn(warehouse), 6);
  } finally {
    await close();
  }
});

deepTest('a sweep keeps the versions that say something, and every import', async () => {
  const { warehouse, clickhouseUrl, close } = await openWarehouse('served');
  const sql = (text: string) => queryClickHouse(clickhouseUrl!, text);
  const imports = [1001, 1002, 1003, 1004, 1005];
  const tables = (versions: string) =>
    sql(`SELECT version, arraySort(tables) FROM channel_version
      WHERE ${versions} ORDER BY version`);
  const landAs = async (importId: number, document: Document) => {
    const batch = await warehouse.begin({ channel: 1, importId });
    await stage(warehouse, batch, document);
    await batch.commit(daysOf(document), 'UTC');
  };
  const known = async () => ({
    committed: await Promise.all([...imports, 999, 1006].map((one) => warehouse.isCommitted(one))),
    listed: (await warehouse.committedImports(1002, 2000)).toSorted(),
    mark: (await warehouse.readMark()).lastImport,
    changes: await warehouse.readChanges(),
    stamps: await warehouse.view([1], limits, async ({ stamps }) =>
      factTables.map(({ name }) => stamps.of(1, name)),
    ),
  });
  try {
    await landAs(1001, { unit_cost: [row('unit_cost', { sku: 'A', currency: 'USD' })] });
    for (const importId of [1002, 1003, 1004]) await landAs(importId, numbered(importId));
    await landAs(1005, {
      campaign_day: [row('campaign_day', { campaign_id: 'A', clicks: 5, currency: 'USD' })],
    });
    const [before, seen] = [await known(), await everything(warehouse, 1)];
    assert.deepEqual(before.committed, [...imports.map(() => true), false, false]);
    assert.deepEqual(before.listed, imports.slice(1));
    assert.equal(before.mark, 1005);
    await warehouse.prune(3600);
    assert.equal((await tables('channel = 1')).split('\n').length, 10);
    await warehouse.prune(0);
    // Everything that the second and third import changed has changed again since.
    const committed = (await tables("channel = 1 AND state = 'committed'")).split('\n');
    assert.deepEqual(committed, [
      "1\t['unit_cost']",
      "4\t['order_line','order_slot','store_day','traffic_total']",
      "5\t['campaign_day','store_day']",
    ]);
    assert.equal(await sql('SELECT count() FROM channel_version'), '6');
    assert.deepEqual(await known(), before);
    assert.deepEqual(await everything(warehouse, 1), seen);
    await assert.rejects(landAs(1002, numbered(1006)), /import 1002 has facts already/);
    await landAs(1006, numbered(1006));
    assert.equal(await numberIn(warehouse), 1006);
    assert.notEqual((await known()).changes, before.changes);
  } finally {
    await close();
  }
});

slowTest('ClickHouse that does not answer, or does not know the user, is unavailable', async () => {
  const stores = await freshStores();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-warehouse-'));
  const wrong = new URL(stores.clickhouseUrl);
  wrong.password = 'wrong';
  await assert.rejects(openClickhouse(wrong.href, folder), StoreUnavailable);
  const nowhere = 'http://vitrine:secret@127.0.0.1:9/none';
  await assert.rejects(openClickhouse(nowhere, folder), StoreUnavailable);
  await rm(folder, { recursive: true });
  await stores.drop();
});

slowTest('questions are those of a user who may only read, and changes are not', async () => {
  const server = await startClickHouse();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-warehouse-'));
  const clock = standingClock();
  try {
    const writer = await openClickhouse(server.url, folder, clickhouseLimits, clock);
    await writer.migrate();
    await land(writer, { channel: 1, timezone: 'UTC' }, numbered(7));
    const openFor = (readerUrls: string) =>
      openClickhouse(server.url, folder, clickhouseLimits, clock, undefined, { readerUrls });
    await assert.rejects(openFor(server.url), /set readonly to 2 in its profile/);
    const reader = await openFor(server.readOnlyUrl);
    assert.equal(await numberIn(reader), 7);
    assert.deepEqual(await collected(reader.stream(one, {}, limits)), [{ one: 1 }]);
    const stopped = assert.rejects(reader.ask(endless, {}, limits), DeadlineExceeded);
    const ofReader = "SELECT count() FROM system.processes WHERE user = 'reader'";
    await until(async () => (await queryClickHouse(server.url, ofReader)) === '1');
    clock.advance(limits.deadlineMilliseconds);
    await stopped;
    await land(reader, { channel: 1, timezone: 'UTC' }, numbered(8));
    assert.equal(await numberIn(reader), 8);
    await reader.close();
    await writer.close();
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

slowTest('a change that lost its lock to a later one does not land', async () => {
  const { warehouse, clickhouseUrl, close } = await openWarehouse('served');
  const isCommitting = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const proxy = await startClickHouseProxy(clickhouseUrl!, {
    async before(statement) {
      if (!/INSERT INTO channel_version.*'committed'/s.test(statement)) return;
      isCommitting.resolve();
      await mayCommit.promise;
    },
  });
  const late = await openClickhouse(proxy.url, warehouse.stagingFolder);
  try {
    const target = { channel: 1, timezone: 'UTC' };
    await land(warehouse, target, numbered(1));
    const overtaken = assert.rejects(land(late, target, numbered(2)), StoreUnavailable);
    await isCommitting.promise;
    const begun = `INSERT INTO channel_version (channel, version, import_id, state)
      VALUES (1, 3, 900, 'begun')`;
    await queryClickHouse(clickhouseUrl!, begun);
    mayCommit.resolve();
    await overtaken;
    assert.equal(await numberIn(warehouse), 1);
    await land(warehouse, target, numbered(3));
    assert.equal(await numberIn(warehouse), 3);
  } finally {
    await late.close();
    proxy.close();
    await close();
  }
});

slowTest(
  'rows replace, remove or yield to those of their keys, however many are compared',
  async () => {
    const { warehouse, clickhouseUrl, close } = await openWarehouse('served');
    const few = { ...clickhouseLimits, rowsPerPass: 3 };
    const passing = await openClickhouse(clickhouseUrl!, warehouse.stagingFolder, few);
    const at = (day: number) => (day0 + day) * secondsPerDay;
    const both = (ids: readonly string[], updated_at: number, day: number, status: string) => ({
      order_record: ids.map((order_id) =>
        row('order_record', { order_id, updated_at, day: day0 + day, purchased_at: at(day) }),
      ),
      order_line: ids.map((order_id) =>
        orderLine({ order_id, updated_at, purchased_at: at(day), status }),
      ),
    });
    const joined = (...documents: readonly Document[]) => ({
      order_record: documents.flatMap(({ order_record = [] }) => order_record),
      order_line: documents.flatMap(({ order_line = [] }) => order_line),
    });
    try {
      for (const [place, one] of [warehouse, passing].entries()) {
        const channel = place + 1;
        const target = { channel, timezone: 'UTC' };
        const early = both(['A', 'C', 'D', 'E', 'G', 'H'], 10, 0, 'Shipped');
        await land(one, target, joined(early, both(['B', 'F'], 10, 1, 'Shipped')));
        const [{ import_id: first }] = (await everything(one, channel, true)).order_record as [Row];
        const later = joined(
          both(['A', 'E'], 9, 0, 'Shipped'),
          both(['B', 'F'], 11, 3, 'Unshipped'),
          both(['C', 'G'], 12, 0, 'Removed'),
          both(['I', 'J'], 1, 4, 'Shipped'),
        );
        const rows = { order_record: 6, order_line: 4 };
        const landed = await land(one, target, later);
        assert.deepEqual(landed, { rows, rowsOlder: 4, rowsSuperseded: {} });
        const { order_record, order_line, store_day } = await everything(one, channel);
        const earlier = `${first}:10`;
        const orders = order_record!.map((one) => [one.order_id, one.updated_at, one.versions]);
        const expectedOrders = `A, 10, ""
          B, 11, ${earlier}
          C, 12, ${earlier}
          D, 10, ""
          E, 10, ""
          F, 11, ${earlier}
          G, 12, ${earlier}
          H, 10, ""
          I, 1, ""
          J, 1, ""`;
        assert.deepEqual(orders, listsOf(expectedOrders));
        const lines = order_line!.map((one) => [one.order_id, Number(one.day) - day0, one.status]);
        const expectedLines = `A, 0, Shipped
          B, 3, Unshipped
          D, 0, Shipped
          E, 0, Shipped
          F, 3, Unshipped
          H, 0, Shipped
          I, 4, Shipped
          J, 4, Shipped`;
        assert.deepEqual(lines, listsOf(expectedLines));
        const days = store_day!.map(({ day, line_items }) => [(day as number) - day0, line_items]);
        assert.deepEqual(days, listsOf('0, 4\n3, 2\n4, 2'));
      }
    } finally {
      await passing.close();
      await close();
    }
  },
);

slowTest('the first order line that a node remembers is that of the present facts', async () => {
  const { warehouse, clickhouseUrl, close } = await openWarehouse('served');
  const other = await openClickhouse(clickhouseUrl!, warehouse.stagingFolder);
  const target = { channel: 1, timezone: 'UTC' };
  const line = (order_id: string, day: number) =>
    orderLine({ order_id, purchased_at: (day0 + day) * secondsPerDay });
  const traffic = (day: number) => ({
    traffic_total: [row('traffic_total', { day: day0 + day, page_views: 1, currency: 'USD' })],
  });
  const cover = async () =>
    (await everything(warehouse, 1)).store_day!.map(({ day, orders_cover }) => [
      (day as number) - day0,
      orders_cover,
    ]);
  try {
    await land(warehouse, target, { order_line: [line('late', 9)] });
    await land(warehouse, target, { order_line: [line('early', 0)] });
    await land(warehouse, target, traffic(3));
    assert.deepEqual(await cover(), listsOf('0, 1\n3, 1\n9, 1'));
    const removal = { table: 'order_line', parameters: {}, removed: "order_id = 'early'" };
    await other.amend({ channel: 1, importId: 1000 }, [removal], 'UTC');
    await land(warehouse, target, traffic(4));
    assert.deepEqual(await cover(), listsOf('3, 0\n4, 0\n9, 1'));
  } finally {
    await other.close();
    await close();
  }
});

slowTest('an import of few order lines takes eleven statements', async () => {
  const { warehouse, clickhouseUrl, close } = await openWarehouse('served');
  let statements = 0;
  const proxy = await startClickHouseProxy(clickhouseUrl!, {
    before: async () => void statements++,
  });
  const counted = await openClickhouse(proxy.url, warehouse.stagingFolder);
  const target = { channel: 1, timezone: 'UTC' };
  const line = (order_id: string) =>
    orderLine({ order_id, purchased_at: (day0 + 2) * secondsPerDay + 80_000, quantity: 5 });
  try {
    await land(counted, target, numbered(1));
    const before = statements;
    await land(counted, target, { order_line: [line('A'), line('B')] });
    // Rows: staged, counted, matched, written. Versions: read, begun, committed. Also the owners of
    // days, two rollups, and the emptying of the staging table.
    assert.equal(statements - before, 11);
    // Another node has moved the days meanwhile: their owners are looked up again.
    await land(warehouse, target, { order_line: [line('C')] });
    await land(counted, target, { order_line: [line('D')] });
    const { order_line, store_day } = await everything(warehouse, 1);
    assert.equal(order_line!.length, 64);
    assert.equal(store_day!.at(-1)!.units, 20 + 4 * 5);
  } finally {
    await counted.close();
    proxy.close();
    await close();
  }
});
