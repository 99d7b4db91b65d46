/**
 * Prices of orders that include tax: what decides whether they do, and how much of them is tax.
 * Read in memory; expected amounts are worked out by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryChannel } from '../documents.ts';
import { assertReasons } from '../imports.ts';
import { rowsOf, textBeside } from '../table.ts';

const titles =
  `amazon-order-id,purchase-date,order-status,sku,quantity,item-status,is-replacement-order,
asin,sales-channel,fulfillment-channel,last-updated-date,currency,item-price,item-tax,item-promotion-discount,shipping-price,shipping-tax,
vat-exclusive-item-price`.replaceAll('\n', '');
const flat = (cells: string, status = 'Shipped', quantity = '1') =>
  [titles, `1,2026-06-05T18:00:00+00:00,${status},A,${quantity},,,,,,,EUR,${cells}`]
    .map((row) => row.replaceAll(' ', '').replaceAll(',', '\t'))
    .join('\n');

const germany = { merchantId: 'A1 @ A1PA6795UKMFR9', currency: 'EUR', timezone: 'Europe/Berlin' };
const america = { merchantId: 'A1 @ ATVPDKIKX0DER', currency: 'EUR' };
const settings = {
  germany,
  america,
  'germany by setting': { ...germany, pricesIncludeTax: 0 as const },
  'america by setting': { ...america, pricesIncludeTax: 1 as const },
};
const columns = 'item_price, item_tax, promotion_discount, shipping_price, tax_basis';
const pricesOf = (channel: MemoryChannel) =>
  channel
    .held('order_line', columns)
    .map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) / 1e6 : cell)));

// The tax of 9.5 belongs to 59.5, the price of 119 after a discount of 59.5: a rate of 19 %.
const flatFiles = rowsOf(textBeside(import.meta.url, 'orderPrices.csv')) as {
  channel: keyof typeof settings;
  cells: string;
  expected: string;
}[];

test('the document, then the channel, then the marketplace says whether prices include tax', async () => {
  for (const { channel, cells, expected } of flatFiles) {
    const opened = new MemoryChannel(settings[channel]);
    await opened.import(flat(cells));
    assert.equal(pricesOf(opened).map(String).join().replaceAll(',', ', '), expected, cells);
  }
});

test('a total of an order that equals one of the two sums decides, in both Orders APIs', async () => {
  for (const [total, expected] of [
    ['125', [100, 19, 0, 5, 'document']],
    ['145', [119, 19, 0, 6, 'document']],
    ['130', [100, 19, 0, 5, 'included']],
  ] as const) {
    const order = {
      AmazonOrderId: '1',
      PurchaseDate: '2026-06-05T18:00:00Z',
      OrderStatus: 'Shipped',
    };
    const money = (Amount: string) => ({ Amount, CurrencyCode: 'EUR' });
    const amounts = { ItemPrice: money('119'), ItemTax: money('19'), ShippingPrice: money('6') };
    const item = { OrderItemId: '7', QuantityOrdered: 1, ...amounts, ShippingTax: money('1') };
    const bodies = [
      { payload: { ...order, OrderTotal: money(total) } },
      { payload: { AmazonOrderId: '1', OrderItems: [item] } },
    ];
    const v0 = new MemoryChannel(germany);
    await v0.import(bodies.map((body) => JSON.stringify(body)).join('\n'));
    assert.deepEqual(pricesOf(v0), [expected], total);

    const amount = (value: string) => ({ amount: value, currencyCode: 'EUR' });
    const shares = [
      { subtype: 'ITEM', value: amount('19') },
      { subtype: 'SHIPPING', value: amount('1') },
    ];
    const breakdowns = [
      { type: 'ITEM', subtotal: amount('119') },
      { type: 'SHIPPING', subtotal: amount('6') },
      { type: 'TAX', subtotal: amount('20'), detailedBreakdowns: shares },
    ];
    const v2026 = new MemoryChannel(germany);
    const orderItems = [{ orderItemId: '7', quantityOrdered: 1, proceeds: { breakdowns } }];
    const own = { orderId: '1', createdTime: order.PurchaseDate, orderItems };
    const proceeds = { grandTotal: amount(total) };
    await v2026.import(JSON.stringify({ order: { ...own, proceeds } }));
    assert.deepEqual(pricesOf(v2026), [expected], total);
  }
});

test('an item without a price is rejected, unless its order is pending or it is cancelled', async () => {
  const reason = `has no price for item 1 of its order: only pending orders, cancelled items and
    items of quantity 0 may lack it`;
  assertReasons(await new MemoryChannel(america).import(flat(',,,,,')))`2 ${reason}`;
  for (const [status, quantity] of [
    ['Pending', '1'],
    ['Cancelled', '1'],
    ['Shipped', '0'],
  ] as const) {
    const channel = new MemoryChannel(america);
    await channel.import(flat(',,,,,', status, quantity));
    assert.equal(pricesOf(channel).length, 1, status);
  }
});
