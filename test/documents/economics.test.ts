/**
 * Seller Economics become amounts by product and day, less the costs of units sold and not
 * returned. Read in memory, except where facts of days and weeks exclude one another in a store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../src/engine/errors.ts';
import { assertHeld, fixture, holds, jsonLines } from '../facts.ts';
import { american, newSeller, product, sums, usd } from '../finances.ts';
import { onOnePair, type Tenant } from '../harness.ts';
import {
  assertReasons,
  assertRefused,
  held,
  importDocument,
  reasons,
  refused,
  taken,
} from '../imports.ts';
import { listsOf, textBeside } from '../table.ts';
import { fieldsOf } from '../world.ts';

const coarse = '&coarse=lastDay';

test('economics post by product and day, less costs, and add up to the document’s net proceeds', async () => {
  const channel = newSeller(american);
  const document = fixture('finances.economics.jsonl');
  refused(await channel.import(document), /coarse=lastDay \(.*, such as 2025-03-02 to 2025-03-08,/);
  const answer = await channel.import(document, coarse);
  // 5 + 0 + 6 + 4 amounts in 4 rows
  taken(answer, 'economics', 15);
  assert.equal(answer.body.rowsCoarse, 15);
  // The child ASIN is the id of its product.
  await holds(channel, 'product', 'sku, product_id\nFLASK-1L, B0NORTH001\nLANTERN-S, B0NORTH002');
  // 61.5 + 30.75 + 12; 9.24 + 4.62 + 1.8 + 1; 8.3 + (4.15 - 0.5 + 0.31); 0.0573 + 0.52;
  // 1.27 + 0.4
  const lines = fieldsOf(`
    sales,        refunds,      advertisingSpend, sellingFees
    "104.250000", "-61.500000", "-1.670000",      "-16.660000"
    shippingFees, refundsAndReturnsOverheads, otherExpenses
    "-12.260000", "7.390000",                 "-0.577300"`);
  assert.deepEqual(answer.body.finance.sums, [
    sums('USD', lines, { total: '18.972700', documentTotal: '18.972700' }),
  ]);
  assert.deepEqual(answer.body.finance.unknownCodes, []);
  // The last days of the weeks, at noon of the Pacific: winter time, then summer time.
  await assertHeld(channel, 'finance_event', ({ line }) => line === 'sales' || line === 'refunds')`
    posted_at, sku, line, amount, quantity, fulfillment
    2025-03-08T20:00:00Z, FLASK-1L,  sales,   61.5,  2, AFN
    2025-03-15T19:00:00Z, FLASK-1L,  refunds, -61.5, 2, AFN
    2025-03-15T19:00:00Z, FLASK-1L,  sales,   30.75, 1, AFN
    2025-03-15T19:00:00Z, LANTERN-S, sales,   12,    1,`;
  const columns = 'unit, number, posted_at, sku, line, code, amount, tax, quantity';
  const whole = () => channel.held('finance_event', columns);
  const before = whole();
  const list = `[${document.trim().replaceAll('\n', ',')}]`;
  taken(await channel.import(list, coarse), 'economics', 15);
  assert.deepEqual(whole(), before);
});

onOnePair('Economics in a store', (world) => {
  const march = (date: number) => 20_147 + date;
  const days = async (tenant: Tenant) => {
    const found = await held(world(), tenant, 'finance_event', 'day');
    return [...new Set(found.map(([day]) => day))];
  };

  test('economics of weeks and of days never count twice, whichever come first', async () => {
    const take = ({ channelId }: Tenant, document: string, query = '') =>
      importDocument(world(), channelId, document, query);
    const weekly = fixture('finances.economics.jsonl');
    const ofDay = { startDate: '2025-03-05', endDate: '2025-03-05' };
    const daily = JSON.stringify({ ...JSON.parse(weekly.split('\n')[0]!), ...ofDay });
    const one = await world().tenant({ channel: american });
    await take(one, weekly, coarse);
    assertRefused(await take(one, daily))`
      the dates overlap the facts of several days of economics (import #, …) on 2025-03-02 to
      2025-03-08, so they would count twice: pass replace=true`;
    assert.deepEqual(await days(one), [march(8), march(15)]);
    // The old facts go in the very step that brings the new ones: a failure before it loses none.
    const { warehouse } = world();
    const begin = warehouse.begin.bind(warehouse);
    const failure = () => Promise.reject(new StoreUnavailable('warehouse', new Error('full')));
    warehouse.begin = async (key) => Object.assign(await begin(key), { commit: failure });
    const failed = await take(one, daily, '&replace=true');
    warehouse.begin = begin;
    assert.equal(failed.status, 503);
    assert.deepEqual(await days(one), [march(8), march(15)]);
    const replaced = await take(one, daily, '&replace=true');
    assert.equal(replaced.status, 200, replaced.body.error);
    assert.deepEqual(await days(one), [march(5), march(15)]);

    // Weeks that follow one another do not overlap; their last evening is the next day in UTC.
    const weeks = await world().tenant({ channel: american });
    const [firstWeek, secondWeek] = ['2025-03-02', '2025-03-09'].map((startDate) => {
      const rows = weekly.trim().split('\n');
      return rows.filter((row) => JSON.parse(row).startDate === startDate).join('\n');
    });
    for (const week of [secondWeek!, firstWeek!]) {
      const { status, body } = await take(weeks, week, coarse);
      assert.equal(status, 200, body.error);
    }
    assert.deepEqual(await days(weeks), [march(8), march(15)]);
    const [fromDate, toDate] = ['2025-03-02', '2025-03-31'].map((date) => Date.parse(date) / 1000);
    const { channelId, merchantId, key } = weeks;
    const input = { channelId, merchantId, reportOptions: { fromDate, toDate } };
    const page = await world().ask(key, 'POST', '/profitability/productProfitAndLoss', input);
    const ids = page.body.productEvents.map(
      ({ sellerSku, productSku }: Record<string, string>) => `${sellerSku} ${productSku}`,
    );
    // The child ASIN is the id of its product.
    assert.deepEqual(ids.sort(), ['FLASK-1L B0NORTH001', 'LANTERN-S B0NORTH002']);

    const other = await world().tenant({ channel: american });
    await take(other, daily);
    assertRefused(await take(other, weekly, coarse))`
      the dates overlap the facts of single days of economics … on 2025-03-05,`;
    await take(other, weekly, `${coarse}&replace=true`);
    assert.deepEqual(await days(other), [march(8), march(15)]);
  });
});

const day = (date: string, sku: string, amount: number) => product(date, sku, [amount, 1], amount);

test('economics replace whole days: a restated day loses its missing rows, other days stay', async () => {
  const channel = newSeller(american);
  const all = listsOf(`
    2025-03-01, A, 1
    2025-03-02, A, 2
    2025-03-02, B, 3
    2025-03-03, A, 4`);
  await channel.import(jsonLines(...all.map(([date, sku, amount]) => day(date, sku, amount))));
  taken(await channel.import(jsonLines(day('2025-03-02', 'A', 2.5))), 'economics', 1);
  const own = (csv: string) => holds(channel, 'finance_event', `day, sku, amount\n${csv}`);
  await own('2025-03-01, A, 1\n2025-03-02, A, 2.5\n2025-03-03, A, 4');
  // Products that sold nothing say so of their days.
  const idle = jsonLines(...['A', 'B'].map((sku) => product('2025-03-03', sku, [0, 0], 0)));
  for (const [query, rows] of [
    ['&from=2025-03-03&to=2025-03-03', 1],
    ['', 0],
  ] as const) {
    const { status, body } = await channel.import(idle, query);
    assert.deepEqual(
      [status, body.rowsRead, body.rowsAccepted, body.finance.superseded],
      [200, 2, 0, rows ? [{ source: 'economics', rows }] : []],
    );
  }
  const left = '2025-03-01, A, 1\n2025-03-02, A, 2.5';
  await own(left);
  // An unreadable row changes nothing.
  const nameless = jsonLines(day('2025-03-01', '', 9));
  assert.equal(reasons(await channel.import(nameless)).length, 1);
  await own(left);
  refused(await channel.import(nameless, '&from=2025-03-01&to=2025-03-02'), /has no SKU/);
  const restated = jsonLines(product('2025-03-03', 'A', [0, 0], 0), day('2025-03-03', 'B', 5));
  const some = await channel.import(restated, '&from=2025-03-02&to=2025-03-03');
  assert.equal(some.status, 200);
  await own('2025-03-01, A, 1\n2025-03-03, B, 5');
});

test('far in the east, where noon falls on the previous UTC day, days still post on their own date', async () => {
  const east = newSeller({ ...american, timezone: 'Pacific/Auckland' });
  const document = jsonLines(day('2025-01-10', 'A', 1));
  taken(await east.import(document, '&from=2025-01-10&to=2025-01-10'), 'economics', 1);
  await holds(east, 'finance_event', 'day, posted_at\n2025-01-10, 2025-01-10T00:00:00Z');
});

test('economics count costs for units sold and not returned', async () => {
  const channel = newSeller(american);
  const costs = { costOfGoodsSold: usd(4), miscellaneousCost: usd(0.5) };
  const cost = (more: object) => ({ ...costs, fbaCost: null, mfnCost: null, ...more });
  const amounts = { orderedProductSales: usd(60), refundedProductSales: usd(20) };
  const sales = { ...amounts, unitsOrdered: 3, unitsRefunded: 1 };
  const answer = await channel.import(
    jsonLines(
      // 60 - 20 - 2 x (4 + 0.5 + 0.25) = 30.5
      product('2025-03-01', 'A', [0, 0], 30.5, {
        sales,
        cost: cost({ fbaCost: { shippingToAmazonCost: usd(0.25) } }),
      }),
      // 10 - (4 + 0.5 + 1 + 0.1) = 4.4, but the row says 4.38
      product('2025-03-01', 'B', [10, 1], 4.38, {
        cost: cost({ mfnCost: { fulfillmentCost: usd(1), storageCost: usd(0.1) } }),
      }),
      product('2025-03-02', 'C', [7, 1], 0, {
        sales: { orderedProductSales: usd(7, 'CAD'), unitsOrdered: 1 },
        netProceeds: { total: usd(7, 'CAD') },
      }),
    ),
  );
  const lines = fieldsOf(`
    sales,       refunds,      cogs,         otherExpenses
    "70.000000", "-20.000000", "-12.000000", "-3.100000"`);
  assert.deepEqual(answer.body.finance.sums, [
    sums('USD', lines, { total: '34.900000', documentTotal: '34.880000' }),
    sums('CAD', { sales: '7.000000' }, { total: '7.000000', documentTotal: '7.000000' }),
  ]);
  await holds(channel, 'finance_event', textBeside(import.meta.url, 'economics.events.csv'));
});

test('economics report rows that do not add up, are named twice or cannot be read', async () => {
  const sold = (date: string, sku: string | null, net: number, more: object = {}) =>
    product(date, sku, [1, 1], net, more);
  const fees = (feeTypeName: string, charged: object) => ({ fees: [{ feeTypeName, ...charged }] });
  const total = (totalAmount: object) => ({ aggregatedDetail: { totalAmount } });
  const answer = await newSeller(american).import(
    jsonLines(
      sold('2025-03-05', null, 1),
      sold('2025-03-05', 'A', 1, { marketplaceId: 'A2EUQ1WTGCTBG2' }),
      sold('2025-03-05', 'A', 1, { endDate: '2025-03-04' }),
      sold('2025-03-05', 'A', 1),
      sold('2025-03-05', 'A', 1),
      sold('2025-03-06', 'A', 1, fees('NewFee', { charges: [total(usd(Number.NaN))] })),
      sold('2025-03-06', 'B', 1, fees('OddFee', { charges: [total({ amount: 'x' })] })),
      sold('2025-03-06', 'C', 0.5, fees('NewFee', { charge: total(usd(0.5)) })),
    ),
  );
  assertReasons(answer)`
    1 has no SKU: request the document with aggregateBy productId: MSKU
    3 startDate and endDate must be dates (YYYY-MM-DD) in order
    5 repeats the key of line 4
    7 fees OddFee: the amount must be a decimal number such as 12.34`;
  assert.equal(answer.body.otherStores, 1);
  assert.deepEqual(answer.body.finance.unknownCodes, [
    { code: 'economics/fees/NewFee', currency: 'USD', rows: 1, amount: '-0.500000' },
  ]);
});
