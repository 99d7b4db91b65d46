import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEachPair, type Tenant } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { csvOf, named } from '../../../../../test/reports.ts';
import type { reports } from '../reports.ts';
import { productsByPages } from './report.ts';

const at = (instant: string) => Date.parse(instant) / 1000;
/** March 2025 in Berlin, where clocks change on the 30th. */
const march = {
  fromDate: at('2025-02-28T23:00:00Z'),
  toDate: at('2025-03-31T21:59:59Z'),
  timezone: 'Europe/Berlin',
};
const line = (
  orderId: string,
  purchasedAt: string,
  sku: string,
  quantity: number,
  more: object,
) => ({
  ...{ orderId, lineId: '1', purchasedAt, sku, quantity },
  ...more,
});
const lines = [
  line('1', '2025-03-31T21:59:59Z', 'A', 3, { itemPrice: '30.00', itemTax: '5.70' }),
  line('2', '2025-03-31T22:00:00Z', 'A', 9, { itemPrice: '90.00' }),
  line('3', '2025-03-10T12:00:00Z', 'B', 1, { itemPrice: '10.00', currency: 'GBP' }),
  line('4', '2025-01-20T12:00:00Z', 'C', 6, { itemPrice: '6.00' }),
];
const products = [
  {
    ...{ sku: 'A', productId: 'B0A', title: '=Ash', brand: 'Wood', price: '12.50' },
    ...{ linkUrl: 'https://shop.example/a', imageUrl: 'https://images.example/a.jpg' },
    fulfilledByMarketplace: true,
  },
  { sku: 'C', productId: 'B0C', title: 'Cedar', fulfilledByMarketplace: false },
];
const inventory = [
  { date: '2025-03-30', sku: 'A', available: 7 },
  { date: '2025-04-01', sku: 'A', available: 99 },
  { date: '2025-03-29', sku: 'B', available: 0 },
  { date: '2025-03-29', sku: 'C', available: 4 },
];

onEachPair('Reports of sales by product', (world) => {
  let tenant: Tenant;
  const rowsOf = async (options: object) =>
    (await csvOf(world(), tenant, 'salesByProduct', { ...march, ...options })).rows.map((row) =>
      row.join('|'),
    );

  before(async () => {
    tenant = await world().tenant({
      channel: { timezone: 'Europe/Berlin', currency: 'EUR', marketplace: 'primarymkt' },
    });
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-10', currency: 'GBP', perEuro: 0.8 },
    ]);
    await importRows(world(), 'products', tenant.channelId, products);
    await importRows(world(), 'orderLines', tenant.channelId, lines);
    await importRows(world(), 'inventory', tenant.channelId, inventory);
    await importRows(world(), 'adProductDays', tenant.channelId, [
      { date: '2025-03-31', sku: 'A', productId: 'B0A', cost: '1.00', sales: '4.00' },
    ]);
  });

  test('A row for each product, the most sold first, with its stock and how long it lasts', async () => {
    const csv = await csvOf(world(), tenant, 'salesByProduct', march);
    assert.equal(
      csv.columns.join(),
      'title,brand,sku,productSku,asin,imageUrl,linkUrl,quantity,price,totalSales,unitsSold,' +
        'avPrice,lastSold,noQuantitySinceTime,daysCover,adSpend,adSales,acos,tacos,' +
        'fulfillmentChannel,status',
    );
    assert.deepEqual(
      csv.rows.map((row) => row.join('|')),
      [
        // 7 units at 3 in 30 days; 1.00 of 4.00 and of 35.70.
        "'=Ash|Wood|A|B0A|B0A|https://images.example/a.jpg|https://shop.example/a|7|12.50|35.70|3|" +
          '11.90|2025-03-31T23:59:59.000+02:00||70.0|1.00|4.00|25.00|2.80|AFN|active',
        // 10.00 pounds at 0.8 for a euro. The catalogue does not have it.
        '||B|||||0||12.50|1|12.50|2025-03-10T13:00:00.000+01:00|2025-03-29T00:00:00.000+01:00|0.0|' +
          '0.00|0.00||0.00||outOfStock',
      ],
    );
  });

  test('Products without sales with days of cover of the last 90 days, and those in stock', async () => {
    const all = await rowsOf({
      includeNoSales: true,
      includeNoInventory: false,
      includeTax: false,
    });
    assert.deepEqual(
      all.map((row) => row.split('|').slice(0, 3).join()),
      ["'=Ash,Wood,A", 'Cedar,,C'],
    );
    // 4 units at 6 in 90 days.
    assert.equal(
      all[1],
      'Cedar||C|B0C|B0C|||4||0.00|0||2025-01-20T13:00:00.000+01:00||60.0|0.00|0.00|||MFN|active',
    );
  });

  test('Reports of vendors have ordered revenue and units', async () => {
    const vendor = await world().tenant({ channel: { kind: 'vendor', currency: 'EUR' } });
    const sold = { date: '2025-03-05', asin: 'B0V', currency: 'EUR' };
    await importRows(world(), 'vendorSales', vendor.channelId, [
      { ...sold, view: 'MANUFACTURING', orderedRevenue: '50.00', orderedUnits: 4 },
      { ...sold, view: 'SOURCING', shippedRevenue: '40.00', shippedUnits: 3 },
    ]);
    const [row] = named(await csvOf(world(), vendor, 'salesByProduct', march));
    assert.deepEqual(
      [row!.productSku, row!.poValue, row!.unitsOrdered, row!.avPrice, row!.lastSold],
      ['B0V', '50.00', '4', '12.50', '2025-03-05T00:00:00.000+01:00'],
    );
    const { channelId, merchantId } = vendor;
    const { body } = await world().ask(vendor.key, 'POST', '/reports/view/salesByProduct', {
      ...{ channelId, merchantId, ...march },
    });
    const [{ current }] = body.rows;
    assert.deepEqual(
      [current.totalSales, current.unitsSold, current.directFulfillmentSales, body.count],
      [50, 4, 0, 1],
    );
  });

  test('Pages of any size are the same report', async () => {
    const { warehouse, registry } = world();
    const channel = await registry.records
      .selectFrom('channel')
      .selectAll()
      .where('channelId', '=', tenant.channelId)
      .executeTakeFirstOrThrow();
    const limits = { deadlineMilliseconds: 3_600_000 };
    const options = { ...march, includeTax: true, includeNoSales: true, includeNoInventory: true };
    const read = async (report: typeof reports.salesByProduct) => {
      const skus: string[] = [];
      await report.rows(
        options,
        { channel, channels: [channel], warehouse, registry, limits },
        async (rows) => {
          skus.push(...(rows as { sku: string }[]).map(({ sku }) => sku));
        },
      );
      return skus;
    };
    assert.deepEqual(await read(productsByPages(1)), ['A', 'B', 'C']);
    assert.deepEqual(await read(productsByPages(3)), ['A', 'B', 'C']);
  });
});
