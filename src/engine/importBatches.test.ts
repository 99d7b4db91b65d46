/**
 * Batches of imports: the versions that orders remember, the imports that brought rows, duplicates,
 * discarded batches, and readers that see each import whole or not at all.
 */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { testOnOnePair } from '../../test/harness.ts';
import { deepTest, level, slowTest } from '../../test/level.ts';
import { listsOf, rowsOf } from '../../test/table.ts';
import {
  type Cells,
  type Document,
  day0,
  daysOf,
  event,
  freshTarget,
  land,
  limits,
  nextImport,
  numbered,
  numberSeen,
  onEachWarehouse,
  orderLine,
  questionsOfNumbered,
  row,
  secondsPerDay,
  stage,
  staged,
  type Target,
} from '../../test/warehouse.ts';
import { question } from './question.ts';
import type { Coverage, DuplicateRow, Warehouse } from './warehouse.ts';

/** The number of the import that a channel shows. */
const seen = (warehouse: Warehouse, { channel }: Target) =>
  warehouse.read([channel], limits, (ask) => numberSeen(ask, channel));

onEachWarehouse('import batches', (opened, engine) => {
  const testOnce = testOnOnePair(engine === 'duckdb' ? 'embedded' : 'served');
  let warehouse: Warehouse;
  before(() => {
    warehouse = opened().warehouse;
  });

  /** Imports a document; returns the number of the import, and the numbers of its rows. */
  const brought = async (
    { channel, timezone }: Target,
    document: Document,
    days: Record<string, Coverage> = {},
  ) => {
    const importId = nextImport();
    const arrival = await warehouse.begin({ channel, importId });
    await stage(warehouse, arrival, document);
    return { importId, ...(await arrival.commit({ ...daysOf(document), ...days }, timezone)) };
  };

  testOnce(
    'an order remembers the last twenty of its earlier versions, oldest first, until it is forgotten',
    async () => {
      const target = freshTarget();
      const { channel } = target;
      const record = (order_id: string, updated_at: number, cells: Cells = {}) =>
        row('order_record', { order_id, updated_at, ...cells });
      const landing = async (...order_record: readonly Cells[]) => {
        const { importId, rows, rowsOlder } = await brought(target, { order_record });
        return { importId, landed: rows.order_record, rowsOlder };
      };
      const sql = `SELECT order_id, updated_at, import_id, status, versions
       FROM order_record WHERE channel = {channel:Int32} ORDER BY order_id`;
      const records = question('records', sql);
      const held = () => warehouse.ask(records, { channel }, limits);
      const one = await landing(record('A', 10), record('B', 10), record('C', 10));
      const names = ['order_id', 'updated_at', 'import_id', 'versions', 'status'];
      const rowOf = (...values: [string, number, number, string, string?]) =>
        Object.fromEntries(names.map((name, place) => [name, values[place] ?? '']));
      const firstOnes = ['A', 'B', 'C'].map((order_id) => rowOf(order_id, 10, one.importId, ''));
      assert.deepEqual(await held(), firstOnes);
      // An older version of B, and A twice in one document, whose own list of versions is ignored.
      const again = record('A', 12, { versions: '7:7' });
      const two = await landing(record('A', 11), record('B', 9), again);
      assert.deepEqual([two.landed, two.rowsOlder], [1, 1]);
      /** A is stored like this, and the other orders are unchanged. */
      const isHeld = async (...values: Parameters<typeof rowOf>) =>
        assert.deepEqual(await held(), [rowOf(...values), ...firstOnes.slice(1)]);
      await isHeld('A', 12, two.importId, `${one.importId}:10`);
      // On another day it is still the same order; a version of the same instant is another one.
      const three = await landing(record('A', 12, { day: day0 + 1, status: 'Shipped' }));
      await isHeld('A', 12, three.importId, `${one.importId}:10 ${two.importId}:12`, 'Shipped');
      const later: string[] = [];
      for (let updated = 13; updated < 33; updated++)
        later.push(`${(await landing(record('A', updated))).importId}:${updated}`);
      const current = Number(later.at(-1)!.split(':')[0]);
      const lastTwenty = [`${three.importId}:12`, ...later.slice(0, -1)].join(' ');
      await isHeld('A', 32, current, lastTwenty);
      await warehouse.rebuild({ channel, importId: nextImport() }, 'Asia/Tokyo');
      await warehouse.prune(0);
      assert.equal((await held())[0]!.versions, lastTwenty);
      await warehouse.deleteFacts(channel);
      const last = await landing(record('A', 1));
      assert.deepEqual(await held(), [rowOf('A', 1, last.importId, '')]);
    },
  );

  testOnce('rows that stay keep the import that brought them, whatever else lands', async () => {
    const target = freshTarget();
    const { channel } = target;
    const importsOf = async (table: string, of: string) => {
      const sql = `SELECT ${of} AS name, import_id FROM ${table}
        WHERE channel = {channel:Int32} ORDER BY ${of}`;
      const rows = await warehouse.ask(question('imports', sql), { channel }, limits);
      return rows.map((one) => `${one.name} ${one.import_id}`);
    };
    const line = (order_id: string) => orderLine({ order_id, purchased_at: day0 * secondsPerDay });
    const spent = (campaign_id: string, ad_type: string) =>
      row('campaign_day', { campaign_id, ad_type, currency: 'USD' });
    const products = ['A', 'B'].map((sku) => row('product', { sku }));
    const { importId: one } = await brought(target, {
      order_line: [line('A'), line('B')],
      product: products,
      finance_event: [event('A', 1, {}), event('B', 1, {})],
      campaign_day: [spent('A', 'SP'), spent('B', 'SB')],
    });
    const document = {
      order_line: [line('B')],
      product: products.slice(1),
      finance_event: [event('B', 1, {})],
      campaign_day: [spent('B', 'SB')],
    };
    const campaign_day = { first: day0, last: day0, parts: ['SB'] };
    const { importId: two } = await brought(target, document, { campaign_day });
    for (const [table, of] of listsOf(`
      order_line,    order_id
      product,       sku
      finance_event, unit
      campaign_day,  campaign_id`))
      assert.deepEqual(await importsOf(table, of), [`A ${one}`, `B ${two}`], table);
  });

  testOnce('batches that are discarded while their rows are staged hold up nothing', async () => {
    const { channel } = freshTarget();
    const records = Array.from({ length: level === 'deep' ? 20_000 : 4_000 }, (_, number) =>
      row('order_record', { order_id: `O-${number}`, record: 'x'.repeat(1_000) }),
    );
    const files = [1, records.length + 1].map((firstLine) => {
      const file = join(warehouse.stagingFolder, `discarded-${channel}-${firstLine}.csv`);
      writeFileSync(file, staged({ order_record: records }, firstLine).order_record!);
      return file;
    });
    // More than there are threads for statements.
    for (let round = 0; round < 6; round++) {
      const arrival = await warehouse.begin({ channel, importId: nextImport() });
      const staging = Promise.allSettled(files.map((file) => arrival.stage('order_record', file)));
      // By now the first statement is running.
      await warehouse.checkHealth();
      await arrival.discard();
      await staging;
    }
    for (const file of files) rmSync(file);
    await warehouse.checkHealth();
  });

  test('rows with the key of another row are reported by their lines', async () => {
    const target = freshTarget();
    const arrival = await warehouse.begin({ ...target, importId: nextImport() });
    const traffic = (sku: string, day = 0) => row('traffic', { day: day0 + day, sku });
    const line = (id: string, updated_at: number) =>
      orderLine({ order_id: id, purchased_at: day0 * secondsPerDay, updated_at });
    const visits = [traffic('A'), traffic('B'), traffic('A'), traffic('A'), traffic('B', 1)];
    await stage(warehouse, arrival, { traffic: visits }, 1);
    const lines = [line('A', 1), line('A', 3), line('A', 3), line('A', 2), line('B', 0)];
    await stage(warehouse, arrival, { order_line: lines }, 101);
    const duplicatesOf = async (table: string) => {
      const found: DuplicateRow[] = [];
      for await (const page of arrival.duplicates(table)) found.push(...page);
      return found;
    };
    const expected = rowsOf('line, keptLine\n3, 1\n4, 1');
    assert.deepEqual(await duplicatesOf('traffic'), expected);
    assert.deepEqual(await duplicatesOf('traffic'), expected);
    const ofLines = rowsOf('line, keptLine\n101, 103\n102, 103\n104, 103');
    assert.deepEqual(await duplicatesOf('order_line'), ofLines);
    assert.deepEqual(await duplicatesOf('product'), []);
    const twoDays = { traffic: { first: day0, last: day0 + 1 } };
    const rows = { traffic: 3, order_line: 2 };
    const landed = await arrival.commit(twoDays, target.timezone);
    assert.deepEqual(landed, { rows, rowsOlder: 0, rowsSuperseded: {} });
    const many = await warehouse.begin({ ...target, importId: nextImport() });
    const thousand = Array.from({ length: 6000 }, (_, place) => traffic(`S${place % 1000}`));
    await stage(warehouse, many, { traffic: thousand });
    const repeated: number[] = [];
    for await (const page of many.duplicates('traffic'))
      repeated.push(...page.map(({ line }) => line));
    const further = Array.from({ length: 5000 }, (_, place) => 1001 + place);
    assert.deepEqual(repeated, further);
    await many.discard();
  });

  test('an abandoned import leaves nothing, and a landed one is known by its number', async () => {
    const target = freshTarget();
    await land(warehouse, target, numbered(1));
    const abandoned = { ...target, importId: nextImport() };
    const arrival = await warehouse.begin(abandoned);
    await stage(warehouse, arrival, numbered(2));
    assert.equal(await seen(warehouse, target), 1);
    await arrival.discard();
    assert.equal(await warehouse.isCommitted(abandoned.importId), false);
    const next = { ...target, importId: nextImport() };
    const landing = await warehouse.begin(next);
    await stage(warehouse, landing, numbered(3));
    await landing.commit(daysOf(numbered(3)), target.timezone);
    assert.equal(await warehouse.isCommitted(next.importId), true);
    assert.equal(await seen(warehouse, target), 3);
    assert.deepEqual(readdirSync(warehouse.stagingFolder), []);
  });

  test('two imports are on their way at once, each into its channel', async () => {
    const targets = [freshTarget(), freshTarget()];
    const arrivals = await Promise.all(
      targets.map((target) => warehouse.begin({ ...target, importId: nextImport() })),
    );
    const days = daysOf(numbered(1));
    await Promise.all(
      arrivals.map((arrival, place) => stage(warehouse, arrival, numbered(place + 5))),
    );
    await Promise.all(arrivals.map((one, place) => one.commit(days, targets[place]!.timezone)));
    for (const [place, target] of targets.entries())
      assert.equal(await seen(warehouse, target), place + 5);
  });

  const reads = engine === 'duckdb' ? slowTest : deepTest;
  reads('readers during imports see one of them whole, never a mixture', async () => {
    const target = freshTarget('America/Los_Angeles');
    const { channel } = target;
    await land(warehouse, target, numbered(1));
    let landed = 1;
    let done = false;
    const reader = async () => {
      let last = 0;
      while (!done) {
        const least = landed;
        const number = await seen(warehouse, target);
        const before = Math.max(least, last);
        assert.ok(number >= before, `${number} was seen after ${before}`);
        last = number;
        const [held] = await warehouse.ask(questionsOfNumbered.lines, { channel }, limits);
        assert.deepEqual([held!.lines, held!.least], [60, held!.most]);
      }
    };
    const readers = level === 'deep' ? [reader(), reader()] : [reader()];
    const writer = async () => {
      for (let number = 2; number <= 5; number++) {
        await land(warehouse, target, numbered(number));
        landed = number;
        if (number === 4) await warehouse.prune(1);
      }
    };
    await Promise.race([writer(), ...readers]).finally(() => {
      done = true;
    });
    await Promise.all(readers);
  });
});
