/**
 * Imports into the warehouse: which rows a document replaces, retains, removes or supersedes, by
 * days, keys, units and sources, with the rollups that follow; and texts that are stored unchanged.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { rowsOf as tableRows, tablesBeside } from '../../test/table.ts';
import {
  type Cells,
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
  type Target,
} from '../../test/warehouse.ts';
import { question } from './question.ts';
import type { DateRange, Warehouse } from './warehouse.ts';

const tables = tablesBeside(import.meta.url, 'imports.tables.txt');

/** The instant this many hours after the start of the first day. */
const atHour = (hour: number) => day0 * secondsPerDay + hour * 3600;
/** Events, one for each row. */
const eventsOf = (csv: string) => tableRows(csv).map(({ unit, ...cells }) => event(unit, 1, cells));

type Landing = {
  days?: Parameters<typeof land>[3];
  rowsOlder?: number;
  rowsSuperseded?: Record<string, number>;
};

onEachWarehouse('imports', (opened) => {
  let warehouse: Warehouse;
  before(() => {
    warehouse = opened().warehouse;
  });

  /** Imports a document and asserts the numbers of its rows and of the skipped ones. */
  const lands = async (
    target: Target,
    document: Parameters<typeof land>[2],
    rows: Record<string, number>,
    { days = {}, rowsOlder = 0, rowsSuperseded = {} }: Landing = {},
  ) =>
    assert.deepEqual(await land(warehouse, target, document, days), {
      rows,
      rowsOlder,
      rowsSuperseded,
    });
  /** Asserts that a table holds these rows of a channel and no others. */
  const holds = async (target: Target, table: string, rows: readonly Cells[]) =>
    assert.deepEqual(await rowsOf(warehouse, table, target.channel), sorted(table, rows));
  /** Asserts these values of the rows of a rollup, in its order. */
  const rollsUp = async (target: Target, table: string, names: string, rows: unknown[][]) => {
    const found = await rowsOf(warehouse, table, target.channel);
    const shown = found.map((one) => names.split(', ').map((name) => one[name]));
    assert.deepEqual(shown, rows);
  };

  test('dated rows replace whole days: those that vanished from the document vanish, other days and channels stay', async () => {
    const [target, other] = [freshTarget(), freshTarget()];
    const traffic = (day: number, sku: string, units: number) =>
      row('traffic', { day: day0 + day, sku, units, currency: 'USD' });
    const first = {
      traffic: [traffic(0, 'A', 1), traffic(0, 'B', 2), traffic(1, 'A', 3), traffic(2, 'A', 4)],
    };
    await lands(target, first, { traffic: 4 });
    await land(warehouse, other, first);
    await lands(target, { traffic: [traffic(0, 'B', 20)] }, { traffic: 1 });
    await holds(target, 'traffic', [traffic(0, 'B', 20), traffic(1, 'A', 3), traffic(2, 'A', 4)]);
    const firstTwo = { traffic: { first: day0, last: day0 + 1 } };
    await land(warehouse, target, { traffic: [traffic(0, 'C', 5)] }, firstTwo);
    await holds(target, 'traffic', [traffic(0, 'C', 5), traffic(2, 'A', 4)]);
    await lands(target, {}, {}, { days: { traffic: { first: day0 + 2, last: day0 + 2 } } });
    await holds(target, 'traffic', [traffic(0, 'C', 5)]);
    await rollsUp(target, 'store_day', 'day, traffic_units', [[day0, 5]]);
    await holds(other, 'traffic', first.traffic);
  });

  test('a document that speaks for a part of its days leaves the other parts, but for rows of its keys', async () => {
    const target = freshTarget();
    const spend = (day: number, campaign_id: string, ad_type: string, clicks: number) => {
      const cells = { day: day0 + day, since: day0 + day, campaign_id, ad_type, clicks };
      return row('campaign_day', { ...cells, report: ad_type, currency: 'USD' });
    };
    const earlier = { ...spend(0, '4', 'SP', 0), since: day0 - 3 };
    const others = [
      ...[spend(0, '3', 'SB', 3), spend(1, '3', 'SB', 4), spend(1, '1', 'SP', 5)],
      // It begins before the days of the documents.
      earlier,
    ];
    const first = [spend(0, '1', 'SP', 1), spend(0, '2', 'SP', 2), ...others];
    await land(warehouse, target, { campaign_day: first });
    const days = (last: number, ...parts: string[]) => ({
      campaign_day: { first: day0, last: day0 + last, parts },
    });
    await land(warehouse, target, { campaign_day: [spend(0, '2', 'SP', 20)] }, days(0, 'SP'));
    await holds(target, 'campaign_day', [spend(0, '2', 'SP', 20), ...others]);
    // A campaign that changes its type of advertising remains the same campaign.
    await land(warehouse, target, { campaign_day: [spend(0, '3', 'SD', 30)] }, days(0, 'SD'));
    await land(warehouse, target, {}, days(1, 'SP'));
    const left = [spend(0, '3', 'SD', 30), spend(1, '3', 'SB', 4), earlier];
    await holds(target, 'campaign_day', left);
    await rollsUp(target, 'store_day', 'day, clicks', [
      [day0, 30],
      [day0 + 1, 4],
    ]);
  });

  test('dated rows outside the days of their import are refused', async () => {
    const target = freshTarget();
    const outside = { traffic: [0, 5].map((day) => row('traffic', { day: day0 + day })) };
    const landing = (traffic: DateRange | undefined) =>
      land(warehouse, target, outside, { traffic: traffic as DateRange });
    await assert.rejects(landing({ first: day0, last: day0 + 1 }), /outside the days/);
    await assert.rejects(landing(undefined), /without the days/);
    assert.deepEqual(await rowsOf(warehouse, 'traffic', target.channel), []);
  });

  test('rows replaced by key replace the row of their key, unless the held row was updated later', async () => {
    const target = freshTarget();
    const at = (day: number) => (day0 + day) * secondsPerDay + 100;
    const line = (id: string, day: number, updated_at: number, quantity: number) =>
      orderLine({ order_id: id, purchased_at: at(day), updated_at, quantity });
    const first = [
      line('A', 0, 10, 1),
      line('B', 0, 10, 1),
      line('C', 1, 10, 1),
      line('D', 3, 0, 1),
    ];
    await land(warehouse, target, { order_line: first });
    const later = [line('A', 0, 9, 2), line('B', 2, 10, 2), line('D', 3, 0, 2), line('E', 0, 1, 2)];
    await lands(target, { order_line: later }, { order_line: 3 }, { rowsOlder: 1 });
    const expected = [line('A', 0, 10, 1), line('C', 1, 10, 1), ...later.slice(1)];
    await holds(target, 'order_line', expected);
    await rollsUp(target, 'order_slot', 'day, units', [
      [day0, 3],
      [day0 + 1, 1],
      [day0 + 2, 2],
      [day0 + 3, 2],
    ]);
    const older = { order_line: [line('A', 5, 3, 9), line('B', 6, 3, 9)] };
    await lands(target, older, { order_line: 0 }, { rowsOlder: 2 });
    await holds(target, 'order_line', expected);
    // A removal removes a row unless it is older, and leaves no row of its own.
    const removal = (id: string, day: number, updated_at: number) => ({
      ...line(id, day, updated_at, 0),
      status: 'Removed',
    });
    const removals = [removal('A', 0, 9), removal('B', 0, 10), removal('F', 3, 1)];
    const removing = { order_line: [...removals, line('D', 3, 0, 4)] };
    await lands(target, removing, { order_line: 1 }, { rowsOlder: 1 });
    await rollsUp(target, 'order_slot', 'day, units', [
      [day0, 3],
      [day0 + 1, 1],
      [day0 + 3, 4],
    ]);
  });

  test('things without a day are replaced by key, too', async () => {
    const target = freshTarget();
    const product = (sku: string, title: string) => row('product', { sku, title });
    await land(warehouse, target, { product: [product('A', 'one'), product('B', 'two')] });
    const later = [product('B', 'first'), product('B', 'last'), product('C', 'three')];
    await lands(target, { product: later }, { product: 2 });
    await holds(target, 'product', [product('A', 'one'), ...later.slice(1)]);
  });

  test('rows replaced by unit replace all rows of their units, wherever these lie', async () => {
    const [target, other] = [freshTarget(), freshTarget()];
    const booked = (unit: string, number: number, hour: number) => event(unit, number, { hour });
    const first = [
      booked('U1', 1, 1),
      booked('U1', 2, 30),
      booked('U2', 1, 2),
      booked('U3', 1, 50),
    ];
    for (const one of [target, other])
      await lands(one, { finance_event: first }, { finance_event: 4 });
    const later = [booked('U1', 7, 60), booked('U4', 1, 3), booked('U4', 1, 4)];
    await lands(target, { finance_event: later }, { finance_event: 2 });
    const remaining = [later[0]!, first[2]!, first[3]!, later[2]!];
    await holds(target, 'finance_event', remaining);
    // Nothing is left of the second day.
    const slots = [2, 4, 50, 60].map((hour) => [atHour(hour), million]);
    await rollsUp(target, 'profit_slot', 'slot_at, sales', slots);
    await holds(other, 'finance_event', first);
  });

  test('things without a day are replaced by unit, too', async () => {
    const target = freshTarget();
    const claim = (unit: string, superseded: string, from_at: number) =>
      row('finance_claim', { unit, superseded, source: 'settlement', from_at });
    const first = [claim('A', 'rows', 1), claim('A', 'transactions', 1), claim('B', 'rows', 1)];
    await land(warehouse, target, { finance_claim: first });
    const later = [claim('A', 'rows', 2), claim('A', 'rows', 3)];
    await land(warehouse, target, { finance_claim: later });
    await holds(target, 'finance_claim', [claim('A', 'rows', 3), claim('B', 'rows', 1)]);
  });

  test('repeated rows of a unit are not reported', async () => {
    const arrival = await warehouse.begin({ ...freshTarget(), importId: nextImport() });
    await stage(warehouse, arrival, { finance_event: [event('A', 1, {}), event('A', 1, {})] });
    for await (const page of arrival.duplicates('finance_event')) assert.deepEqual(page, []);
    await arrival.discard();
  });

  test('a document supersedes rows of other sources within its instants, both inclusive', async () => {
    const target = freshTarget();
    const held = eventsOf(tables.withinInstants!);
    await land(warehouse, target, { finance_event: held });
    const instants = [{ from: atHour(10), to: atHour(40) }];
    const parts = ['rows', 'transactions'];
    const cover = { first: day0, last: day0 + 1, parts, instants };
    // Its own unit replaces the row of G, so it is not counted.
    const document = eventsOf('unit, source, hour\nS, settlement, 12\nG, settlement, 31');
    const superseding = {
      days: { finance_event: cover },
      rowsSuperseded: { rows: 2, transactions: 1 },
    };
    await lands(target, { finance_event: document }, { finance_event: 2 }, superseding);
    const others = held.filter(({ unit }) => ['A', 'E', 'F'].includes(String(unit)));
    await holds(target, 'finance_event', [...others, ...document]);
    const slots = (...hours: number[]) => {
      const expected = hours.map((hour) => [atHour(hour)]);
      return rollsUp(target, 'profit_slot', 'slot_at', expected);
    };
    await slots(9, 12, 15, 31, 41);
    // A document without rows; a day without events has no rows in the rollup.
    const second = { first: day0 + 1, last: day0 + 1 };
    const ofSecond = [{ from: atHour(24), to: atHour(47) }];
    const nothing = { ...second, parts: ['settlement', 'rows'], instants: ofSecond };
    const rowsSuperseded = { settlement: 1, rows: 1 };
    await lands(target, {}, {}, { days: { finance_event: nothing }, rowsSuperseded });
    await slots(9, 12, 15);
  });

  test('a document supersedes rows of other sources for the same order and instant', async () => {
    const target = freshTarget();
    const held = eventsOf(tables.ofOrders!);
    await land(warehouse, target, { finance_event: held });
    // A row that does not count supersedes nothing: F stays despite the first row of unit T.
    const document = eventsOf(tables.settlement!);
    const days = { finance_event: { first: day0, last: day0, parts: ['rows'] } };
    const superseding = { days, rowsSuperseded: { rows: 1 } };
    await lands(target, { finance_event: document }, { finance_event: 3 }, superseding);
    const units = 'B C D E F S S2 T'.split(' ').map((unit) => [unit]);
    await rollsUp(target, 'finance_event', 'unit', units);
  });

  test('texts arrive as they are', async () => {
    const target = freshTarget();
    const titles = [
      ...'|"|""|\\|\\N|it\'s|a,b|NULL|名前 🙂|{x:Int32}|\u0001'.split('|'),
      ...'line\nbreak|carriage\r\nreturn| spaces |\tx\t'.split('|'),
    ];
    const products = titles.map((title, place) =>
      row('product', { sku: `S${place + 10}`, title, brand: title, price: -1n }),
    );
    await land(warehouse, target, { product: products });
    await holds(target, 'product', products);
    const sql = 'SELECT title, brand FROM product WHERE channel = {channel:Int32} ORDER BY sku';
    const texts = question('texts', sql);
    const streamed = await collected(warehouse.stream(texts, { channel: target.channel }, limits));
    const expected = titles.map((title) => ({ title, brand: title }));
    assert.deepEqual(streamed, expected);
  });
});
