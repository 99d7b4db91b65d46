/**
 * The tools that think over several questions: what they add up, compare, convert, name and refuse.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { assistantAddress, call, connect, refusedCall } from '../../test/assistants.ts';
import { onOnePair, type Tenant, until, type World } from '../../test/harness.ts';
import { importRows } from '../../test/imports.ts';
import { recordsOf } from '../../test/records.ts';
import { listsOf, rowsOf, tablesBeside } from '../../test/table.ts';

const tables = tablesBeside(import.meta.url, 'thinkingTools.tables.txt');

const seller = { timezone: 'UTC', currency: 'USD' };

/** A name with a sign of direction, a joiner, a tag and a selector between its letters. */
const hidden = (name: string) => [...name].join('\u202e\u200d\u{e0041}\ufe0f');

/** Stock of a day: SKUs, ASINs, titles, units at hand and those shipped in the last 30 days. */
const stockOf = (csv: string) =>
  rowsOf(`sku, asin, title, available, unitsShipped30\n${csv}`).map((one) => {
    const others = { unitsShipped7: 0, unitsShipped60: 0, unitsShipped90: 0 };
    return { date: '2025-03-10', ...one, ...others };
  });

/** Calls what_to_reorder, which waits for reports. */
async function reordered({ registry, timers }: World, client: Client, input: object) {
  const calling = call(client, 'what_to_reorder', input);
  await until(async () => {
    const jobs = await recordsOf({ registry }, 'job', { kind: 'report' });
    return jobs.length > 0 && jobs.every(({ state }) => state === 'done');
  });
  // The tool may be resting before it looks again.
  const moving = setInterval(() => timers.advance(1_000), 20);
  return calling.finally(() => clearInterval(moving));
}

onOnePair('how_are_my_stores', (world) => {
  let client: Client;
  let tenant: Tenant;

  before(async () => {
    const north = { ...seller, displayName: 'North' };
    tenant = await world().tenant({ channelId: 'think-north', channel: north });
    const south = { ...seller, displayName: hidden('South'), merchantId: 'SOUTH' };
    await world().channel(tenant.organisationId, 'think-south', south);
    await world().tenant({ channelId: 'think-foreign' });
    const lines = rowsOf(tables.comparedOrders!);
    for (const name of ['think-north', 'think-south', 'think-foreign']) {
      const own = lines.filter(({ channelId }) => channelId === name);
      const rows = own.map(({ channelId: _, ...row }) => row);
      await importRows(world(), 'orderLines', name, rows);
    }
    const targets = 'date, salesBudget\n2025-03-08, "40.00"\n2025-03-09, "10.00"';
    await importRows(world(), 'targets', 'think-north', rowsOf(targets));
    client = await connect(await assistantAddress(world()), tenant.key);
  });

  test('adds stores up, compares them with the days before and names what needs attention', async () => {
    const days = { fromDay: '2025-03-08', toDay: '2025-03-09' };
    const found = await call(client, 'how_are_my_stores', days);
    const { answer, summary, period, currency, sources } = found;
    const [north, south] = rowsOf(tables.comparedStores!);
    const [totals] = rowsOf(`
      stores, sales, priorSales, change, orders, units, adSpend, adSpendOfSales
      2, 50, 50, 0, 3, 4, 0, 0`);
    const ofNorth = { ...north, concerns: ['sales are 85 % of their target of 50'] };
    assert.deepEqual(answer, { totals, stores: [ofNorth, { ...south, concerns: [] }] });
    assert.match(summary, /^Sales: 50 USD, unchanged against 50 USD before/);
    assert.match(summary, /Stores that need attention: 1; see their health and concerns\.$/);
    assert.equal(currency, 'USD');
    assert.deepEqual(period, {
      from: '2025-03-08T00:00:00.000+00:00',
      to: '2025-03-09T23:59:59.000+00:00',
      timezone: 'UTC',
      prior: { from: '2025-03-06T00:00:00.000+00:00', to: '2025-03-07T23:59:59.000+00:00' },
    });
    const calls = sources.map((one: { call: string }) => one.call.replace('/reports/view/', ''));
    assert.deepEqual(calls, ['POST salesByChannel', 'POST advertisingByChannels']);
  });

  test('without days, the 30 days that end yesterday', async () => {
    // The clock stands at 2026-01-15T12:00:00Z: in Auckland the 16th has begun.
    const { period } = await call(client, 'how_are_my_stores', { timezone: 'Pacific/Auckland' });
    assert.equal(period.from, '2025-12-17T00:00:00.000+13:00');
    assert.equal(period.to, '2026-01-15T23:59:59.000+13:00');
    assert.equal(period.prior.from, '2025-11-17T00:00:00.000+13:00');
    assert.equal(period.prior.to, '2025-12-16T23:59:59.000+13:00');
  });

  test('a refusal lists every rule that fails', async () => {
    const [wrong] = rowsOf(`fromDay, toDay, priorFromDay, timezone, currency, days
      2025-03-09, 2025-03-08, 2025-01-01, Mars, X, 3`);
    const refused = await refusedCall(client, 'how_are_my_stores', wrong!);
    assert.equal(
      refused,
      '400: toDay must not be before fromDay, priorFromDay and priorToDay must be given together, ' +
        'timezone must be an IANA time zone, currency must be a currency code of three letters, ' +
        'days is not known; ' +
        'the fields are fromDay, toDay, priorFromDay, priorToDay, timezone, currency',
    );
  });
});

onOnePair('Thinking tools and exchange rates', (world) => {
  let client: Client;
  let organisationId: string;
  const at = '2025-03-08T12:00:00Z';
  const days = { fromDay: '2025-03-08', toDay: '2025-03-08' };
  const addStore = async (channelId: string, currency: string) => {
    const settings = { ...seller, currency, displayName: channelId, merchantId: channelId };
    await world().channel(organisationId, channelId, settings);
  };
  const sell = (channelId: string, itemPrice: string) =>
    importRows(world(), 'orderLines', channelId, [
      { orderId: '1', lineId: '1', purchasedAt: at, quantity: 1, itemPrice, sku: 'A' },
    ]);
  const spend = (channelId: string, cost: string) =>
    importRows(world(), 'campaignDays', channelId, [{ date: '2025-03-08', campaignId: '1', cost }]);
  const post = (channelId: string, rows: readonly object[]) =>
    importRows(world(), 'financeEvents', channelId, rows);

  before(async () => {
    const channel = { ...seller, displayName: 'Boston' };
    const tenant = await world().tenant({ channelId: 'Boston', channel });
    ({ organisationId } = tenant);
    const rates = 'date, currency, perEuro\n2025-03-07, USD, 1.2\n2025-03-08, USD, 1.1';
    await importRows(world(), 'exchangeRates', undefined, rowsOf(rates));
    await addStore('Berlin', 'EUR');
    for (const channelId of ['Hanoi', 'Saigon']) await addStore(channelId, 'VND');
    await sell('Boston', '100.00');
    await sell('Berlin', '50.00');
    await sell('Saigon', '500000');
    await spend('Boston', '7.25');
    await spend('Berlin', '20.00');
    await spend('Hanoi', '300000');
    client = await connect(await assistantAddress(world()), tenant.key);
  });

  test('how_are_my_stores converts sales and advertising, and names what it cannot', async () => {
    const { answer, summary, warnings } = await call(client, 'how_are_my_stores', days);
    // 100.00 + 50.00 * 1.1, 7.25 + 20.00 * 1.1, 29.25 / 155. Nothing of Hanoi needs a rate but its
    // advertising.
    const [totals] = rowsOf(`
      stores, sales, priorSales, change, orders, units, adSpend, adSpendOfSales
      3, 155, 0, null, 2, 2, 29.25, 18.9`);
    assert.deepEqual(answer.totals, totals);
    assert.match(summary, /stores: 3\. Advertising cost 29\.25 USD\./);
    assert.deepEqual(warnings, [
      '"Saigon" is not added up: its currency has no exchange rate',
      'no-exchange-rate;store="Saigon";currency="VND"',
      'no-exchange-rate;store="Hanoi";currency="VND", no-exchange-rate;store="Saigon";currency="VND"',
    ]);
    const sales = answer.stores.map((one: Record<string, unknown>) => [one.store, one.sales]);
    assert.deepEqual(sales.sort(), listsOf('Berlin, 55\nBoston, 100\nHanoi, 0\nSaigon, null'));
  });

  test('why_did_profit_change converts by the day, and refuses what has no rate', async () => {
    const events = rowsOf(tables.foreignEvents!);
    await post('Berlin', events);
    const input = { ...days, priorFromDay: '2025-03-07', priorToDay: '2025-03-07' };
    const { answer, summary, currency } = await call(client, 'why_did_profit_change', {
      ...input,
      channelIds: ['Berlin'],
      currency: 'USD',
    });
    // (100 - 30) * 1.1 and (100 - 10) * 1.2
    assert.deepEqual(answer.netProfit, { value: 77, prior: 108, change: -31, percent: -28.7 });
    const effects = answer.lines
      .filter(({ effect }: { effect: number }) => effect !== 0)
      .map((one: Record<string, unknown>) => [one.line, one.value, one.prior, one.effect]);
    assert.deepEqual(effects, listsOf('advertisingSpend, 33, 12, -21\nsales, 110, 120, -10'));
    assert.equal(currency, 'USD');
    assert.match(summary, /The largest effects: advertisingSpend -21 USD, sales -10 USD\.$/);

    await post('Saigon', [{ ...events[2], amount: '500000' }]);
    const channelIds = ['Saigon'];
    const own = await call(client, 'why_did_profit_change', { ...input, channelIds });
    assert.deepEqual([own.answer.netProfit.value, own.currency], [500_000, 'VND']);
    assert.match(
      await refusedCall(client, 'why_did_profit_change', { ...input, channelIds, currency: 'USD' }),
      /^400: there is no exchange rate of VND/,
    );
  });

  test('what_to_reorder counts units, so it needs no rate', async () => {
    await importRows(world(), 'inventory', 'Saigon', stockOf('A, B0A, A, 0, 30'));
    const { answer } = await reordered(world(), client, { channelIds: ['Saigon'] });
    // 1 a day for 30 days of lead time, 14 of safety and 60 to cover.
    assert.deepEqual([answer.toReorder, answer.unitsToReorder, answer.outOfStock], [1, 104, 1]);
  });
});

onOnePair('why_did_profit_change', (world) => {
  let client: Client;
  let tenant: Tenant;
  const [days] = rowsOf(`fromDay, toDay, priorFromDay, priorToDay
    2025-03-11, 2025-03-11, 2025-03-10, 2025-03-10`) as [object];
  const post = (channelId: string, csv: string) => {
    const rows = rowsOf(`eventId, postedAt, line, amount\n${csv}`);
    return importRows(world(), 'financeEvents', channelId, rows);
  };

  before(async () => {
    tenant = await world().tenant({ channel: seller });
    const { channelId } = tenant;
    const events = tables.events!;
    await post(channelId, events);
    const lines = rowsOf(tables.orders!);
    await importRows(world(), 'orderLines', channelId, lines);
    client = await connect(await assistantAddress(world()), tenant.key);
  });

  test('divides the change into lines that add up to it, and names the products', async () => {
    const { answer, summary, warnings } = await call(client, 'why_did_profit_change', days);
    // 7.50 - 1.25 - 6.10 - 2.40, and 33.50 - 10.00 - 7.77 + 4.99
    const netProfit = { value: -2.25, prior: 20.72, change: -22.97, percent: -110.9 };
    assert.deepEqual(answer.netProfit, netProfit);
    const effects = answer.lines
      .filter(({ effect }: { effect: number }) => effect !== 0)
      .map(({ line, effect }: { line: string; effect: number }) => [line, effect]);
    const expected = tables.changes!;
    assert.deepEqual(effects, listsOf(expected));
    assert.equal(answer.lines.length, 11);
    const products = answer.products.flatMap((one: Record<string, Record<string, number>>) =>
      [one.sales!, one.units!].map(({ value, prior, change }) => [one.sku, value, prior, change]),
    );
    const ofA = listsOf('A, 5.5, 20, -14.5\nA, 1, 1, 0');
    assert.deepEqual(products, [...ofA, ...listsOf('B, 2, 0, 2\nB, 1, 0, 1')]);
    const pattern =
      /^Net profit was -2\.25 USD against 20\.72 USD before: -22\.97 USD .*The largest effects: sales -26 USD, refunds \+10 USD, advertisingSpend \+7\.77 USD\./;
    assert.match(summary, pattern);
    assert.deepEqual(warnings, [
      'sales of 7.5 USD have no unit cost, so profit looks larger than it is',
    ]);
  });

  test('of several stores, which of them changed most', async () => {
    const second = { ...seller, displayName: 'Second', merchantId: 'SECOND' };
    const channelId = await world().channel(tenant.organisationId, 'think-second', second);
    await post(channelId, '"9", 2025-03-11T12:00:00Z, sales, "100.00"');
    const { answer } = await call(client, 'why_did_profit_change', days);
    assert.equal(answer.netProfit.change, 77.03); // 100.00 - 22.97
    const first = { value: -2.25, prior: 20.72, change: -22.97 };
    assert.deepEqual(answer.stores, [
      { store: 'Second', channelId, netProfit: { value: 100, prior: 0, change: 100 } },
      { store: 'Acme US', channelId: tenant.channelId, netProfit: first },
    ]);
    const other = await world().tenant();
    const channelIds = [channelId, other.channelId];
    const refused = await refusedCall(client, 'why_did_profit_change', { channelIds });
    assert.equal(
      refused,
      `400: channelIds: ${other.channelId} is no seller store of the key; listChannels lists the stores of the key`,
    );
  });
});

onOnePair('what_to_reorder', (world) => {
  test('lists what to send, the most urgent first, and counts the rest', async () => {
    const tenant = await world().tenant({ channel: { ...seller, displayName: 'North' } });
    const stock = stockOf(tables.stock!);
    await importRows(world(), 'inventory', tenant.channelId, stock);
    const client = await connect(await assistantAddress(world()), tenant.key);
    const { answer, summary } = await reordered(world(), client, { limit: 2 });
    // By default 30 days of lead time, 14 of safety and 60 to cover: 104 in all. B sells 1 a day:
    // 104 - 50, due when it lasts 44 days; C 1.5 a day: 156; D: 104 - 60.
    const [c, b] = answer.skus;
    const expected = ['C', 156, 0, '-C', 'BC', 'North'];
    assert.deepEqual([c.sku, c.units, c.available, c.title, c.asin, c.store], expected);
    const ofB = ['B', 54, '2025-03-16', '2025-04-29', 50];
    assert.deepEqual([b.sku, b.units, b.reorder, b.stockOut, b.daysOfCover], ofB);
    const counts = { toReorder: 3, unitsToReorder: 254, outOfStock: 1, skusRead: 4 };
    assert.deepEqual({ ...answer, skus: answer.skus.length }, { skus: 2, ...counts });
    const pattern = /^3 of 4 SKUs need 254 units, 1 of them are out of stock\. Shows 2; /;
    assert.match(summary, pattern);
  });
});
