/** The orders of a document are first remembered whole, then packed, and finally dropped. */
import assert from 'node:assert/strict';
import { deepTest } from '../../../test/level.ts';
import { DocumentOrders } from './documentOrders.ts';
import { type OrderState, removed } from './lines.ts';

const idOf = (number: number) => `701-${number}`;
const stateOf = (number: number, updatedAt = number): OrderState => ({
  purchasedAt: number,
  updatedAt,
  itemsAt: -1,
  status: 'Shipped',
  customer: `ü${number}`,
});
const line = (id: string, status = 'Shipped') => ({ line_id: id, status });

deepTest('orders are whole at first, then packed, and change when they come again', () => {
  const orders = new DocumentOrders();
  const add = (number: number) => {
    const order = orders.add(idOf(number));
    orders.addVersion(order, stateOf(number), '{"a":1}', `sealed ${number}`);
    orders.addLine(order, line('1'), true);
    orders.addLine(order, line('2', removed), true);
    orders.addLine(order, line('3'), false);
  };
  const addMany = (from: number, count: number) => {
    for (let number = from; number < from + count; number++) add(number);
  };
  addMany(0, 5000);
  const whole = orders.get(idOf(0))!;
  assert.equal(whole.record, '{"a":1}');
  assert.equal(whole.lines!.length, 3);

  addMany(5000, 10_000);
  const packed = orders.get(idOf(0))!;
  assert.deepEqual(packed, {
    state: stateOf(0),
    sealedEmail: 'sealed 0',
    record: '',
    lines: undefined,
    lineIds: ['1', '3'],
    withoutItem: ['3'],
  });
  // It comes again, and is packed once more.
  orders.addVersion(packed, stateOf(0, 99), '{"b":2}', 'newer');
  orders.addLine(packed, line('4'), true);
  orders.addLine(packed, line('3'), true);
  assert.equal(orders.get(idOf(0)), packed);
  addMany(15_000, 10_000);
  assert.deepEqual(orders.get(idOf(0)), {
    state: stateOf(0, 99),
    sealedEmail: 'newer',
    record: '',
    lines: undefined,
    lineIds: ['1', '3', '4'],
    withoutItem: [],
  });
  assert.deepEqual(orders.get(idOf(7))!.lineIds, ['1', '3']);
  assert.equal(orders.get('701-none'), undefined);

  // Orders that come again leave the others whole.
  add(25_000);
  for (let number = 0; number < 12_000; number++) orders.get(idOf(number));
  assert.equal(orders.get(idOf(25_000))!.lines!.length, 3);

  // Fifty thousand are remembered, and twice as many dropped.
  addMany(25_001, 109_999);
  assert.equal(orders.get(idOf(1)), undefined);
  assert.deepEqual(orders.get(idOf(135_000 - 50_000))!.state, stateOf(135_000 - 50_000));
});
