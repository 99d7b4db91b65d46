/** The view of advertising in the console, in a real browser. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertGood, focused, onSite, tabTo } from '../browser.ts';
import type { Tenant } from '../harness.ts';
import { deepTest } from '../level.ts';
import { tablesBeside } from '../table.ts';
import { makePerson } from '../visitors.ts';
import { askView, assertShown, importFacts } from '../world.ts';
import { figuresIn, heldRequests, signedIn, textsOf } from './views.ts';

const zone = 'America/Los_Angeles';
const period = 'from=2026-03-01&to=2026-03-14';
const noon = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;
/** The days of the period and of the one before, as a key asks for them. */
const days = { fromDate: noon('2026-03-01'), toDate: noon('2026-03-14') };
const priorDays = { priorFromDate: noon('2026-02-15'), priorToDate: noon('2026-02-28') };

onSite('the view of advertising', {}, (site) => {
  let tenant: Tenant;
  let email: string;

  before(async () => {
    const { world } = site;
    world.clock.now = Date.now();
    tenant = await world.tenant({
      channelId: 'us',
      channel: { timezone: zone, displayName: 'America', countryCode: 'USA' },
    });
    const { organisationId } = tenant;
    for (const place of [1, 2, 3, 4, 5]) {
      const channelId = `more-${place}`;
      const store = { merchantId: `M${place} @ X`, displayName: `More ${place}`, timezone: 'UTC' };
      await world.channel(organisationId, channelId, store);
      const spent = { campaignId: `90${place}`, adType: 'SP', cost: `${place}.00` };
      await importFacts(world, channelId, { campaignDays: [{ date: '2026-03-02', ...spent }] });
    }
    const web = { merchantId: 'web.example', displayName: 'Web', hasAdvertisingConnected: false };
    await world.channel(organisationId, 'web', web);
    ({ email } = await makePerson(world, organisationId));
    await importFacts(world, 'us', tablesBeside(import.meta.url, 'advertising.facts.txt'));
  });

  const arrive = (part = 'campaigns', query = 'store=us', days = period) => {
    const path = `/console/advertising/${part}?${days}&zone=${zone}&${query}`;
    return signedIn(site, email, path, 'Advertising');
  };
  const table = (page: Page, name: string) =>
    page.getByRole('region', { name: `${name}, table`, exact: true });
  const shownIn = (page: Page, name: string) => figuresIn(table(page, name), 'tbody tr');
  const names = async (page: Page, name: string) =>
    (await shownIn(page, name)).map(([first]) => first!.split('\n')[1]);
  const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
  const part = (page: Page) => new URL(page.url());
  /** Waits until the table of campaigns has a number of rows. */
  const counted = (page: Page, rows: number) =>
    table(page, 'Campaigns').locator(`tbody:has(> tr:nth-child(${rows}):last-child)`).waitFor();

  async function askLists(
    path: string,
    query = '',
    { fromDate, toDate } = days,
  ): Promise<Record<string, number | string>[]> {
    const input = `channelId=us&fromDate=${fromDate}&toDate=${toDate}&sortKey=cost&pageSize=100`;
    const url = `/advertising/${path}?${input}${query}`;
    const { status, body } = await site.world.ask(tenant.key, 'GET', url);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  }
  const dollars = (value: number) =>
    value >= 100 || value === 0 ? `$${value.toFixed(0)}` : `$${value.toFixed(2)}`;

  test('figures are those that a key gets, and what is chosen is in the address', async () => {
    const { page } = await arrive();
    const shown = await shownIn(page, 'Campaigns');
    const answered = await askLists('campaigns');
    assert.equal(shown.length, 50);
    for (const [place, row] of answered.slice(0, 50).entries()) {
      const hasSales = Number(row.attributed_sales) > 0;
      const [, spend, , acos, , , sales, roas, clicks, cpc] = shown[place]!;
      assert.deepEqual(
        [spend, acos, sales, roas, clicks, cpc],
        [
          dollars(Number(row.cost)),
          hasSales ? `${Number(row.acos).toFixed(1)}%` : '–',
          dollars(Number(row.attributed_sales)),
          Number(row.roas).toFixed(2),
          String(row.clicks),
          dollars(Number(row.cost_per_click)),
        ],
      );
    }
    // 100 against 80 in the days before; 20% against 40%.
    assert.deepEqual(
      shown[0]!
        .toSpliced(5, 1)
        .map((text) => text.replace(/^(?:up|down)[, a-z]*\s*/, '').replace('\n', ' ')),
      [
        ...['US SP | Bottles', '$100', '25.0%', '20.0%', '20.0 pt', '$500', '5.00', '100'],
        ...['$1.00', '10.0%', '$20.00'],
      ],
    );
    const [total] = await figuresIn(table(page, 'Campaigns'), 'tfoot tr');
    // 100 + 60 + 30 + 50 of spend, 500 + 100 + 100 of sales.
    assertShown([total!])`
      0,      1,    3,     6,    8
      All 53, $240, 34.3%, $700, "220"
    `;
    const tiles = await textsOf(page.locator('[data-metric]'));
    assert.deepEqual(tiles, ['$240', '$700', '34.3%', '10.0%', '$1.09', '10.0%']);
    const reportOptions = { ...days, ...priorDays, timezone: 'UTC' };
    const input = { reportOptions, currentCurrency: 'USD', searchText: 'America' };
    const { data } = await askView(site.world, tenant.key, 'advertisingByChannels', input);
    const [item] = data.items;
    assert.deepEqual([item.spend, item.adsales, item.acos], ['240.00', '700.00', '34.29']);
    await page.getByRole('button', { name: 'Show as a table: Spend by day' }).click();
    const byDay = await figuresIn(table(page, 'Spend by day'), 'tbody tr');
    const spent = byDay.map(([, spend]) => spend).filter((spend) => spend !== '$0');
    assert.deepEqual(spent, ['$100', '$50.00', '$30.00', '$60.00']);
    const before = byDay.flatMap(([, , day, prior]) => (prior === '–' ? [] : `${day} ${prior}`));
    assert.deepEqual(before, ['Fri, Feb 20 $80.00', 'Sat, Feb 28 $50.00']);
    assert.equal(byDay.length, 14);
    await page.locator('.scatter svg').waitFor();
    await assertGood(page, 'advertising', 'all');
    await assertAddresses(page);
  });

  deepTest('lines of ACOS equal lists of seven days, and come after the table', async () => {
    const { page } = await arrive('campaigns', 'store=us', 'from=2026-02-15&to=2026-03-14');
    const line = (id: string) =>
      table(page, 'Campaigns').locator(`tr[data-key="us ${id}"] td[data-column="trend"]`);
    await line('101').scrollIntoViewIfNeeded();
    await line('101').locator('svg').waitFor();
    const known: unknown[] = [];
    for (const last of ['2026-02-20', '2026-02-21', '2026-03-07'].map(noon)) {
      const week = { fromDate: last - 6 * 86_400, toDate: last };
      known.push((await askLists('campaigns', '', week))[0]!.acos);
    }
    // 980 of 200 with the 900 of the first of these days, 80 of 200, and 100 of 500.
    assert.deepEqual(known, [490, 40, 20]);
    assert.equal(await line('101').innerText(), '20.0% to 490.0%, last 20.0%');
    // Spend without sales has no ACOS.
    assert.equal(await line('103').innerText(), '–');
    const isOfWeek = ({ searchParams }: URL) =>
      Number(searchParams.get('toDate')) - Number(searchParams.get('fromDate')) === 6 * 86_400;
    const release = await heldRequests(page, '**/account/data/advertising/campaigns?**', isOfWeek);
    await page.goto(`/console/advertising/campaigns?from=2026-01-25&to=2026-03-14&store=us`);
    await line('101').scrollIntoViewIfNeeded();
    await line('101').locator('[aria-busy="true"]').waitFor();
    assert.equal((await shownIn(page, 'Campaigns')).length, 50);
    release();
    await line('101').locator('svg').waitFor();
    await page.unroute('**/account/data/advertising/campaigns?**');
    // A point for each week, which none of the 900 shares with sales.
    assert.equal(await line('101').innerText(), '20.0% to 40.0%, last 20.0%');
    await page.getByRole('button', { name: 'Columns' }).press('Enter');
    for (const figure of ['spend', 'ACOS'])
      assert.ok(await page.getByRole('checkbox', { name: `Change of ${figure}` }).isChecked());
    await page.getByRole('checkbox', { name: '7-day ACOS' }).press('Space');
    await line('101').waitFor({ state: 'detached' });
  });

  deepTest('filters that are being chosen stay while figures arrive', async () => {
    const { page } = await arrive();
    const release = await heldRequests(page, '**/account/data/advertising/**');
    await page.goto(`/console/advertising/campaigns?${period}&store=us&spend=40..`);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const spend = page.getByRole('group', { name: 'Spend, USD' }).getByLabel('From');
    assert.equal(await spend.inputValue(), '40');
    await spend.fill('50');
    await page.getByLabel('Active').check();
    release();
    await table(page, 'Campaigns').getByRole('link', { name: 'SP | Bottles' }).waitFor();
    await page.unroute('**/account/data/advertising/**');
    assert.equal(await spend.inputValue(), '50');
    assert.ok(await page.getByLabel('Active').isChecked());
  });

  /** Sort, search, filters and pages are in the address, and the way back leads through them. */
  async function assertAddresses(page: Page): Promise<void> {
    const campaigns = table(page, 'Campaigns');
    await campaigns.waitFor();
    await link(page, 'Next page').click();
    await page.waitForURL(/page=2/);
    assert.equal((await shownIn(page, 'Campaigns')).length, 3);
    await campaigns.getByRole('link', { name: 'ACOS against target' }).click();
    await page.waitForURL(/sort=-acos/);
    assert.equal(part(page).searchParams.get('page'), null);
    // 60% and 50%; spend without sales has no ACOS and comes last.
    const [first, second] = await names(page, 'Campaigns');
    assert.deepEqual([first, second], ['SB | Store', 'SP | Small 500']);
    const head = campaigns.getByRole('columnheader', { name: 'ACOS against target' });
    assert.equal(await head.getAttribute('aria-sort'), 'descending');
    await page.getByLabel('Find a campaign').fill('b');
    await page.waitForURL(/q=b/);
    await counted(page, 3);
    assert.deepEqual(await names(page, 'Campaigns'), ['SB | Store', 'SP | Bottles', 'SD | Barren']);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('group', { name: 'Spend, USD' }).getByLabel('From').fill('40');
    await page.getByLabel('Active').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/spend=40/);
    assert.deepEqual(await names(page, 'Campaigns'), ['SP | Bottles']);
    await link(page, /Remove the filter Active/).click();
    await counted(page, 2);
    assert.deepEqual(await names(page, 'Campaigns'), ['SB | Store', 'SP | Bottles']);
    await page.goBack();
    await counted(page, 1);
    await page.goBack();
    await counted(page, 3);
    await page.getByLabel('Find a campaign').fill('nothing like it');
    await page.getByText('No campaigns match the filters').waitFor();
    await link(page, 'Show all').click();
    await page.getByText('1–50 of 53').waitFor();
  }

  deepTest('a campaign leads to its ad groups, and these to their keywords', async () => {
    const { page } = await arrive();
    await table(page, 'Campaigns').getByRole('link', { name: 'SP | Bottles' }).click();
    assert.deepEqual(await names(page, 'Ad groups'), ['Steel']);
    assert.equal(part(page).searchParams.get('campaign'), '101');
    await table(page, 'Ad groups').getByRole('link', { name: 'Steel' }).click();
    assert.deepEqual(await names(page, 'Keywords'), ['steel bottle', 'flask']);
    const [keyword] = await askLists('keywords', '&campaignId=101&adGroupId=11');
    assert.equal(keyword!.keyword_text, 'steel bottle');
    const [first] = await shownIn(page, 'Keywords');
    const shown = [keyword!.cost, keyword!.attributed_sales].map((value) => dollars(Number(value)));
    assert.deepEqual([first![1], first![6], first![11]], [...shown, '$1.25']);
    await link(page, 'Products').click();
    assert.deepEqual(await names(page, 'Products'), ['Kettle']);
    await page.getByText('of all campaigns of these stores').waitFor();
    await page.goBack();
    await link(page, /Remove the filter Steel/).click();
    await link(page, /Remove the filter SP/).waitFor();
    assert.equal(part(page).searchParams.get('ad-group'), null);
    await assertGood(page, 'keywords of a campaign', 'narrow');
  });

  deepTest('by keys and by drags, marks open and choose campaigns', async () => {
    const { page } = await arrive();
    const chart = page.getByRole('application', { name: /^Where the money goes/ });
    await tabTo(page, chart);
    await page.keyboard.press('End');
    await page.getByText('SP | Bottles, US: spend $100, ACOS 20.0%, ad sales $500').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.getByText('SD | Barren, US: spend $30.00, no ad sales').waitFor();
    await focused(chart);
    await page.keyboard.press('Enter');
    await page.waitForURL(/ad-groups\?.*campaign=103/);
    await page.goBack();
    await page.locator('.scatter svg [data-mark="us 101"]').waitFor();
    // Above and beside the chart nothing moves any more.
    await page.locator('[data-metric="spend"]').waitFor();
    await page.locator('.lines .dot').nth(1).waitFor();
    await chart.scrollIntoViewIfNeeded();
    const box = (await page.locator('.scatter [data-mark="us 102"] path').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x - 40, y - 40);
    await page.mouse.down();
    await page.mouse.move(x, y);
    await page.mouse.move(x + 40, y + 40);
    await page.mouse.up();
    await page.waitForURL(/spend=.*acos=/);
    assert.deepEqual(await names(page, 'Campaigns'), ['SB | Store']);
    await link(page, 'Show all').click();
    await page.getByRole('button', { name: 'Set a target ACOS' }).click();
    await page.getByLabel('Target ACOS, %').fill('25');
    await page.keyboard.press('Enter');
    await page.waitForURL(/target=25/);
    await page.locator('.scatter').getByText('Target 25%').waitFor();
    await page.getByRole('button', { name: 'Show as a table: Where the money goes' }).click();
    const [first] = await shownIn(page, 'Where the money goes');
    assert.deepEqual(first, ['SP | Bottles', 'US', '$100', '20.0%', '$500']);
  });

  deepTest('the five stores with the most spend are shown, or why there are none', async () => {
    const { page } = await arrive('campaigns', '');
    await page.getByText('The 5 stores with the most spend, of 6.').waitFor();
    await page.getByLabel('Find a campaign').fill('90');
    await page.waitForURL(/q=90/);
    await counted(page, 4);
    assert.deepEqual(await names(page, 'Campaigns'), ['905', '904', '903', '902']);
    await page.goto(`/console/advertising?${period}&store=web`);
    await page.getByText('No advertising in these stores').waitFor();
    await page.goto('/console/advertising?from=2025-01-01&to=2026-03-14&store=us');
    await page.getByText('This period is too long').waitFor();
    await assertGood(page, 'too long a period', 'narrowFit');
  });

  deepTest('an address opened again shows the same; a failed part says so alone', async () => {
    const { page, problems } = await arrive('campaigns', 'store=us&sort=-acos&q=b');
    assert.deepEqual(await names(page, 'Campaigns'), ['SB | Store', 'SP | Bottles', 'SD | Barren']);
    await page.reload();
    assert.deepEqual(await names(page, 'Campaigns'), ['SB | Store', 'SP | Bottles', 'SD | Barren']);
    await page.route('**/account/data/advertising/**', (route) => route.abort());
    await page.goto(`/console/advertising/products?${period}&store=us`);
    await page.getByText('Could not load products.').first().waitFor();
    await page.locator('[data-metric="spend"]').waitFor();
    await page.unroute('**/account/data/advertising/**');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    assert.deepEqual(await names(page, 'Products'), ['Kettle']);
    for (const problem of problems.splice(0)) assert.match(problem, /net::ERR_FAILED/);
  });
});
