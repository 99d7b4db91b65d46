/** The views of a store and of the inventory, in a real browser: they show what the API answers. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertGood, onSite, type Site, tabTo, type Visit } from '../browser.ts';
import { clockStart, type Tenant } from '../harness.ts';
import { importRows } from '../imports.ts';
import { deepTest } from '../level.ts';
import { csvOf, named } from '../reports.ts';
import { makePerson } from '../visitors.ts';
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

onSite('the views of a store', {}, (opened) => {
  let site: Site;
  let tenant: Tenant;
  let email: string;
  let vendorId: string;

  before(async () => {
    site = opened();
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
    await importRows(
      world,
      'traffic',
      channelId,
      days.flatMap((day) => [traffic(day, 'A', 40 + day), traffic(day, 'B', 20)]),
    );
    await importRows(
      world,
      'orders',
      channelId,
      Array.from({ length: 52 }, (_, place) => ({
        PlatformOrderId: `111-${String(place).padStart(4, '0')}`,
        PurchaseDate: new Date((start(14) + place * 60) * 1000).toISOString().replace('.000', ''),
        OrderStatus: place === 0 ? 'Unshipped' : 'Shipped',
        NumberOfItemsShipped: place === 0 ? 0 : 2,
        NumberOfItemsUnshipped: place === 0 ? 1 : 0,
        OrderTotal: { Amount: 10.5 + place, CurrencyCode: 'USD' },
      })),
    );
    await importRows(world, 'inventory', channelId, [
      { date: text(14), sku: 'A', available: 0, ...shipped(14) },
      { date: text(14), sku: 'B', available: 10, ...shipped(7) },
      { date: text(14), sku: 'C', available: 900, inbound: 5, ...shipped(7) },
    ]);
    vendorId = await world.channel(tenant.organisationId, `${channelId}-vendor`, {
      kind: 'vendor',
      displayName: 'Northwind Vendor',
      merchantId: 'NWV',
      timezone: zone,
      currency: 'USD',
    });
    await importRows(
      world,
      'vendorSales',
      vendorId,
      days.map((day) => ({
        date: text(day),
        asin: 'B-V',
        view: 'MANUFACTURING',
        orderedUnits: day,
        orderedRevenue: (day * 20).toFixed(2),
        glanceViews: day * 10,
      })),
    );
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
  const dollars = (value: number, digits = 0) =>
    value.toLocaleString('en-US', {
      style: 'currency',
      currency: 'USD',
      maximumFractionDigits: digits,
      minimumFractionDigits: digits,
    });
  /** A line over time, as it is read out. */
  const inWords = (sales: number[]) => {
    const [low, high, last] = [Math.min(...sales), Math.max(...sales), sales.at(-1)!].map((value) =>
      dollars(value, value < 100 ? 2 : 0),
    );
    return `${low} to ${high}, last ${last}`;
  };
  const query = (page: Page) => new URL(page.url()).search;

  test('sales, products and stock are those of the API, and the address holds what is chosen', async () => {
    const { page } = await open(`${path('sales')}?period=7d`);
    const reportOptions = { ...week, ...prior };
    const [total] = (
      await ask('/reports/view/salesByPeriod', {
        includeTax: false,
        reportOptions: { ...reportOptions, interval: 'y' },
      })
    ).formattedChartData;
    await tile(page, 'sales').waitFor();
    assert.deepEqual(
      await Promise.all(
        ['sales', 'units', 'sessions', 'conversion', 'buy-box'].map((id) =>
          tile(page, id).innerText(),
        ),
      ),
      [
        dollars(Number(total.sales)),
        String(total.unitsSold),
        String(total.totalSessions),
        `${total.sessionConversions}%`,
        `${total.buyboxWinPercentage}%`,
      ],
    );
    const chart = region(page, 'Sales by day');
    await chart.getByRole('button', { name: /^Show as a table/ }).click();
    const rows = (
      await ask('/reports/view/salesByPeriod', {
        includeTax: false,
        reportOptions: { ...reportOptions, interval: 'd' },
      })
    ).formattedChartData;
    assert.deepEqual(
      await column(page, 'value'),
      rows.map(({ sales }: { sales: string }) => dollars(Number(sales))),
    );
    assert.deepEqual((await firstCells(page))[0], 'Thu, Jan 8');

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

  deepTest('the imports that a day comes from are those of the API', async () => {
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
    const asked = { channelId, merchantId, dataset: 'traffic', date: text(14), currency: 'USD' };
    const { body: lineage } = await world.ask(key, 'GET', `/lineage?${new URLSearchParams(asked)}`);
    const [newest, older] = lineage.imports;
    assert.deepEqual([newest.standing, older.standing], ['counts', 'superseded']);
    const rows = await textsOf(panel.locator('tbody tr'));
    assert.equal(rows.length, lineage.imports.length);
    const facts = lineage.facts
      .filter((one: { importId: number }) => one.importId === newest.importId)
      .reduce((sum: number, one: { rows: number }) => sum + one.rows, 0);
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
    const body = { channelId: vendorId, merchantId: 'NWV' };
    const { formattedChartData } = await ask('/reports/view/vendorSalesByPeriod', {
      ...body,
      reportOptions: { ...week, ...prior, interval: 'y' },
    });
    const [total] = formattedChartData;
    await tile(page, 'views').waitFor();
    assert.deepEqual(
      await Promise.all(
        ['sales', 'units', 'views', 'conversion'].map((id) => tile(page, id).innerText()),
      ),
      [
        dollars(Number(total.orderedRevenue)),
        String(total.orderedUnits),
        String(total.glanceViews),
        `${total.conversionRate}%`,
      ],
    );
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
    const { body } = await site.world.ask(tenant.key, 'POST', '/reports/view/salesByChannel', {
      ...week,
      ...prior,
      searchText: 'Northwind US',
    });
    assert.equal(
      await row.locator('td[data-column="sales"]').innerText(),
      dollars(body.rows[0].sales.value),
    );
    await row.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Northwind US' }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/console${path('sales')}`);
    assert.equal(query(page), '?period=7d');
    await tile(page, 'sales').waitFor();
    assert.equal(await tile(page, 'sales').innerText(), dollars(body.rows[0].sales.value));
  });

  /** Products are sorted, searched and gone back to, as the API sorts and finds them. */
  async function assertProducts(page: Page): Promise<void> {
    const products = (more: object) =>
      ask('/reports/view/salesByProduct', { ...week, ...prior, includeTax: false, ...more });
    await page.getByText('Kettle').waitFor();
    const { rows } = await products({});
    type Row = { current: { title: string; sku: string; totalSales: number; unitsSold: number } };
    assert.deepEqual(
      await firstCells(page),
      rows.map(({ current }: Row) => current.title),
    );
    assert.deepEqual(
      await column(page, 'sales'),
      rows.map(({ current }: Row) => dollars(current.totalSales)),
    );
    assert.deepEqual(
      await column(page, 'units'),
      rows.map(({ current }: Row) => String(current.unitsSold)),
    );
    for (const { current } of rows as Row[]) {
      const { formattedChartData } = await ask('/reports/view/salesByPeriod', {
        reportOptions: { ...week, interval: 'd' },
        ...{ includeTax: false, sellerSkus: [current.sku] },
      });
      const sales = formattedChartData.map((row: { sales: string }) => Number(row.sales));
      const line = page.locator(`tr[data-key="${current.sku}"] td[data-column="trend"]`);
      await line.locator('svg').waitFor();
      assert.equal(await line.innerText(), inWords(sales));
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
    const { data } = await ask('/orders/primarymkt', {
      fromDate: start(14),
      toDate: start(15) - 1,
      pageSize: 100,
    });
    type Order = { PlatformOrderId: string; OrderTotal: { Amount: number } };
    const numbers = data.map(({ PlatformOrderId }: Order) => PlatformOrderId);
    assert.equal(numbers.length, 52);
    assert.deepEqual(await firstCells(page), numbers.slice(0, 50));
    assert.deepEqual(
      await column(page, 'total'),
      data.slice(0, 50).map(({ OrderTotal }: Order) => dollars(OrderTotal.Amount, 2)),
    );
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
    assert.deepEqual(
      await column(page, 'send'),
      rows.map(({ replenUnits }) => replenUnits),
    );
    assert.deepEqual(
      await column(page, 'available'),
      rows.map(({ available }) => available),
    );
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
    await tabTo(page, page.locator('a.tile').nth(1));
    await page.keyboard.press('Enter');
    const chart = page.getByRole('application', { name: /^Units, chart/ });
    await tabTo(page, chart);
    await page.keyboard.press('End');
    assert.match(await chart.innerText(), /Wed, Jan 14: 4\. Wed, Jan 7: 3/);
    await tabTo(page, link(page, 'Products'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Kettle').waitFor();
  });
});
