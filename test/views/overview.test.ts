/** The overview of the console, in a real browser. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertFocusSeen, assertGood, focused, onSite } from '../browser.ts';
import type { Tenant } from '../harness.ts';
import { deepTest } from '../level.ts';
import { makePerson } from '../visitors.ts';
import { askView, assertShown, compared } from '../world.ts';
import { figuresIn, importStores, makeStores, settled, signedIn } from './views.ts';

const days = 'from=2026-04-11&to=2026-04-20&zone=UTC&currency=EUR';
/** The same days, as a key asks for them. */
const period = compared('2026-04-11', '2026-04-20', ['2026-04-01', '2026-04-10']);
const input = { ...period, currentCurrency: 'EUR' };

onSite('the overview', {}, (site) => {
  let tenant: Tenant;
  let email: string;
  let memberEmail: string;

  before(async () => {
    const { world } = site;
    world.clock.now = Date.now();
    ({ tenant, email } = await makeStores(world, 'shop'));
    const member = await makePerson(world, tenant.organisationId, { role: 'member' });
    memberEmail = member.email;
    const granted = { channelIds: ['shop-us'] };
    await world.operate('PUT', `/operator/users/${member.userId}/channels`, granted);
    await importStores(world, import.meta.url, 'overview.facts.txt');
  });

  const arrive = (query = days, user = email) =>
    signedIn(site, user, `/console/overview?${query}`, 'Overview');
  const table = (page: Page) => page.getByRole('region', { name: 'Stores, table' });
  const names = async (page: Page) =>
    (await figuresIn(table(page), 'tbody tr')).map(([name]) => name!.split('\n').at(-2));
  const params = (page: Page) => new URL(page.url()).searchParams;

  test('the figures equal the public answer, and choices are in the address', async () => {
    const { page } = await arrive();
    const body = await askView(site.world, tenant.key, 'salesByChannel', input);
    assertShown(body.rows.map(({ sales }: { sales: object }) => sales))`
      value, priorPeriodValue
      1500,  1200
      100,   0
    `;
    const [germany, america] = await figuresIn(table(page), 'tbody tr');
    assert.deepEqual(germany![0]!.split('\n').slice(-2), ['Germany', 'Amazon']);
    const shown = (row: string[]) => [row[1], row[2]!.replace(/\s+/g, ' '), row[4], row[5], row[9]];
    // 1500 of 1600 in all; 1500 of 100.00 a day.
    assert.deepEqual(shown(germany!), ['€1,500', 'up 25.0%', '93.8%', '2', '150%']);
    assert.deepEqual(shown(america!), ['€100', '–', '6.3%', '1', '–']);
    const [total] = await figuresIn(table(page), 'tfoot tr');
    assert.deepEqual(shown(total!), ['€1,600', 'up 33.3%', '100.0%', '3', '150%']);
    const tile = (metric: string) => page.locator(`[data-metric="${metric}"]`).innerText();
    const tiles = await Promise.all(['sales', 'orders', 'average'].map(tile));
    assert.deepEqual(tiles, ['€1,600', '3', '€533']);
    await page.getByRole('button', { name: 'Show as a table: Sales by day' }).click();
    const chart = page.getByRole('region', { name: 'Sales by day, table' });
    const points = await figuresIn(chart, 'tbody tr');
    assert.equal(points.length, 10);
    const some = [points[1]![1], points[2]![1], points[4]![1], points[4]![3]];
    assert.deepEqual(some, ['€1,000', '€100', '€500', '€1,200']);
    await page.getByRole('button', { name: 'Show as a chart: Sales by day' }).click();
    await assertGood(page, 'the overview', 'all');
    await assertAddresses(page);
  });

  /** Sort, search, metric, interval and period are in the address; the back button undoes them. */
  async function assertAddresses(page: Page): Promise<void> {
    assert.deepEqual(await names(page), ['Germany', 'America']);
    await table(page).getByRole('link', { name: 'Store', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'store');
    assert.deepEqual(await names(page), ['America', 'Germany']);
    await page.goBack();
    assert.deepEqual(await names(page), ['Germany', 'America']);
    await page.getByRole('searchbox', { name: 'Filter stores' }).fill('amer');
    await page.waitForURL((url) => url.searchParams.get('q') === 'amer');
    assert.deepEqual(await names(page), ['America']);
    await page.getByRole('navigation', { name: 'Totals' }).getByText('Orders').click();
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Week', exact: true }).click();
    await page.getByRole('button', { name: 'Show as a table: Orders by week' }).waitFor();
    assert.deepEqual([params(page).get('metric'), params(page).get('interval')], ['orders', 'w']);
    const period = page.getByRole('button', { name: /Apr 11/ });
    await period.first().click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.get('period') === '7d');
    assert.equal(params(page).get('from'), null);
    await page.goBack();
    assert.equal(params(page).get('from'), '2026-04-11');
  }

  deepTest('panes of filters are seen whole, however narrow the window', async () => {
    const { page } = await arrive();
    const content = page.getByRole('main');
    for (const width of [768, 1024, 1279, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const button of await content.locator('.popover > button').all()) {
        await button.click();
        const pane = content.getByRole('dialog');
        const box = (await pane.boundingBox())!;
        const { x } = (await content.boundingBox())!;
        assert.ok(x <= box.x && box.x + box.width <= width, `${width}: ${JSON.stringify(box)}`);
        await page.keyboard.press('Escape');
        await pane.waitFor({ state: 'detached' });
      }
    }
  });

  deepTest('tags narrow the stores, several at once, and the address has them', async () => {
    const { page } = await arrive();
    const { keyboard } = page;
    await page.getByRole('button', { name: 'Tags', exact: true }).click();
    const pane = page.getByRole('dialog', { name: 'Tags' });
    await pane.getByText('No store has a tag yet.').waitFor();
    await keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
    const add = (channelId: string, merchantId: string, tag: string) =>
      site.world.ask(tenant.key, 'PATCH', '/tags/channel', {
        channelId,
        merchantId,
        addTags: [tag],
      });
    assert.equal((await add('shop-us', 'A1 @ US', 'org://far')).status, 200);
    await page.goto(`/console/overview?${days}&tag=org%3A%2F%2Fnowhere`);
    assert.match(await page.getByRole('note').first().innerText(), /tag org:\/\/nowhere/);
    await page.getByRole('button', { name: 'Tags', exact: true }).focus();
    await keyboard.press('Enter');
    await pane.getByText('1 store').waitFor();
    await focused(pane.getByRole('searchbox', { name: 'Find a tag' }));
    await keyboard.type('fa');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await pane.getByRole('button', { name: 'Apply' }).press('Enter');
    await page.waitForURL((url) => url.searchParams.get('tag') === 'org://far');
    await page.getByRole('heading', { name: 'Stores 1' }).waitFor();
    assert.deepEqual(await names(page), ['America']);
    const [total] = await figuresIn(table(page), 'tfoot tr');
    assert.equal(total![1], '€100');
    await page.goto(`/console/overview?${days}&tag=org%3A%2F%2Ffar&store=shop-de`);
    await page.getByRole('link', { name: 'Clear the tags' }).click();
    await page.getByRole('heading', { name: 'Stores 1' }).waitFor();
    assert.deepEqual(await names(page), ['Germany']);
  });

  deepTest('totals of more stores than a page holds equal the public answers', async () => {
    const { world } = site;
    const count = 105;
    const ids = Array.from({ length: count }, (_, place) => `many-${place}`);
    const store = { currency: 'EUR', timezone: 'UTC' };
    const { key, organisationId } = await world.tenant({ channelId: ids[0]!, channel: store });
    for (const id of ids.slice(1)) {
      await world.channel(organisationId, id, { ...store, merchantId: `${id} @ DE` });
    }
    // Without an exchange rate the sales of one come last, on the second page.
    await importStores(world, import.meta.url, 'overview.many.facts.txt');
    let orders = 0;
    for (const pageIndex of [0, 1]) {
      const page = { pageSize: 100, pageIndex };
      const body = await askView(world, key, 'salesByChannel', { ...input, ...page });
      assert.equal(body.count, count);
      for (const row of body.rows) orders += Number(row.orders.value);
    }
    assert.equal(orders, 1);
    const { email: owner } = await makePerson(world, organisationId);
    const { page } = await arrive(days, owner);
    await page.getByRole('heading', { name: `Stores ${count}` }).waitFor();
    const tile = page.locator('[data-metric="orders"]');
    assert.equal(await tile.innerText(), String(orders));
    await page.locator('[data-metric="profit"]').getByText('€300').waitFor();
    await page.goto(`/console/profit?${days}`);
    await page.locator('[data-metric="profit"]').getByText('€300').waitFor();
    await page.getByText(`of ${count} stores`).waitFor();
  });

  deepTest('events are named on their line; no sales lead to the last days', async () => {
    const { page } = await arrive('from=2025-12-01&to=2025-12-14&zone=UTC&currency=EUR');
    await page.getByRole('application', { name: /Sales, chart/ }).waitFor();
    const names = page.locator('.lines .event');
    await settled(names);
    // The 14 days before begin on November 17; Cyber Monday is December 1.
    assert.deepEqual(await names.allTextContents(), ['Cyber Monday', 'Black Friday']);
    await page.getByRole('link', { name: 'Week', exact: true }).click();
    await page.getByRole('button', { name: 'Show as a table: Sales by week' }).waitFor();
    assert.equal(await names.count(), 0);
    await page.goto('/console/overview?from=2024-04-01&to=2024-04-10&zone=UTC&currency=EUR');
    await page.getByText('No sales in this period').waitFor();
    await page.getByRole('link', { name: 'Show the last 30 days' }).press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('from'));
  });

  deepTest('names come before figures, and without advertising TACoS is unknown', async () => {
    const { page, problems } = await arrive();
    await page.locator('[data-metric="tacos"]').getByText('0.0%').waitFor();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/account/data/reports/view/**', async (route) => {
      await released;
      if (route.request().url().endsWith('/advertisingByChannels')) await route.abort();
      else await route.continue();
    });
    await page.reload();
    const tiles = page.getByRole('navigation', { name: 'Totals' });
    await tiles.getByText('Average order').waitFor();
    assert.equal(await page.locator('[data-metric]').count(), 0);
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    assert.equal(await page.getByText('Nothing needs attention.').count(), 0);
    release();
    await page.locator('[data-metric="sales"]').getByText('€1,600').waitFor();
    await page.getByText('Could not load advertising, which TACoS needs.').waitFor();
    assert.equal(await page.locator('[data-metric="tacos"]').innerText(), '–');
    for (const problem of problems.splice(0)) assert.match(problem, /net::ERR_FAILED/);
  });

  deepTest('members see granted stores alone; an address names unknown values', async () => {
    const { page } = await arrive(`${days}&period=never&compare=then`, memberEmail);
    assert.deepEqual(await names(page), ['America']);
    const note = page.getByRole('note').first();
    assert.match(await note.innerText(), /comparison then/);
  });

  deepTest('with the keyboard alone: go to a view, search the table, read the chart', async () => {
    const { page } = await arrive();
    const { keyboard } = page;
    await table(page).waitFor();
    await keyboard.press('/');
    await focused(page.getByRole('searchbox', { name: 'Filter stores' }));
    await assertFocusSeen(page);
    const chart = page.getByRole('application', { name: /Sales, chart/ });
    await chart.focus();
    await keyboard.press('Home');
    await keyboard.press('ArrowRight');
    const said = page.getByText(/Apr 12.*€1,000/);
    await said.first().waitFor({ state: 'attached' });
    await keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await keyboard.type('germ');
    await page.getByRole('option', { name: /^Profit of .*Germany/ }).waitFor();
    await keyboard.press('Enter');
    await page.waitForURL(/\/console\/stores\/shop-de\/sales/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await keyboard.press('g');
    await keyboard.press('o');
    await page.waitForURL(/\/console\/overview/);
  });
});
