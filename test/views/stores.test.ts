/** The views of a store and of the inventory, in a real browser: they show what the API answers. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertGood, onSite, tabPress, tabTo, type Visit } from '../browser.ts';
import { clockStart, type Tenant } from '../harness.ts';
import { importRows } from '../imports.ts';
import { deepTest } from '../level.ts';
import { csvOf, named } from '../reports.ts';
import { makePerson } from '../visitors.ts';
import { askView } from '../world.ts';
import { cookieOf, textsOf } from './views.ts';

const zone = 'America/Los_Angeles';
/** Seconds at which a day of January 2026 begins there. */
const start = (day: number) => Date.UTC(2026, 0, day, 8) / 1000;
const week = { fromDate: start(8), toDate: start(15) - 1, timezone: zone };
const prior = { priorFromDate: start(1), priorToDate: start(8) - 1 };
const text = (day: number) => new Date(start(day) * 1000).toISOString().slice(0, 10);
/** A line that is ordered in the morning of a day. */
const line = (day: number, sku: string, quantity: number, price: number) => ({
  orderId: `o-${day}-${sku}`,
  lineId: '1',
  purchasedAt: new Date((start(day) + 3_600) * 1000).toISOString(),
  sku,
  quantity,
  itemPrice: price.toFixed(2),
});
const traffic = (day: number, sku: string, sessions: number) => ({
  date: text(day),
  sku,
  sessions,
  pageViews: sessions * 2,
  buyBoxPercentage: 75,
});
const days = Array.from({ length: 14 }, (_, place) => place + 1);
const shipped = (units: number) => ({
  unitsShipped7: units,
  unitsShipped30: units * 4,
  unitsShipped60: units * 8,
  unitsShipped90: units * 12,
});

onSite('the views of a store', {}, (site) => {
  let tenant: Tenant;
  let email: string;
  let vendorId: string;

  before(async () => {
    const { world } = site;
    tenant = await world.tenant({
      organisation: { name: 'Northwind', plan: 'enterprise' },
      channel: { displayName: 'Northwind US', timezone: zone, currency: 'USD' },
    });
    const { channelId } = tenant;
    await importRows(world, 'products', channelId, [
      { sku: 'A', productId: 'B-A', title: 'Kettle', unitsPerCase: 12 },
      { sku: 'B', productId: 'B-B', title: 'Lamp' },
      { sku: 'C', productId: 'B-C', title: 'Stove' },
    ]);
    await importRows(world, 'orderLines', channelId, [
      ...days.map((day) => line(day, 'A', day > 7 ? 3 : 2, 25 * (day > 7 ? 3 : 2))),
      ...days.map((day) => line(day, 'B', 1, 40.5)),
    ]);
    const visits = days.flatMap((day) => [traffic(day, 'A', 40 + day), traffic(day, 'B', 20)]);
    await importRows(world, 'traffic', channelId, visits);
    const orders = Array.from({ length: 52 }, (_, place) => ({
      PlatformOrderId: `111-${String(place).padStart(4, '0')}`,
      PurchaseDate: new Date((start(14) + place * 60) * 1000).toISOString().replace('.000', ''),
      OrderStatus: place === 0 ? 'Unshipped' : 'Shipped',
      NumberOfItemsShipped: place === 0 ? 0 : 2,
      NumberOfItemsUnshipped: place === 0 ? 1 : 0,
      OrderTotal: { Amount: 10.5 + place, CurrencyCode: 'USD' },
    }));
    await importRows(world, 'orders', channelId, orders);
    await importRows(world, 'inventory', channelId, [
      { date: text(14), sku: 'A', available: 0, ...shipped(14) },
      { date: text(14), sku: 'B', available: 10, ...shipped(7) },
      { date: text(14), sku: 'C', available: 900, inbound: 5, ...shipped(7) },
    ]);
    const vendor = { displayName: 'Northwind Vendor', merchantId: 'NWV', kind: 'vendor' } as const;
    const settings = { ...vendor, timezone: zone, currency: 'USD' };
    vendorId = await world.channel(tenant.organisationId, `${channelId}-vendor`, settings);
    const ordered = (day: number) => ({ orderedUnits: day, orderedRevenue: `${day * 20}.00` });
    const vendorSales = days.map((day) => ({
      date: text(day),
      asin: 'B-V',
      view: 'MANUFACTURING',
      ...ordered(day),
      glanceViews: day * 10,
    }));
    await importRows(world, 'vendorSales', vendorId, vendorSales);
    ({ email } = await makePerson(world, tenant.organisationId));
  });

  /** Opens a view as the owner, at the time of the world. */
  async function open(path: string, user = email): Promise<Visit> {
    const visit = await site.visit({ locale: 'en-US', timezoneId: zone });
    await visit.context.addCookies([await cookieOf(site, user)]);
    await visit.page.clock.setFixedTime(clockStart);
    await visit.page.goto(`/console${path}`);
    return visit;
  }

  const ask = async (path: string, body: object) => {
    const { channelId, merchantId, key } = tenant;
    const answer = await site.world.ask(key, 'POST', path, { channelId, merchantId, ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const path = (part: string) => `/stores/${tenant.channelId}/${part}`;
  const link = (within: Page | Locator, name: string) =>
    within.getByRole('link', { name, exact: true });
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const tile = (page: Page, id: string) => page.locator(`[data-metric="${id}"]`);
  /** The first of the texts of each row's first cells. */
  const firstCells = async (page: Page) =>
    (await textsOf(page.locator('tbody th'))).map((cell) => cell.split('\n')[0]);
  const column = (page: Page, id: string) => textsOf(page.locator(`td[data-column="${id}"]`));
  const dollars = (value: number, digits = 0) => {
    const precision = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return value.toLocaleString('en-US', { style: 'currency', currency: 'USD', ...precision });
  };
  /** A line over time, as it is read out. */
  const inWords = (sales: number[]) => {
    const [low, high, last] = [Math.min(...sales), Math.max(...sales), sales.at(-1)!].map((value) =>
      dollars(value, value < 100 ? 2 : 0),
    );
    return `${low} to ${high}, last ${last}`;
  };
  const query = (page: Page) => new URL(page.url()).search;
  /** The sales of the week by an interval, as the API answers them. */
  const sales = async (interval: string, more: object = {}): Promise<Record<string, string>[]> => {
    const reportOptions = { ...week, ...prior, interval };
    const input = { includeTax: false, reportOptions, ...more };
    return (await ask('/reports/view/salesByPeriod', input)).formattedChartData;
  };
  /** Expects tiles to show these texts. */
  const assertTiles = async (page: Page, expected: Readonly<Record<string, string>>) => {
    for (const [id, shown] of Object.entries(expected))
      assert.equal(await tile(page, id).innerText(), shown, id);
  };

  test('sales, products and stock equal the API, and the address holds choices', async () => {
    const { page } = await open(`${path('sales')}?period=7d`);
    const total = (await sales('y'))[0]!;
    await assertTiles(page, {
      sales: dollars(Number(total.sales)),
      units: String(total.unitsSold),
      sessions: String(total.totalSessions),
      conversion: `${total.sessionConversions}%`,
      'buy-box': `${total.buyboxWinPercentage}%`,
    });
    const chart = region(page, 'Sales by day');
    await chart.getByRole('button', { name: /^Show as a table/ }).click();
    const byDay = (await sales('d')).map(({ sales }) => dollars(Number(sales)));
    assert.deepEqual(await column(page, 'value'), byDay);
    assert.equal((await firstCells(page))[0], 'Thu, Jan 8');

    await tile(page, 'units').click();
    await region(page, 'Units by day').waitFor();
    assert.equal(query(page), '?period=7d&metric=units');
    await link(page, 'Hour').click();
    await region(page, 'Units by hour').waitFor();
    assert.equal(query(page), '?period=7d&metric=units&interval=h');
    await page.goBack();
    await page.goBack();
    await chart.waitFor();
    assert.equal(query(page), '?period=7d');
    await page.locator('.multiples svg.icon').first().waitFor();
    await assertGood(page, 'sales');
    await link(page, 'Orders').click();
    await page.getByText('111-0000').waitFor();
    await assertGood(page, 'orders');
    await link(page, 'Products').click();
    await assertProducts(page);
    await page.goto('/console/inventory?metric=all');
    await assertInventory(page);
  });

  deepTest('an address of sales shows what was chosen', async () => {
    const { page } = await open(`${path('sales')}?period=7d&metric=units`);
    await region(page, 'Units by day').waitFor();
  });

  deepTest('the imports that a day comes from equal the API', async () => {
    const { world } = site;
    const { channelId, merchantId, key } = tenant;
    // The same figures once more, which supersede the first ones.
    await importRows(world, 'traffic', channelId, [traffic(14, 'A', 54), traffic(14, 'B', 20)]);
    const { page } = await open(`${path('sales')}?period=7d`);
    await link(page, 'Where do these figures come from?').click();
    const panel = region(page, 'Where the figures come from');
    await panel.getByRole('navigation', { name: 'Data' }).getByText('Traffic').click();
    await page.waitForURL(/dataset=traffic/);
    await panel.getByText('Superseded').first().waitFor();
    const input = { channelId, merchantId, dataset: 'traffic', date: text(14), currency: 'USD' };
    const { body: lineage } = await world.ask(key, 'GET', `/lineage?${new URLSearchParams(input)}`);
    const [newest, older] = lineage.imports;
    assert.deepEqual([newest.standing, older.standing], ['counts', 'superseded']);
    const rows = await textsOf(panel.locator('tbody tr'));
    assert.equal(rows.length, lineage.imports.length);
    type Fact = { readonly importId: number; readonly rows: number };
    const own = lineage.facts.filter(({ importId }: Fact) => importId === newest.importId);
    const facts = own.reduce((sum: number, { rows }: Fact) => sum + rows, 0);
    assert.match(rows[0]!, new RegExp(`^${newest.importId}\\s+traffic\\s+Counts\\s+${facts}\\s`));
    assert.match(rows[1]!, new RegExp(`Superseded by ${newest.importId}`));
    await assertGood(page, 'the imports of a day', 'all');
    await panel.getByRole('textbox', { name: 'Day' }).fill(text(3));
    await page.waitForURL((url) => url.searchParams.get('lineage') === text(3));
    await link(panel, 'Close').click();
    await panel.waitFor({ state: 'detached' });
    assert.equal(query(page), '?period=7d');
  });

  deepTest('a vendor has figures of its own, and no orders', async () => {
    const { page } = await open(`/stores/${vendorId}/sales?period=7d`);
    const reportOptions = { ...week, ...prior, interval: 'y' };
    const input = { channelId: vendorId, merchantId: 'NWV', reportOptions };
    const answer = await ask('/reports/view/vendorSalesByPeriod', input);
    const [total] = answer.formattedChartData;
    await tile(page, 'views').waitFor();
    await assertTiles(page, {
      sales: dollars(Number(total.orderedRevenue)),
      units: String(total.orderedUnits),
      views: String(total.glanceViews),
      conversion: `${total.conversionRate}%`,
    });
    await link(page, 'Products').click();
    const line = page.locator('td[data-column="trend"]');
    await line.locator('svg').waitFor();
    // 20 for each of 8 to 14.
    assert.equal(await line.innerText(), inWords([160, 180, 200, 220, 240, 260, 280]));
    await link(page, 'Orders').click();
    await page.getByText('No orders of this store').waitFor();
  });

  deepTest('the list of stores leads to each, with the sales of the API', async () => {
    const { page } = await open('/stores?period=7d');
    const row = page.locator(`tr[data-key="${tenant.channelId}"]`);
    const input = { ...week, ...prior, searchText: 'Northwind US' };
    const body = await askView(site.world, tenant.key, 'salesByChannel', input);
    const shown = dollars(body.rows[0].sales.value);
    assert.equal(await row.locator('td[data-column="sales"]').innerText(), shown);
    await row.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Northwind US' }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/console${path('sales')}`);
    assert.equal(query(page), '?period=7d');
    await tile(page, 'sales').waitFor();
    assert.equal(await tile(page, 'sales').innerText(), shown);
  });

  /** Products are sorted, searched and gone back to, as the API sorts and finds them. */
  async function assertProducts(page: Page): Promise<void> {
    const products = (more: object) =>
      ask('/reports/view/salesByProduct', { ...week, ...prior, includeTax: false, ...more });
    await page.getByText('Kettle').waitFor();
    const { rows } = await products({});
    type Row = { current: { title: string; sku: string; totalSales: number; unitsSold: number } };
    const found: Row['current'][] = rows.map(({ current }: Row) => current);
    const cells = {
      sales: found.map(({ totalSales }) => dollars(totalSales)),
      units: found.map(({ unitsSold }) => String(unitsSold)),
    };
    assert.deepEqual(
      await firstCells(page),
      Array.from(found, ({ title }) => title),
    );
    assert.deepEqual(await column(page, 'sales'), cells.sales);
    assert.deepEqual(await column(page, 'units'), cells.units);
    for (const { sku } of found) {
      const byDay = (await sales('d', { sellerSkus: [sku] })).map((row) => Number(row.sales));
      const line = page.locator(`tr[data-key="${sku}"] td[data-column="trend"]`);
      await line.locator('svg').waitFor();
      assert.equal(await line.innerText(), inWords(byDay));
    }
    const head = page.getByRole('columnheader', { name: 'Product', exact: true });
    await link(head, 'Product').click();
    await page.locator('th[aria-sort="ascending"]').waitFor();
    assert.equal(query(page), '?period=7d&sort=product');
    await link(page, 'All').click();
    await page.getByText('Stove').waitFor();
    assert.deepEqual(await firstCells(page), ['Kettle', 'Lamp', 'Stove']);
    await page.getByRole('searchbox').fill('b-b');
    await page.waitForURL(/q=b-b/);
    await page.getByText('Kettle').waitFor({ state: 'detached' });
    assert.deepEqual(await firstCells(page), ['Lamp']);
    await page.goBack();
    await page.getByText('Kettle').waitFor();
    assert.equal(query(page), '?period=7d&sort=product');
    await assertGood(page, 'products');
  }

  deepTest('orders: a day in pages, another day, and one order by its number', async () => {
    const { page } = await open(`${path('orders')}?period=7d`);
    await page.getByText('111-0000').waitFor();
    const input = { fromDate: start(14), toDate: start(15) - 1, pageSize: 100 };
    const { data } = await ask('/orders/primarymkt', input);
    type Order = { PlatformOrderId: string; OrderTotal: { Amount: number } };
    const numbers = data.map(({ PlatformOrderId }: Order) => PlatformOrderId);
    assert.equal(numbers.length, 52);
    assert.deepEqual(await firstCells(page), numbers.slice(0, 50));
    const totals = data.map(({ OrderTotal }: Order) => dollars(OrderTotal.Amount, 2));
    assert.deepEqual(await column(page, 'total'), totals.slice(0, 50));
    assert.match((await column(page, 'status'))[0]!, /Unshipped/);
    await link(page, 'Next page').click();
    await page.getByText('111-0051').waitFor();
    assert.deepEqual(await firstCells(page), numbers.slice(50));
    await link(page, 'Day before').click();
    await page.getByText('No orders on Tue, Jan 13').waitFor();
    await page.goBack();
    await page.getByText('111-0051').waitFor();
    await page.getByRole('searchbox').fill('111-0007');
    await page.getByText('111-0051').waitFor({ state: 'detached' });
    await page.getByText('111-0007', { exact: true }).waitFor();
    assert.deepEqual(await firstCells(page), ['111-0007']);
    await page.getByRole('searchbox').fill('nothing');
    await page.getByText('No such order').waitFor();
  });

  deepTest('orders that the plan does not hold end no session; the page says so', async () => {
    const other = await site.world.tenant({
      organisation: { name: 'Small', plan: 'standard' },
      channel: { displayName: 'Small store' },
    });
    const member = await makePerson(site.world, other.organisationId);
    const { page } = await open(`/stores/${other.channelId}/orders`, member.email);
    await page.getByText('Orders are part of the Enterprise plan').waitFor();
    await link(page, 'Sales').first().click();
    await page.getByText('No such store').waitFor({ state: 'detached' });
    await page.goto(`/console${path('sales')}`);
    await page.getByText('No such store').waitFor();
  });

  /** The inventory has the rows of the report, what is due first; it is sorted and searched. */
  async function assertInventory(page: Page): Promise<void> {
    await page.getByText('Reorder first').waitFor();
    const rows = named(await csvOf(site.world, tenant, 'inventoryReplenishment'));
    const sent = rows.map(({ replenUnits }) => replenUnits);
    assert.deepEqual(await column(page, 'send'), sent);
    const available = rows.map((row) => row.available);
    assert.deepEqual(await column(page, 'available'), available);
    const due = page.getByRole('region', { name: /^Reorder first/ });
    assert.match(await due.locator('li').first().innerText(), /Kettle[\s\S]*none left/);
    assert.equal(await tile(page, 'out').innerText(), '1 SKUs');
    await tile(page, 'out').click();
    await page.getByText('Stove').waitFor({ state: 'detached' });
    assert.equal(query(page), '?metric=out');
    await page.goBack();
    await page.getByText('Stove').waitFor();
    await link(page.getByRole('columnheader', { name: 'Available' }), 'Available').click();
    await page.waitForURL(/sort=-available/);
    assert.deepEqual(await firstCells(page), ['Stove', 'Lamp', 'Kettle']);
    await page.getByRole('searchbox').fill('lamp');
    await page.getByText('Stove').waitFor({ state: 'detached' });
    assert.deepEqual(await firstCells(page), ['Lamp']);
    await assertGood(page, 'inventory', 'all');
  }

  deepTest('by the keyboard alone: from sales to the units, and on to the products', async () => {
    const { page } = await open(`${path('sales')}?period=7d`);
    await tile(page, 'units').waitFor();
    await tabPress(page, page.locator('a.tile').nth(1));
    const chart = page.getByRole('application', { name: /^Units, chart/ });
    await tabTo(page, chart);
    await page.keyboard.press('End');
    assert.match(await chart.innerText(), /Wed, Jan 14: 4\. Wed, Jan 7: 3/);
    await tabPress(page, link(page, 'Products'), 'Enter', 'Shift+Tab');
    await page.getByText('Kettle').waitFor();
  });
});
