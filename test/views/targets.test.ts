/** The view of targets in the console, in a real browser. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertGood, onSite, tabPress, tabTo } from '../browser.ts';
import type { Tenant } from '../harness.ts';
import { deepTest } from '../level.ts';
import { askView, days } from '../world.ts';
import { figuresIn, importStores, makeStores, makeVendor, signedIn, textsOf } from './views.ts';

/** March 2026 is over; the facts of April end with the 10th. */
const march = 'from=2026-03-20&to=2026-03-31&zone=UTC&currency=EUR';
const april = 'from=2026-04-01&to=2026-04-10&zone=UTC&currency=EUR';

onSite('the view of targets', {}, (site) => {
  let tenant: Tenant;
  let email: string;

  before(async () => {
    const { world } = site;
    world.clock.now = Date.now();
    ({ tenant, email } = await makeStores(world, 'target'));
    await makeVendor(world, tenant, 'target-vendor');
    await importStores(world, import.meta.url, 'targets.facts.txt');
  });

  const arrive = (query: string) => signedIn(site, email, `/console/targets?${query}`, 'Targets');
  const table = (page: Page) => page.getByRole('region', { name: 'Targets of stores, table' });
  const stores = async (page: Page) =>
    (await figuresIn(table(page), 'tbody tr')).map(([name]) => name!.split('\n').at(-2));
  const course = (page: Page) => page.locator('.goal-facts > div');

  test('each store is that of GET /targets and of the sales by period, projected by the budget', async () => {
    const { page } = await arrive(april);
    await page.getByText('April 2026, to Apr 10: 10 of 30 days.').waitFor();
    const { channelId, merchantId } = tenant;
    const { fromDate, toDate } = days('2026-04-01', '2026-04-30');
    const month = `fromDate=${fromDate}&toDate=${toDate}&timezone=UTC&interval=month`;
    const store = `channelId=${channelId}&merchantId=${encodeURIComponent(merchantId)}`;
    const targets = await site.world.ask(tenant.key, 'GET', `/targets?${store}&${month}`);
    assert.equal(targets.body.totals.salesBudget, 9300);
    const reportOptions = { ...days('2026-04-01', '2026-04-10'), interval: 'month' };
    const input = { channelId, merchantId, includeTax: false, reportOptions };
    const sales = await askView(site.world, tenant.key, 'salesByPeriod', input);
    assert.equal(sales.formattedChartData[0].sales, '2700.00');
    assert.deepEqual(await stores(page), ['Vendor', 'Germany', 'America']);
    const [vendor, germany, america] = await figuresIn(table(page), 'tbody tr');
    // 2700 of 3000 so far; 2700 x 9300 / 3000 = 8370.
    assert.deepEqual(germany!.slice(1), [
      ...['90.0%', '−€930', '€2,700', '€8,370', '€9,300'],
      ...['€6,000', '135.0%', '€250', '€600', '125.0%'],
    ]);
    // 500 and 3000 dollars at 1.25; 400 of 800 so far.
    assert.deepEqual(vendor!.slice(1, 6), ['50.0%', '−€1,200', '€400', '€1,200', '€2,400']);
    // No budget: 100 in 10 days of 30.
    assert.deepEqual(america!.slice(1, 6), ['–', '–', '€100', '€300', '–']);
    await page.getByText('Without a sales budget for this month').waitFor();
    const tile = page.locator('[data-metric="budget"]');
    assert.equal(await tile.innerText(), '€9,570 projected');
    const link = table(page).getByRole('link', { name: /Germany/ });
    await link.press('Enter');
    await page.getByRole('heading', { name: 'Sales of Germany' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('of'), 'target-de');
    const facts = await textsOf(course(page));
    assert.deepEqual(
      facts.map((text) => text.replaceAll(/\s*\n\s*/g, ': ')),
      [
        ...['Sales to Apr 10: €2,700', 'Budget to Apr 10: €3,000', 'Pace: 90.0%'],
        ...['Projected to Apr 30: €8,370', 'Budget of the month: €9,300', 'Gap: −€930'],
        ...['Left for 20 days: €6,600', 'Left per day: €330', 'Per day so far: €270'],
      ],
    );
    await assertGood(page, 'targets', 'all');
  });

  deepTest('a store is chosen from its row, a target from its tile, by address', async () => {
    const { page } = await arrive(april);
    await page.getByRole('heading', { name: 'Sales of Vendor' }).waitFor();
    const germany = table(page).getByRole('link', { name: /Germany/ });
    await germany.click();
    await page.getByRole('heading', { name: 'Sales of Germany' }).waitFor();
    await page.getByRole('navigation', { name: 'Totals' }).getByText('Ad spend').click();
    await page.getByRole('heading', { name: 'Ad spend of Germany' }).waitFor();
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('of'), searchParams.get('metric')], ['target-de', 'ads']);
    await page.reload();
    const name = 'Ad spend of Germany, added up by day';
    await page.getByRole('button', { name: `Show as a table: ${name}` }).click();
    const byDay = page.getByRole('region', { name: `${name}, table` });
    const rows = await figuresIn(byDay, 'tbody tr');
    assert.equal(rows.length, 30);
    assert.deepEqual([rows[3]![1], rows[9]![1], rows[10]![1]], ['€0', '€250', '€275']);
    assert.deepEqual([rows[9]![3], rows[29]![3]], ['€200', '€600']);
    await page.goBack();
    await page.getByRole('heading', { name: 'Sales of Germany' }).waitFor();
    await table(page).getByRole('link', { name: 'Sales so far' }).click();
    await page.waitForURL(/sort=-sales/);
    assert.deepEqual(await stores(page), ['Germany', 'Vendor', 'America']);
    await page.getByLabel('Store', { exact: true }).fill('amer');
    await page.waitForURL(/q=amer/);
    assert.deepEqual(await stores(page), ['America']);
  });

  deepTest('a past month shows what was reached; one without targets says so', async () => {
    const { page } = await arrive(march);
    await page.getByText('March 2026, the whole month.').waitFor();
    assert.equal(await page.locator('[data-metric="budget"]').innerText(), '€2,325 reached');
    await page.getByRole('heading', { name: 'Sales of Germany' }).waitFor();
    assert.equal((await textsOf(course(page))).length, 4);
    await page.goto('/console/targets?from=2025-05-01&to=2025-05-31&zone=UTC');
    await page.getByText('No targets for May 2025').waitFor();
    await assertGood(page, 'no targets', 'narrow');
  });

  deepTest('the keyboard alone reaches the figures of a store that was chosen', async () => {
    const { page } = await arrive(`${april}&of=target-de`);
    const chart = page.getByRole('application', { name: /^Sales of Germany, added up, chart/ });
    await chart.waitFor();
    await table(page).waitFor();
    await tabTo(page, chart);
    await page.keyboard.press('End');
    const said = page.getByText(/Apr 30, projected: €8,370\. Budget: €9,300/);
    await said.waitFor({ state: 'attached' });
    await tabPress(page, table(page).getByRole('link', { name: /America/ }));
    await page.getByText('No budget for April 2026').waitFor();
  });
});
