/** The view of search terms in the console, in a real browser. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertGood, focused, onSite, type Site, tabTo } from '../browser.ts';
import type { Tenant } from '../harness.ts';
import { importRows } from '../imports.ts';
import { deepTest } from '../level.ts';
import { makePerson } from '../visitors.ts';
import { figuresIn, signedIn, textsOf } from './views.ts';

/** February and March, and the two months before them. */
const period = 'from=2026-02-10&to=2026-03-10&zone=UTC';
const at = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;
const merchantId = 'A1MERCHANT @ ATVPDKIKX0DER';

const search = { searchQuery: 'kettle', searchQueryVolume: 1000 };
const prices = { totalMedianPurchasePrice: '10.00', medianPurchasePrice: '20.00' };
const rows = [
  {
    ...{ month: '2026-02', asin: 'B1', ...search, ...prices },
    ...{ totalImpressions: 8000, totalClicks: 400, totalCartAdds: 100, totalPurchases: 50 },
    ...{ impressions: 800, clicks: 80, cartAdds: 10, purchases: 5 },
  },
  {
    ...{ month: '2026-03', asin: 'B1', ...search, ...prices },
    ...{ totalImpressions: 2000, totalClicks: 100, totalCartAdds: 20, totalPurchases: 10 },
    ...{ impressions: 200, clicks: 20, cartAdds: 2, purchases: 1 },
  },
  {
    ...{ month: '2026-03', asin: 'B2', ...search, ...prices },
    ...{ totalImpressions: 2000, totalClicks: 100, totalCartAdds: 20, totalPurchases: 10 },
    ...{ impressions: 1000, clicks: 90, cartAdds: 19, purchases: 9 },
  },
  { month: '2026-01', asin: 'B1', ...search, ...prices, totalPurchases: 40, purchases: 8 },
];

onSite('the view of search terms', {}, (opened) => {
  let site: Site;
  let tenant: Tenant;
  let email: string;

  before(async () => {
    site = opened();
    const { world } = site;
    world.clock.now = Date.now();
    tenant = await world.tenant({
      channelId: 'search-us',
      organisation: { name: 'Northwind', searchQueryPerformance: true },
      channel: { merchantId, displayName: 'America', timezone: 'UTC' },
    });
    await world.channel(tenant.organisationId, 'search-web', {
      ...{ merchantId: 'web.example', displayName: 'Web', marketplace: 'shopify' },
    });
    await importRows(world, 'products', 'search-us', [
      { sku: 'S1', productId: 'B1', title: 'Kettle' },
    ]);
    await importRows(world, 'searchQueries', 'search-us', rows);
    ({ email } = await makePerson(world, tenant.organisationId));
  });

  const arrive = (query = '', user = email) =>
    signedIn(site, user, `/console/search?${period}${query}`, 'Search terms');
  const region = (page: Page, name: string) =>
    page.getByRole('region', { name: `${name}, table`, exact: true });
  const products = (page: Page) => region(page, 'Products in searches');
  const names = async (page: Page) =>
    (await figuresIn(products(page), 'tbody tr')).map(([first]) => first!.split('\n')[0]);
  /** Figures without the words of their changes. */
  const plain = (cells: readonly string[]) =>
    cells.map((text) => text.replace(/^(?:up|down)[, a-z]*\s*/, ''));

  test('figures are those of a key over whole months, and what is chosen is in the address', async () => {
    const { page } = await arrive();
    await page
      .getByText('Whole months: February 2026 – March 2026 against December 2025 – January 2026.')
      .waitFor();
    const query = new URLSearchParams({
      ...{ channelId: 'search-us', merchantId, timezone: 'UTC', sortKey: 'totalPurchases' },
      ...{ fromDate: String(at('2026-02-10')), toDate: String(at('2026-03-10')) },
      ...{ priorFromDate: String(at('2025-12-10')), priorToDate: String(at('2026-01-10')) },
      sortOrder: 'desc',
    });
    const { body } = await site.world.ask(
      ...([tenant.key, 'GET', `/search-query-performance/asins?${query}`] as const),
    );
    const [answered] = body.data;
    const { current } = answered;
    await page.getByRole('rowheader', { name: 'Kettle' }).waitFor();
    const [first, second] = await figuresIn(products(page), 'tbody tr');
    const lost = current.totalPurchases - current.purchases;
    assert.deepEqual(
      [answered.asin, ...plain(first!)],
      [
        ...['B1', 'Kettle\nB1', String(lost), `$${current.opportunity.toFixed(0)}`],
        ...[String(current.purchases), '25.0%', `${current.purchaseShare.toFixed(2)}%`],
        ...[current.impressionShare, current.clickShare].map((share) => `${share.toFixed(2)}%`),
        `${current.cvr.toFixed(1)}%`,
      ],
    );
    // 60 purchases of all, 6 own ones, 8 before: 54 lost, of 600 at $10 less 120 own.
    assert.deepEqual(plain(first!).slice(1, 6), ['54', '$480', '6', '25.0%', '10.00%']);
    assert.deepEqual(plain(second!).slice(0, 4), ['B2', '1', '$0', '9']);
    const [total] = await figuresIn(products(page), 'tfoot tr');
    assert.deepEqual([total![0], total![3]], ['All 2', '15']);
    // Own figures of both products.
    assert.deepEqual(await textsOf(page.locator('[data-metric]')), [
      ...['2,000', '190', '31', '15', '$300'],
    ]);
    await assertGood(page, 'search terms', 'all');
    await assertAddresses(page);
  });

  /** Sort and search are in the address, and the way back leads through them. */
  async function assertAddresses(page: Page): Promise<void> {
    await products(page).getByRole('link', { name: 'Product', exact: true }).click();
    await page.waitForURL(/sort=product/);
    assert.deepEqual(await names(page), ['B2', 'Kettle']);
    await products(page).getByRole('link', { name: 'Purchases', exact: true }).click();
    await page.waitForURL(/sort=-purchases/);
    assert.deepEqual(await names(page), ['B2', 'Kettle']);
    await products(page).getByRole('link', { name: 'Purchases', exact: true }).click();
    await page.waitForURL(/sort=purchases/);
    assert.deepEqual(await names(page), ['Kettle', 'B2']);
    assert.equal(
      await products(page)
        .getByRole('columnheader', { name: 'Purchases', exact: true })
        .getAttribute('aria-sort'),
      'ascending',
    );
    await page.getByLabel('Find a product').fill('kett');
    await page.waitForURL(/q=kett/);
    await products(page).locator('tbody:has(> tr:only-child)').waitFor();
    assert.deepEqual(await names(page), ['Kettle']);
    await page.getByLabel('Find a product').fill('nothing');
    await page.getByText('No product matches the search').waitFor();
    await page.goBack();
    await page.waitForURL(/sort=-purchases/);
  }

  deepTest('the funnel is of the product that loses most, or of a chosen one', async () => {
    const { page } = await arrive();
    await page.getByRole('rowheader', { name: 'Kettle' }).waitFor();
    const steps = await figuresIn(region(page, 'Steps of the searches of Kettle'), 'tbody tr');
    assert.deepEqual(
      steps.map(([step, share, own]) => [step, share, own]),
      [
        ['Impressions', '10.00%', '1,000'],
        ['Clicks', '20.00%', '100'],
        ['Cart adds', '10.00%', '12'],
        ['Purchases', '10.00%', '6'],
      ],
    );
    // 12 of 100 against 120 of 500.
    assert.deepEqual(steps[2]!.slice(-2), ['12.0%\nfurthest behind', '24.0%']);
    await page.getByText('Furthest behind all products: cart adds.').waitFor();
    const bar = page.getByRole('region', { name: 'Purchases lost to others' }).getByRole('link', {
      name: 'B2',
    });
    await tabTo(page, bar);
    await focused(bar);
    await page.keyboard.press('Enter');
    await region(page, 'Steps of the searches of B2').waitFor();
    assert.match(page.url(), /product=B2/);
    await page.reload();
    await region(page, 'Steps of the searches of B2').waitFor();
    await page.goBack();
    await region(page, 'Steps of the searches of Kettle').waitFor();
    await page.goto(`/console/search?${period}&product=B9`);
    await page.getByText('The address names product B9').waitFor();
    await assertGood(page, 'search terms', 'all');
  });
  deepTest('months, stores and plans without searches say so', async () => {
    const { page } = await arrive('&store=search-web');
    await page.getByText('No store with searches').waitFor();
    await page.goto('/console/search?from=2025-05-01&to=2025-05-31&zone=UTC');
    await page.getByText('No searches in May 2025').waitFor();
    await assertGood(page, 'no searches', 'narrowFit');
    const other = await site.world.tenant({
      organisation: { name: 'Plain', searchQueryPerformance: false },
    });
    const owner = await makePerson(site.world, other.organisationId);
    const member = await makePerson(site.world, other.organisationId, { role: 'member' });
    await site.world.operate('PUT', `/operator/users/${member.userId}/channels`, {
      channelIds: [other.channelId],
    });
    const first = await arrive('', owner.email);
    await first.page.getByText('Not included in the plan of Plain').waitFor();
    await first.page.getByText('To have it, ask the operator of this service').waitFor();
    await assertGood(first.page, 'not included', 'narrow');
    const second = await arrive('', member.email);
    await second.page.getByText(owner.email).waitFor();
  });
});
