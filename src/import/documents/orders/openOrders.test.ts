/** Orders of a document close in the order in which they were opened. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LatestOrders, OpenOrders } from './openOrders.ts';

test('orders close in the order in which they were opened, and the latest closed ones are known', (t) => {
  const entries = t.mock.method(Map.prototype, 'entries');
  const keys = t.mock.method(Map.prototype, 'keys');
  const closed: string[] = [];
  const orders = new OpenOrders<number, number>(2, new LatestOrders(3), (id, order) => {
    closed.push(id);
    return order;
  });
  const ids = Array.from({ length: 1000 }, (_, number) => `O-${number}`);
  for (const [number, id] of ids.slice(0, 3).entries()) orders.set(id, number);
  const begun = entries.mock.callCount() + keys.mock.callCount();
  for (let number = 3; number < ids.length; number++) orders.set(ids[number]!, number);
  // An iterator for each order would pass over all orders that were closed before.
  assert.equal(entries.mock.callCount() + keys.mock.callCount(), begun);
  assert.deepEqual(closed, ids.slice(0, -2));
  const found = ids.slice(-6).map((id) => orders.closed(id));
  assert.deepEqual(found, [undefined, 995, 996, 997, undefined, undefined]);
  orders.closeAll();
  assert.deepEqual(closed, ids);
  assert.deepEqual(orders.closed('O-999'), 999);
});
