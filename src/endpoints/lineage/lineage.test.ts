/**
 * The lineage of a day: the imports that its figures come from, their documents, and what they
 * superseded.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { onEachPair, type Tenant, testOnOnePair, type World } from '../../../test/harness.ts';
import { importDocument, importRows, lines, postImport } from '../../../test/imports.ts';
import { rowsOf, tablesBeside } from '../../../test/table.ts';
import { assertShown, fieldsOf } from '../../../test/world.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readLineage } from './contract.ts';

const tables = tablesBeside(import.meta.url, 'lineage.tables.txt');

type Lineage = AnswerOf<typeof readLineage>;

const ndjson = 'application/x-ndjson';
const day = '2025-03-05';

async function trace(
  world: World,
  { key, channelId, merchantId }: Tenant,
  query: Readonly<Record<string, string>>,
): Promise<Lineage> {
  const input = new URLSearchParams({ channelId, merchantId, date: day, ...query });
  const { status, body } = await world.ask(key, 'GET', `/lineage?${input}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The facts in short: table, partition, import and rows. */
const owners = ({ facts }: Lineage) =>
  facts.map(({ table, partition, importId, rows }) => `${table} ${partition} ${importId} ${rows}`);
const standings = ({ imports }: Lineage) =>
  imports.map(({ importId, standing }) => `${importId} ${standing}`);
const supersessions = ({ superseded }: Lineage) =>
  superseded.map(({ importId, table, partition, rows, reason, supersededBy }) =>
    [importId, table, partition, rows, reason, supersededBy].map(String).join(' '),
  );

/** The number of the import that takes these rows. */
async function put(
  world: World,
  { channelId }: Tenant,
  dataset: string,
  rows: readonly object[],
  query = '',
): Promise<number> {
  return (await importRows(world, dataset, channelId, rows, query)).body.importId;
}

async function putDocument(world: World, { channelId }: Tenant, text: string, query = '') {
  const { status, body } = await importDocument(world, channelId, text, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.importId as number;
}

const utc = { channel: { timezone: 'UTC', currency: 'USD' } };

/** An order of the marketplace with one item, in the version of an instant. */
const order = (id: number, version: string, quantity: number, purchased = `${day}T12:00:00Z`) => ({
  OrderId: `${id}`,
  PurchaseDate: purchased,
  LastUpdateDate: version,
  Items: [{ OrderItemId: '1', SellerSKU: 'A', QuantityOrdered: quantity, ItemPrice: 5 }],
});

const settlement = tables.settlement!.trim().replaceAll('|', '\t');
const fee = { currencyCode: 'USD', currencyAmount: -3 };
const subscription = { breakdownType: 'Subscription', breakdownAmount: fee };
const expenses = { breakdownType: 'Expenses', breakdownAmount: fee, breakdowns: [subscription] };
const posted = fieldsOf(`
  transactionType, transactionId, transactionStatus, postedDate
  ServiceFee,      T-1,           RELEASED,          2025-03-05T09:00:00Z`);
const transaction = { ...posted, totalAmount: fee, breakdowns: [expenses] };
const transactions = JSON.stringify({ payload: { transactions: [transaction] } });

onEachPair('GET /lineage', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  test('a restated day names the import that counts, with its document, and the one before', async () => {
    const tenant = await world().tenant(utc);
    const first = await put(world(), tenant, 'traffic', [
      { date: day, pageViews: 90, orderedRevenue: '10' },
      { date: day, sku: 'A', productId: 'B1', pageViews: 40, orderedRevenue: 1.5 },
    ]);
    const restated = rowsOf(`
      date,   sku, productId, pageViews, sessions, orderedRevenue
      ${day}, A,   B1,        50,        7,        "2.125"
      ${day}, B,   B1,        50,        7,        "0.1"`);
    const text = lines(restated);
    const query = `channelId=${tenant.channelId}&fileName=traffic%20of%20March.jsonl`;
    const path = `/operator/imports/traffic?${query}`;
    const { body } = await postImport(world(), path, text, `${ndjson}; charset=utf-8`);
    const second = body.importId;
    const found = await trace(world(), tenant, { dataset: 'traffic' });
    assert.deepEqual(owners(found), [`traffic null ${second} 2`, `traffic_total null ${first} 1`]);
    // The second row repeats the traffic of its product.
    const figures = { orderedRevenue: '2.225', orderedUnits: '0', pageViews: '50', sessions: '7' };
    assert.deepEqual(found.facts[0]!.sums, [{ currency: 'USD', figures }]);
    assert.deepEqual(found.facts[1]!.sums[0]!.figures.orderedRevenue, '10.00');
    assert.deepEqual(standings(found), [`${second} counts`, `${first} counts`]);
    assert.deepEqual(supersessions(found), [`${first} traffic null null restated ${second}`]);
    assert.deepEqual(found.imports[0]!.document, {
      sha256: createHash('sha256').update(text).digest('hex'),
      bytes: Buffer.byteLength(text),
      mediaType: ndjson,
      fileName: 'traffic of March.jsonl',
    });
    assert.deepEqual(found.rates, []);
    const [{ rowsRead, from, to }] = found.imports as [Lineage['imports'][0]];
    assert.deepEqual([rowsRead, from, to], [2, day, day]);
  });

  testOnce('each type of advertising has its import', async () => {
    const tenant = await world().tenant(utc);
    const brands = fieldsOf(`
      date,   campaignId, campaignName, impressions, clicks, salesClicks, purchasesClicks, detailPageViewsClicks, newToBrandSalesClicks, costType
      ${day}, "2",        Brand,        9,           3,      40,          1,               15,                    11,                    CPC`);
    const brandReport = (cost: number) => JSON.stringify([{ ...brands, cost }]);
    const products = rowsOf(`
      date,   campaignId, campaignName, campaignStatus, impressions, clicks, cost, sales14d, sales7d, purchases14d, campaignBudgetCurrencyCode, attributedSalesSameSku14d
      ${day}, "1",        Lamps,        ENABLED,        9,           3,      1,    20,       20,      2,            USD,                        1`);
    const productReport = JSON.stringify(products);
    const first = await putDocument(world(), tenant, brandReport(2), '&type=adsSbCampaigns');
    const other = await putDocument(world(), tenant, productReport, '&type=adsSpCampaigns');
    const last = await putDocument(world(), tenant, brandReport(4.25), '&type=adsSbCampaigns');
    const found = await trace(world(), tenant, { dataset: 'campaignDays' });
    assert.deepEqual(owners(found), [`campaign_day SB ${last} 1`, `campaign_day SP ${other} 1`]);
    assert.equal(found.facts[0]!.sums[0]!.figures.cost, '4.25');
    // Not by the import between them: it covers another part of the day.
    assert.deepEqual(supersessions(found), [`${first} campaign_day SB null restated ${last}`]);
  });

  testOnce('a report of a week is on its last day, and says since when', async () => {
    const weekly = await world().tenant(utc);
    const salesByDate = {
      orderedProductSales: { amount: 70, currencyCode: 'USD' },
      unitsOrdered: 7,
      totalOrderItems: 7,
    };
    const trafficByDate = { pageViews: 700, sessions: 70 };
    const report = {
      reportSpecification: {
        reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
        marketplaceIds: ['ATVPDKIKX0DER'],
        dataStartTime: '2025-03-02',
        dataEndTime: '2025-03-08',
        reportOptions: { dateGranularity: 'WEEK', asinGranularity: 'PARENT' },
      },
      salesAndTrafficByDate: [{ date: '2025-03-02', salesByDate, trafficByDate }],
      salesAndTrafficByAsin: [],
    };
    const week = await putDocument(world(), weekly, JSON.stringify(report), '&coarse=lastDay');
    const midweek = await trace(world(), weekly, { dataset: 'traffic' });
    assert.deepEqual([owners(midweek), standings(midweek)], [[], [`${week} empty`]]);
    const last = await trace(world(), weekly, { dataset: 'traffic', date: '2025-03-08' });
    assert.deepEqual(owners(last), [`traffic_total null ${week} 1`]);
    assert.deepEqual([last.facts[0]!.rowsCoarse, last.facts[0]!.since], [1, '2025-03-02']);
  });

  testOnce("orders name the imports of earlier versions, by the channel's date", async () => {
    const pacific = { timezone: 'America/Los_Angeles', currency: 'USD' };
    const tenant = await world().tenant({ channel: pacific });
    // 23:30 of the date, and 0:30 of the next one.
    const [late, after] = ['2025-03-06T07:30:00Z', '2025-03-06T08:30:00Z'];
    const first = await put(world(), tenant, 'orders', [
      order(1, '2025-03-06T00:00:00Z', 1),
      order(2, '2025-03-06T00:00:00Z', 1, late),
      order(3, '2025-03-06T00:00:00Z', 1, after),
    ]);
    const second = await put(world(), tenant, 'orders', [
      order(1, '2025-03-07T00:00:00Z', 2),
      order(2, '2025-03-07T00:00:00Z', 2, late),
    ]);
    const third = await put(world(), tenant, 'orders', [order(2, '2025-03-08T00:00:00Z', 3, late)]);
    for (const dataset of ['orders', 'orderLines']) {
      const found = await trace(world(), tenant, { dataset });
      const records = [`order_record null ${second} 1`, `order_record null ${third} 1`];
      const orderLines = records.map((one) => one.replace('record', 'line'));
      assert.deepEqual(
        owners(found),
        dataset === 'orders' ? [...records, ...orderLines] : orderLines,
      );
      assert.deepEqual(supersessions(found), [
        `${second} order_record null 1 newerVersion ${third}`,
        `${first} order_record null 2 newerVersion ${second}`,
      ]);
      const expected = [`${third} counts`, `${second} counts`, `${first} superseded`];
      assert.deepEqual(standings(found), expected);
      const { figures } = found.facts.at(-1)!.sums[0]!;
      assert.deepEqual(figures, { quantity: '3', itemPrice: '5.00', itemTax: '0.00' });
    }
    const next = await trace(world(), tenant, { dataset: 'orderLines', date: '2025-03-06' });
    assert.deepEqual(owners(next), [`order_line null ${first} 1`]);

    // Rows of order lines have no history: the import with their rows follows them.
    const plain = await world().tenant(utc);
    const line = { orderId: '1', lineId: '1', purchasedAt: `${day}T12:00:00Z`, itemPrice: 5 };
    const old = await put(world(), plain, 'orderLines', [line]);
    const fresh = await put(world(), plain, 'orderLines', [{ ...line, status: 'Canceled' }]);
    const found = await trace(world(), plain, { dataset: 'orderLines' });
    assert.deepEqual(supersessions(found), [`${old} order_line null null restated ${fresh}`]);
    // A canceled line is a row, but not a sale.
    assert.deepEqual(found.facts[0]!.sums[0]!.figures.itemPrice, '0.00');
  });

  testOnce('a settlement takes precedence, whichever document comes first', async () => {
    const merchantId = 'A1NORTHWIND';
    for (const comesFirst of [transactions, settlement]) {
      const tenant = await world().tenant({ channel: { ...utc.channel, merchantId } });
      const before = comesFirst === settlement && (await putDocument(world(), tenant, settlement));
      const listed = await putDocument(world(), tenant, transactions);
      const paid = before || (await putDocument(world(), tenant, settlement));
      const found = await trace(world(), tenant, { dataset: 'financeEvents' });
      assert.deepEqual(owners(found), [`finance_event settlement ${paid} 1`]);
      const figures = { amount: '20.00', tax: '0.00' };
      assert.deepEqual(found.facts[0]!.sums, [{ currency: 'USD', figures }]);
      const precedence = `${listed} finance_event transactions null precedence ${paid}`;
      assert.deepEqual(supersessions(found), [precedence]);
      const expected = [`${paid} counts`, `${listed} superseded`];
      assert.deepEqual(standings(found).sort(), expected.sort());
    }
  });

  testOnce('failed and undone imports are named; what was replaced stays away', async () => {
    const tenant = await world().tenant(utc);
    const row = { date: day, pageViews: 5 };
    const first = await put(world(), tenant, 'traffic', [row]);
    const undone = await put(world(), tenant, 'traffic', [{ ...row, pageViews: 6 }]);
    const path = `/operator/imports/traffic?channelId=${tenant.channelId}&onError=abort`;
    const text = lines([row, { date: day, sku: 'A', pageViews: -1 }]);
    const refused = await postImport(world(), path, text, ndjson);
    assert.equal(refused.status, 400);
    await world().operate('DELETE', `/operator/imports/${undone}/facts`);
    const other = await put(world(), tenant, 'traffic', [{ ...row, date: '2025-03-06' }]);
    const found = await trace(world(), tenant, { dataset: 'traffic' });
    assert.deepEqual(owners(found), []);
    const expected = [`${undone + 1} failed`, `${undone} undone`, `${first} superseded`];
    assert.deepEqual(standings(found), expected);
    assert.match(found.imports[0]!.error!, /the whole document was refused/);
    assert.equal(found.imports[0]!.document!.mediaType, ndjson);
    assert.deepEqual(supersessions(found), [`${first} traffic_total null null restated ${undone}`]);
    assert.ok(other > undone);
  });

  testOnce('monthly facts belong to every date of their month', async () => {
    const tenant = await world().tenant(utc);
    const month = await put(world(), tenant, 'targets', [{ month: '2025-03', salesBudget: 310 }]);
    const daily = await put(world(), tenant, 'targets', [{ date: day, salesBudget: 20 }]);
    const found = await trace(world(), tenant, { dataset: 'targets' });
    assert.deepEqual(owners(found), [`target_month null ${month} 1`, `target_day null ${daily} 1`]);
    const end = await trace(world(), tenant, { dataset: 'targets', date: '2025-03-31' });
    assert.deepEqual(owners(end), [`target_month null ${month} 1`]);
    assert.deepEqual(standings(end), [`${month} counts`]);
  });

  testOnce('the rate of a weekend is that of the Friday before, with its import', async () => {
    const tenant = await world().tenant(utc);
    const published = rowsOf(tables.published!);
    const rates = await importRows(world(), 'exchangeRates', undefined, published);
    const { importId } = rates.body;
    const input = { dataset: 'traffic', date: '2025-03-09' };
    const ofFriday = { date: '2025-03-07', peggedTo: null, importId, source: 'own' };
    const friday = (currency: string, perEuro: number) => ({ ...ofFriday, currency, perEuro });
    const found = await trace(world(), tenant, { ...input, currency: 'gbp' });
    const ofDollar = { from: 'USD', isMonthMean: false };
    const both = [friday('USD', 1.25), friday('GBP', 0.8)];
    assert.deepEqual(found.rates, [{ ...ofDollar, to: 'GBP', rate: 0.8 / 1.25, published: both }]);
    const rateTo = async (currency: string) =>
      (await trace(world(), tenant, { ...input, currency })).rates[0]!;
    assert.deepEqual(await rateTo('USD'), { ...ofDollar, to: 'USD', rate: 1, published: [] });
    assert.deepEqual((await rateTo('EUR')).published, [friday('USD', 1.25)]);
    const unknown = await rateTo('XTS');
    assert.deepEqual([unknown.rate, unknown.published], [null, []]);
    // A fixed rate to the dollar, until the first own one.
    const riyal = await rateTo('SAR');
    assertShown(riyal.published)`${tables.pegged}`;
    // Before all rates the first one applies.
    const early = await trace(world(), tenant, { ...input, date: '2020-01-01', currency: 'EUR' });
    assert.deepEqual(early.rates[0]!.published, [friday('USD', 1.25)]);
  });
});
