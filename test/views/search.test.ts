/** The view of search terms in the console, in a real browser. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertGood, focused, onSite, tabTo } from '../browser.ts';
import type { Tenant } from '../harness.ts';
import { deepTest } from '../level.ts';
import { tablesBeside } from '../table.ts';
import { makePerson } from '../visitors.ts';
import { assertShown, importFacts } from '../world.ts';
import { figuresIn, signedIn, textsOf } from './views.ts';

/** February and March, and the two months before them. */
const period = 'from=2026-02-10&to=2026-03-10&zone=UTC';
const at = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;
const merchantId = 'A1MERCHANT @ ATVPDKIKX0DER';

onSite('the view of search terms', {}, (site) => {
  let tenant: Tenant;
  let email: string;

  before(async () => {
    const { world } = site;
    world.clock.now = Date.now();
    tenant = await world.tenant({
      channelId: 'search-us',
      organisation: { name: 'Northwind', searchQueryPerformance: true },
      channel: { merchantId, displayName: 'America', timezone: 'UTC' },
    });
    const web = { merchantId: 'web.example', displayName: 'Web', marketplace: 'shopify' };
    await world.channel(tenant.organisationId, 'search-web', web);
    await importFacts(world, 'search-us', tablesBeside(import.meta.url, 'search.facts.txt'));
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

  test('figures equal the answers to a key over whole months, and choices are in the address', async () => {
    const { page } = await arrive();
    const months = 'February 2026 – March 2026 against December 2025 – January 2026';
    await page.getByText(`Whole months: ${months}.`).waitFor();
    const query = new URLSearchParams({
      channelId: 'search-us',
      merchantId,
      timezone: 'UTC',
      sortKey: 'totalPurchases',
      fromDate: String(at('2026-02-10')),
      toDate: String(at('2026-03-10')),
      priorFromDate: String(at('2025-12-10')),
      priorToDate: String(at('2026-01-10')),
      sortOrder: 'desc',
    });
    const path = `/search-query-performance/asins?${query}`;
    const { body } = await site.world.ask(tenant.key, 'GET', path);
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
    const tiles = await textsOf(page.locator('[data-metric]'));
    assert.deepEqual(tiles, ['2,000', '190', '31', '15', '$300']);
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
    const head = products(page).getByRole('columnheader', { name: 'Purchases', exact: true });
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
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
    assertShown(steps)`
      0,           1,      2
      Impressions, 10.00%, "1,000"
      Clicks,      20.00%, "100"
      Cart adds,   10.00%, "12"
      Purchases,   10.00%, "6"
    `;
    // 12 of 100 against 120 of 500.
    assert.deepEqual(steps[2]!.slice(-2), ['12.0%\nfurthest behind', '24.0%']);
    await page.getByText('Furthest behind all products: cart adds.').waitFor();
    const lost = page.getByRole('region', { name: 'Purchases lost to others' });
    const bar = lost.getByRole('link', { name: 'B2' });
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
    const organisation = { name: 'Plain', searchQueryPerformance: false };
    const other = await site.world.tenant({ organisation });
    const owner = await makePerson(site.world, other.organisationId);
    const member = await makePerson(site.world, other.organisationId, { role: 'member' });
    const granted = { channelIds: [other.channelId] };
    await site.world.operate('PUT', `/operator/users/${member.userId}/channels`, granted);
    const first = await arrive('', owner.email);
    await first.page.getByText('Not included in the plan of Plain').waitFor();
    await first.page.getByText('To have it, ask the operator of this service').waitFor();
    await assertGood(first.page, 'not included', 'narrow');
    const second = await arrive('', member.email);
    await second.page.getByText(owner.email).waitFor();
  });
});
