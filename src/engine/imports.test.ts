import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  collected,
  day0,
  event,
  freshTarget,
  land,
  limits,
  million,
  nextImport,
  onEachWarehouse,
  orderLine,
  row,
  rowsOf,
  secondsPerDay,
  sorted,
  stage,
} from '../../test/warehouse.ts';
import { question } from './question.ts';
import type { DateRange, Warehouse } from './warehouse.ts';

onEachWarehouse('imports', (opened) => {
  let warehouse: Warehouse;
  before(() => {
    warehouse = opened().warehouse;
  });

  test('dated rows replace whole days: those that vanished from the document vanish, other days and channels stay', async () => {
    const [target, other] = [freshTarget(), freshTarget()];
    const traffic = (day: number, sku: string, units: number) =>
      row('traffic', { day: day0 + day, sku, units, currency: 'USD' });
    const first = {
      traffic: [traffic(0, 'A', 1), traffic(0, 'B', 2), traffic(1, 'A', 3), traffic(2, 'A', 4)],
    };
    assert.deepEqual(await land(warehouse, target, first), {
      rows: { traffic: 4 },
      rowsOlder: 0,
      rowsSuperseded: {},
    });
    await land(warehouse, other, first);
    assert.deepEqual(await land(warehouse, target, { traffic: [traffic(0, 'B', 20)] }), {
      rows: { traffic: 1 },
      rowsOlder: 0,
      rowsSuperseded: {},
    });
    assert.deepEqual(
      await rowsOf(warehouse, 'traffic', target.channel),
      sorted('traffic', [traffic(0, 'B', 20), traffic(1, 'A', 3), traffic(2, 'A', 4)]),
    );
    await land(
      warehouse,
      target,
      { traffic: [traffic(0, 'C', 5)] },
      { traffic: { first: day0, last: day0 + 1 } },
    );
    assert.deepEqual(
      await rowsOf(warehouse, 'traffic', target.channel),
      sorted('traffic', [traffic(0, 'C', 5), traffic(2, 'A', 4)]),
    );
    assert.deepEqual(
      await land(warehouse, target, {}, { traffic: { first: day0 + 2, last: day0 + 2 } }),
      {
        rows: {},
        rowsOlder: 0,
        rowsSuperseded: {},
      },
    );
    assert.deepEqual(await rowsOf(warehouse, 'traffic', target.channel), [traffic(0, 'C', 5)]);
    assert.deepEqual(
      (await rowsOf(warehouse, 'store_day', target.channel)).map((one) => [
        one.day,
        one.traffic_units,
      ]),
      [[day0, 5]],
    );
    assert.deepEqual(
      await rowsOf(warehouse, 'traffic', other.channel),
      sorted('traffic', first.traffic),
    );
  });

  test('a document that speaks for a part of its days leaves the other parts, but for rows of its keys', async () => {
    const target = freshTarget();
    const spend = (day: number, campaign: string, ad_type: string, clicks: number) =>
      row('campaign_day', {
        day: day0 + day,
        campaign_id: campaign,
        ad_type,
        report: ad_type,
        clicks,
        currency: 'USD',
      });
    const first = [
      spend(0, '1', 'SP', 1),
      spend(0, '2', 'SP', 2),
      spend(0, '3', 'SB', 3),
      spend(1, '3', 'SB', 4),
      spend(1, '1', 'SP', 5),
    ];
    await land(warehouse, target, { campaign_day: first });
    const days = (last: number, ...parts: string[]) => ({
      campaign_day: { first: day0, last: day0 + last, parts },
    });
    await land(warehouse, target, { campaign_day: [spend(0, '2', 'SP', 20)] }, days(0, 'SP'));
    assert.deepEqual(
      await rowsOf(warehouse, 'campaign_day', target.channel),
      sorted('campaign_day', [
        spend(0, '2', 'SP', 20),
        spend(0, '3', 'SB', 3),
        spend(1, '3', 'SB', 4),
        spend(1, '1', 'SP', 5),
      ]),
    );
    // A campaign that changes its type of advertising remains the same campaign.
    await land(warehouse, target, { campaign_day: [spend(0, '3', 'SD', 30)] }, days(0, 'SD'));
    await land(warehouse, target, {}, days(1, 'SP'));
    assert.deepEqual(
      await rowsOf(warehouse, 'campaign_day', target.channel),
      sorted('campaign_day', [spend(0, '3', 'SD', 30), spend(1, '3', 'SB', 4)]),
    );
    assert.deepEqual(
      (await rowsOf(warehouse, 'store_day', target.channel)).map((one) => [one.day, one.clicks]),
      [
        [day0, 30],
        [day0 + 1, 4],
      ],
    );
  });

  test('dated rows outside the days of their import are refused', async () => {
    const target = freshTarget();
    const outside = {
      traffic: [row('traffic', { day: day0 }), row('traffic', { day: day0 + 5 })],
    };
    await assert.rejects(
      land(warehouse, target, outside, { traffic: { first: day0, last: day0 + 1 } }),
      /outside the days/,
    );
    await assert.rejects(
      land(warehouse, target, outside, { traffic: undefined as unknown as DateRange }),
      /without the days/,
    );
    assert.deepEqual(await rowsOf(warehouse, 'traffic', target.channel), []);
  });

  test('rows kept by key replace those of their key, unless the held row was updated later', async () => {
    const target = freshTarget();
    const at = (day: number) => (day0 + day) * secondsPerDay + 100;
    const line = (id: string, day: number, updated_at: number, quantity: number) =>
      orderLine({ order_id: id, purchased_at: at(day), updated_at, quantity });
    await land(warehouse, target, {
      order_line: [
        line('A', 0, 10, 1),
        line('B', 0, 10, 1),
        line('C', 1, 10, 1),
        line('D', 3, 0, 1),
      ],
    });
    const landed = await land(warehouse, target, {
      order_line: [line('A', 0, 9, 2), line('B', 2, 10, 2), line('D', 3, 0, 2), line('E', 0, 1, 2)],
    });
    assert.deepEqual(landed, { rows: { order_line: 3 }, rowsOlder: 1, rowsSuperseded: {} });
    const expected = [
      line('A', 0, 10, 1),
      line('B', 2, 10, 2),
      line('C', 1, 10, 1),
      line('D', 3, 0, 2),
      line('E', 0, 1, 2),
    ];
    assert.deepEqual(await rowsOf(warehouse, 'order_line', target.channel), expected);
    const slots = await rowsOf(warehouse, 'order_slot', target.channel);
    assert.deepEqual(
      slots.map((slot) => [slot.day, slot.units]),
      [
        [day0, 3],
        [day0 + 1, 1],
        [day0 + 2, 2],
        [day0 + 3, 2],
      ],
    );
    const older = await land(warehouse, target, {
      order_line: [line('A', 5, 3, 9), line('B', 6, 3, 9)],
    });
    assert.deepEqual(older, { rows: { order_line: 0 }, rowsOlder: 2, rowsSuperseded: {} });
    assert.deepEqual(await rowsOf(warehouse, 'order_line', target.channel), expected);
    // A removal takes a row away unless it is older, and leaves nothing of its own.
    const removal = (id: string, day: number, updated_at: number) => ({
      ...line(id, day, updated_at, 0),
      status: 'Removed',
    });
    const removed = await land(warehouse, target, {
      order_line: [removal('A', 0, 9), removal('B', 0, 10), removal('F', 3, 1), line('D', 3, 0, 4)],
    });
    assert.deepEqual(removed, { rows: { order_line: 1 }, rowsOlder: 1, rowsSuperseded: {} });
    assert.deepEqual(
      (await rowsOf(warehouse, 'order_slot', target.channel)).map((slot) => [slot.day, slot.units]),
      [
        [day0, 3],
        [day0 + 1, 1],
        [day0 + 3, 4],
      ],
    );
  });

  test('things without a day are kept by key, too', async () => {
    const target = freshTarget();
    const product = (sku: string, title: string) => row('product', { sku, title });
    await land(warehouse, target, { product: [product('A', 'one'), product('B', 'two')] });
    const landed = await land(warehouse, target, {
      product: [product('B', 'first'), product('B', 'last'), product('C', 'three')],
    });
    assert.deepEqual(landed, { rows: { product: 2 }, rowsOlder: 0, rowsSuperseded: {} });
    assert.deepEqual(await rowsOf(warehouse, 'product', target.channel), [
      product('A', 'one'),
      product('B', 'last'),
      product('C', 'three'),
    ]);
  });

  test('rows kept by unit replace all rows of their units, wherever these lie', async () => {
    const [target, other] = [freshTarget(), freshTarget()];
    const first = [
      event('U1', 1, { hour: 1 }),
      event('U1', 2, { hour: 30 }),
      event('U2', 1, { hour: 2 }),
      event('U3', 1, { hour: 50 }),
    ];
    for (const one of [target, other]) {
      assert.deepEqual(await land(warehouse, one, { finance_event: first }), {
        rows: { finance_event: 4 },
        rowsOlder: 0,
        rowsSuperseded: {},
      });
    }
    const landed = await land(warehouse, target, {
      finance_event: [
        event('U1', 7, { hour: 60 }),
        event('U4', 1, { hour: 3 }),
        event('U4', 1, { hour: 4 }),
      ],
    });
    assert.deepEqual(landed, { rows: { finance_event: 2 }, rowsOlder: 0, rowsSuperseded: {} });
    assert.deepEqual(await rowsOf(warehouse, 'finance_event', target.channel), [
      event('U1', 7, { hour: 60 }),
      event('U2', 1, { hour: 2 }),
      event('U3', 1, { hour: 50 }),
      event('U4', 1, { hour: 4 }),
    ]);
    // Of the second day, nothing is left.
    assert.deepEqual(
      (await rowsOf(warehouse, 'profit_slot', target.channel)).map((slot) => [
        slot.slot_at,
        slot.sales,
      ]),
      [2, 4, 50, 60].map((hour) => [day0 * secondsPerDay + hour * 3600, million]),
    );
    assert.deepEqual(await rowsOf(warehouse, 'finance_event', other.channel), first);
  });

  test('things without a day are kept by unit, too', async () => {
    const target = freshTarget();
    const claim = (unit: string, superseded: string, from_at: number) =>
      row('finance_claim', { unit, superseded, source: 'settlement', from_at });
    await land(warehouse, target, {
      finance_claim: [claim('A', 'rows', 1), claim('A', 'transactions', 1), claim('B', 'rows', 1)],
    });
    await land(warehouse, target, {
      finance_claim: [claim('A', 'rows', 2), claim('A', 'rows', 3)],
    });
    assert.deepEqual(await rowsOf(warehouse, 'finance_claim', target.channel), [
      claim('A', 'rows', 3),
      claim('B', 'rows', 1),
    ]);
  });

  test('repeated rows of a unit are not reported', async () => {
    const arrival = await warehouse.begin({ ...freshTarget(), importId: nextImport() });
    await stage(warehouse, arrival, { finance_event: [event('A', 1, {}), event('A', 1, {})] });
    for await (const page of arrival.duplicates('finance_event')) assert.deepEqual(page, []);
    await arrival.discard();
  });

  test('a document supersedes rows of other sources within its instants, both inclusive', async () => {
    const target = freshTarget();
    const reported = (unit: string, source: string, hour: number) =>
      event(unit, 1, { source, hour });
    const held = [
      reported('A', 'rows', 9),
      reported('B', 'rows', 10),
      reported('C', 'transactions', 20),
      reported('D', 'rows', 40),
      reported('E', 'rows', 41),
      reported('F', 'returns', 15),
      reported('G', 'rows', 30),
    ];
    await land(warehouse, target, { finance_event: held });
    const at = (hour: number) => day0 * secondsPerDay + hour * 3600;
    const cover = {
      first: day0,
      last: day0 + 1,
      parts: ['rows', 'transactions'],
      instants: { from: at(10), to: at(40) },
    };
    // The row of G is replaced by its own unit, and so is not counted.
    const landed = await land(
      warehouse,
      target,
      { finance_event: [reported('S', 'settlement', 12), reported('G', 'settlement', 31)] },
      { finance_event: cover },
    );
    assert.deepEqual(landed, {
      rows: { finance_event: 2 },
      rowsOlder: 0,
      rowsSuperseded: { rows: 2, transactions: 1 },
    });
    const expected = [
      reported('A', 'rows', 9),
      reported('E', 'rows', 41),
      reported('F', 'returns', 15),
      reported('G', 'settlement', 31),
      reported('S', 'settlement', 12),
    ];
    assert.deepEqual(await rowsOf(warehouse, 'finance_event', target.channel), expected);
    assert.deepEqual(
      (await rowsOf(warehouse, 'profit_slot', target.channel)).map((slot) => slot.slot_at),
      [9, 12, 15, 31, 41].map(at).sort(),
    );
    // A document without rows; a day without events has no rows in the rollup.
    const nothing = {
      first: day0 + 1,
      last: day0 + 1,
      parts: ['settlement', 'rows'],
      instants: { from: at(24), to: at(47) },
    };
    assert.deepEqual(await land(warehouse, target, {}, { finance_event: nothing }), {
      rows: {},
      rowsOlder: 0,
      rowsSuperseded: { settlement: 1, rows: 1 },
    });
    assert.deepEqual(
      (await rowsOf(warehouse, 'profit_slot', target.channel)).map((slot) => slot.slot_at),
      [9, 12, 15].map(at),
    );
  });

  test('a document supersedes rows of other sources for the same order and instant', async () => {
    const target = freshTarget();
    const reported = (unit: string, source: string, order_id: string, hour: number) =>
      event(unit, 1, { source, order_id, hour });
    await land(warehouse, target, {
      finance_event: [
        reported('A', 'rows', 'O1', 100),
        reported('B', 'rows', 'O1', 101),
        reported('C', 'rows', '', 100),
        reported('D', 'returns', 'O1', 100),
        reported('E', 'rows', 'O2', 100),
        reported('F', 'rows', 'O3', 102),
      ],
    });
    // A row that is not kept supersedes nothing: F stays despite the first row of unit T.
    const document = {
      finance_event: [
        reported('S', 'settlement', 'O1', 100),
        reported('S2', 'settlement', '', 100),
        reported('T', 'settlement', 'O3', 102),
        reported('T', 'settlement', 'O3', 103),
      ],
    };
    const landed = await land(warehouse, target, document, {
      finance_event: { first: day0, last: day0, parts: ['rows'] },
    });
    assert.deepEqual(landed, {
      rows: { finance_event: 3 },
      rowsOlder: 0,
      rowsSuperseded: { rows: 1 },
    });
    assert.deepEqual(
      (await rowsOf(warehouse, 'finance_event', target.channel)).map((one) => one.unit),
      ['B', 'C', 'D', 'E', 'F', 'S', 'S2', 'T'],
    );
  });

  test('texts arrive as they are', async () => {
    const target = freshTarget();
    const titles = [
      '',
      '"',
      '""',
      '\\',
      '\\N',
      "it's",
      'a,b',
      'line\nbreak',
      'carriage\r\nreturn',
      ' spaces ',
      '\tx\t',
      'NULL',
      '名前 🙂',
      '{x:Int32}',
      '\u0001',
    ];
    const products = titles.map((title, place) =>
      row('product', {
        sku: `S${String(place).padStart(2, '0')}`,
        title,
        brand: title,
        price: -1n,
      }),
    );
    await land(warehouse, target, { product: products });
    assert.deepEqual(await rowsOf(warehouse, 'product', target.channel), products);
    const texts = question(
      'texts',
      'SELECT title, brand FROM product WHERE channel = {channel:Int32} ORDER BY sku',
    );
    const streamed = await collected(warehouse.stream(texts, { channel: target.channel }, limits));
    assert.deepEqual(
      streamed,
      titles.map((title) => ({ title, brand: title })),
    );
  });
});
