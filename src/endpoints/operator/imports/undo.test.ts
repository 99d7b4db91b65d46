/** An import is undone in one step for simultaneous readers. */
import assert from 'node:assert/strict';
import { onEachPair } from '../../../../test/harness.ts';
import { held, importRows } from '../../../../test/imports.ts';
import { slowTest } from '../../../../test/level.ts';
import { channelNumberOf } from '../../../../test/records.ts';
import { question } from '../../../engine/question.ts';
import type { Ask } from '../../../engine/warehouse.ts';

const limits = { deadlineMilliseconds: 3_600_000 };
const count = (table: string, value = '1') =>
  question<{ found: number }>(
    `sum of ${table}`,
    `SELECT CAST(sum(${value}) AS BIGINT) AS found FROM ${table} WHERE channel = {channel:Int32}`,
  );
/** The orders, their lines, and the units in the rollup of both. */
const questions = [count('order_record'), count('order_line'), count('store_day', 'units')];
const ofLines = 'SELECT order_id AS id FROM order_line WHERE channel = {channel:Int32}';
const lineIds = question<{ id: string }>('lines', ofLines);

onEachPair('Undoing an import', (world) => {
  slowTest('readers see all or none of its facts; facts of later imports stay', async () => {
    const tenant = await world().tenant({ channel: { timezone: 'UTC', currency: 'USD' } });
    const { channelId } = tenant;
    const channel = await channelNumberOf(world(), channelId);
    const order = (id: number, updated: number, quantity: number) => {
      const item = { SellerSKU: 'A', QuantityOrdered: quantity, ItemPrice: 5 };
      return {
        OrderId: `${id}`,
        PurchaseDate: `2025-03-${String((id % 28) + 1).padStart(2, '0')}T12:00:00Z`,
        LastUpdateDate: `2025-04-0${updated}T00:00:00Z`,
        Items: ['1', '2'].map((OrderItemId) => ({ OrderItemId, ...item })),
      };
    };
    const put = async (orders: readonly object[]): Promise<number> =>
      (await importRows(world(), 'orders', channelId, orders)).body.importId;
    const first = await put(Array.from({ length: 200 }, (_, id) => order(id, 1, 1)));
    // A later import has replaced ten of them, and brought one of its own.
    await put([...Array.from({ length: 10 }, (_, id) => order(id, 2, 3)), order(900, 2, 3)]);
    const before = [201, 402, 190 * 2 + 11 * 6];
    const after = [11, 22, 11 * 6];
    const figures = async (ask: Ask) => {
      const found: number[] = [];
      for (const one of questions) found.push((await ask(one, { channel }))[0]!.found);
      return found;
    };
    const read = () => world().warehouse.read([channel], limits, figures);
    assert.deepEqual(await read(), before);

    const seen: number[][] = [];
    let [wholeRead, lines]: [number[], number] = [[], 0];
    await world().warehouse.read([channel], limits, async (ask, stream) => {
      assert.deepEqual(await figures(ask), before);
      // Others continue to read while the undo runs, each in its own snapshot.
      let isUndone = false;
      const undo = world()
        .operate('DELETE', `/operator/imports/${first}/facts`)
        .finally(() => {
          isUndone = true;
        });
      while (!isUndone) seen.push(await read());
      const { rows, datasets } = await undo;
      assert.equal(rows, 190 + 380);
      const removed = datasets.map((one: Record<string, unknown>) => `${one.rows} ${one.dataset}`);
      assert.deepEqual(removed, ['380 orderLines', '190 orders']);
      // A reader that began before still sees all, in questions and streams.
      wholeRead = await figures(ask);
      for await (const portion of stream(lineIds, { channel })) lines += portion.length;
    });
    assert.deepEqual([wholeRead, lines], [before, 402]);
    assert.ok(seen.length > 0);
    const texts = [JSON.stringify(before), JSON.stringify(after)];
    for (const one of seen) assert.ok(texts.includes(JSON.stringify(one)), JSON.stringify(one));
    assert.deepEqual(await read(), after);
    const left = await held(world(), tenant, 'order_line', 'order_id, quantity');
    assert.deepEqual([...new Set(left.map(([, quantity]) => quantity))], [3]);
    assert.equal(new Set(left.map(([id]) => id)).size, 11);
  });
});
