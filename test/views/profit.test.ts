/** The view of profit in the console, in a real browser. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertGood, focused, onSite, tabPress, tabTo } from '../browser.ts';
import type { Tenant } from '../harness.ts';
import { importDocument } from '../imports.ts';
import { deepTest } from '../level.ts';
import { principal, row as rowOf, settlementOf } from '../settlements.ts';
import { askView, compared } from '../world.ts';
import { figuresIn, importStores, makeStores, makeVendor, signedIn } from './views.ts';

const period = 'from=2026-03-01&to=2026-03-14&zone=UTC&currency=EUR';
/** The same days, as a key asks for them. */
const input = compared('2026-03-01', '2026-03-14', ['2026-02-15', '2026-02-28']);

onSite('the view of profit', {}, (site) => {
  let tenant: Tenant;
  let email: string;

  before(async () => {
    const { world } = site;
    world.clock.now = Date.now();
    ({ tenant, email } = await makeStores(world, 'profit'));
    await makeVendor(world, tenant, 'profit-vendor');
    await importStores(world, import.meta.url, 'profit.facts.txt');
  });

  const arrive = (query = '') =>
    signedIn(site, email, `/console/profit?${period}${query}`, 'From sales to net profit');

  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const products = (page: Page) => page.getByRole('region', { name: 'Products, table' });
  const row = (page: Page, sku: string) => products(page).locator(`tr[data-key="${sku}"]`);
  const titles = async (page: Page) => {
    await products(page).waitFor();
    const rows = products(page).locator('tbody tr');
    return rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-key')));
  };

  test('figures are those that a key gets, and what is chosen is in the address', async () => {
    const { page } = await arrive();
    const answer = await askView(site.world, tenant.key, 'profitByPeriod', {
      channelIds: ['profit-de', 'profit-us'],
      currentCurrency: 'EUR',
      reportOptions: { ...input, interval: 'y' },
    });
    const [row] = answer.formattedChartData;
    const shown = await figuresIn(part(page, 'Profit and loss, table'), 'tr[data-line]');
    const line = (name: string) =>
      shown.find(([title]) => title === name)!.map((text) => text.replace('−', '-'));
    const euros = (text: string, sign = 1) => {
      const value = sign * Number(text);
      const digits = Math.abs(value) >= 100 || value === 0 ? 0 : 2;
      const precision = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      return value.toLocaleString('en-US', { style: 'currency', currency: 'EUR', ...precision });
    };
    assert.equal(line('Sales')[2], euros(row.sales));
    assert.equal(line('Refunds and returns')[2], euros(row.refunds));
    assert.equal(line('Selling fees')[2], euros(row.sellingFees, -1));
    assert.equal(line('Fulfilment and shipping')[2], euros(row.shippingFees, -1));
    assert.equal(line('Advertising')[2], euros(row.advertisingSpend, -1));
    assert.equal(line('Cost of goods')[2], euros(row.cogs, -1));
    assert.equal(line('Net profit')[2], euros(row.netProfit));
    // 1000 + 200 + 50 and 125 dollars at 1.25 are 1350; their cost is 600 + 180 + 20.
    assert.deepEqual(line('Sales').slice(2, 4), ['€1,350', '100.0%']);
    assert.deepEqual(line('Cost of goods').slice(2, 4), ['-€800', '-59.3%']);
    const margin = page.locator('[data-metric="margin"]');
    assert.equal(await margin.innerText(), `${row.margin}% of revenue`);
    const sales = euros(row.salesWithoutUnitCosts);
    await page.getByText(`1 product had no unit cost. Its ${sales} of sales`).waitFor();
    await page.getByText('Vendor stores have no profit and loss').waitFor();
    const margins = await figuresIn(part(page, 'Margin by store, table'), 'tbody tr');
    const shownOf = margins.map(([name, part]) => `${name!.replace(/^\w\w\s*/, '')} ${part}`);
    assert.deepEqual(shownOf, ['Germany 9.6%', 'America 80.0%']);
    await assertGood(page, 'profit', 'all');
    await assertAddresses(page);
  });

  /** Lines, metrics and parts are in the address, and the way back leads through them. */
  async function assertAddresses(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'All lines' }).click();
    await page.getByRole('rowheader', { name: 'Revenue', exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Totals' }).getByText('Margin').click();
    await part(page, 'Margin by day').waitFor();
    await page.getByRole('link', { name: 'Week', exact: true }).click();
    await part(page, 'Margin by week').waitFor();
    const { searchParams } = new URL(page.url());
    const chosen = ['lines', 'metric', 'interval'].map((name) => searchParams.get(name));
    assert.deepEqual(chosen, ['all', 'margin', 'w']);
    await page.reload();
    await page.getByRole('button', { name: 'Show as a table: Margin by week' }).click();
    const weeks = await figuresIn(part(page, 'Margin by week, table'), 'tbody tr');
    // Before the 9th: 100 of 900. From then on 50 of 50, -40 of 200 and 80 of 100.
    const margins = weeks.map(([, margin]) => margin);
    assert.deepEqual(margins, ['–', '11.1%', '25.7%']);
    await page.goBack();
    await part(page, 'Margin by day').waitFor();
    await page.goBack();
    await part(page, 'Net profit by day').waitFor();
    await page.goBack();
    await page.getByRole('rowheader', { name: 'Reimbursements' }).waitFor({ state: 'detached' });
  }

  deepTest('products: at a loss, without a cost, sorted, searched, of each store', async () => {
    const { page } = await arrive();
    // The store that sells most comes first; 200 - 60 - 180 is a loss of 40.
    assert.deepEqual(await titles(page), ['ROPE']);
    const [loss] = await figuresIn(products(page), 'tbody tr');
    assert.deepEqual([loss![1], loss![2], loss![4]], ['−€40.00', '−20.0%', '€200']);
    await page.getByRole('link', { name: 'Show them' }).click();
    await row(page, 'MUG').waitFor();
    assert.deepEqual(await titles(page), ['MUG']);
    await page.getByRole('link', { name: /^All 3/ }).click();
    await row(page, 'TENT').waitFor();
    assert.deepEqual(await titles(page), ['ROPE', 'MUG', 'TENT']);
    await products(page).getByRole('link', { name: 'Sales' }).click();
    assert.deepEqual(await titles(page), ['TENT', 'ROPE', 'MUG']);
    const head = products(page).getByRole('columnheader', { name: 'Sales' });
    assert.equal(await head.getAttribute('aria-sort'), 'descending');
    await page.getByLabel('Title or SKU').fill('u');
    await page.waitForURL(/q=u/);
    assert.deepEqual(await titles(page), ['MUG']);
    await page.getByLabel('Title or SKU').fill('nothing like it');
    await page.getByText('No product matches').waitFor();
    await page.getByRole('link', { name: 'Show all', exact: true }).click();
    await page.getByRole('button', { name: 'Germany', exact: true }).click();
    await page.getByRole('link', { name: 'America USD' }).click();
    await row(page, 'LAMP').waitFor();
    const [lamp] = await figuresIn(products(page), 'tbody tr');
    assert.deepEqual([lamp![1], lamp![2], lamp![4]], ['$100', '80.0%', '$125']);
  });

  deepTest('50 products are on a page, of all that the store has', async () => {
    const month = 'from=2026-01-01&to=2026-01-31&zone=UTC&store=profit-us&part=all&sort=-sales';
    const { page } = await signedIn(site, email, `/console/profit?${month}`, 'Products');
    await page.getByText('60 products, $2,370 net.').waitFor();
    const first = await titles(page);
    assert.deepEqual([first.length, first[0], first[49]], [50, 'S69', 'S20']);
    await page.getByRole('link', { name: 'Next page' }).click();
    await row(page, 'S10').waitFor();
    assert.equal((await titles(page)).length, 10);
    assert.equal(new URL(page.url()).searchParams.get('page'), '2');
    await page.goBack();
    await row(page, 'S69').waitFor();
  });

  deepTest('the keyboard alone reaches the figures', async () => {
    const { page } = await arrive('&part=all&of=profit-de');
    await products(page).waitFor();
    await assertGood(page, 'profit', 'all');
    const chart = page.getByRole('application', { name: /^Net profit, chart/ });
    await tabTo(page, chart);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const said = page.getByText(/^Mon, Mar 2: €100\.?/);
    await said.first().waitFor({ state: 'attached' });
    const sort = products(page).getByRole('link', { name: 'Margin' });
    await tabPress(page, sort);
    await page.waitForURL(/sort=-margin/);
    await focused(sort);
    assert.deepEqual(await titles(page), ['MUG', 'TENT', 'ROPE']);
  });

  deepTest('without events it says what brings them; one panel may fail alone', async () => {
    const empty = '/console/profit?from=2020-01-01&to=2020-01-31&zone=UTC&currency=EUR';
    const visit = await signedIn(site, email, empty, 'No financial events in this period');
    await visit.page.goto(`/console/profit?${period.replace('EUR', 'XTS')}&part=all`);
    await visit.page.getByText('Could not load the profit and loss.').waitFor();
    await products(visit.page).waitFor();
    assert.equal(await visit.page.getByRole('alert').count(), 2);
  });

  deepTest('an unknown code is named by its owner, and the figures follow', async () => {
    // Of days that no other test looks at.
    const rows = [principal('100.00'), rowOf('Order|ItemFees|Moon fee', '-30.00')];
    const document = settlementOf('70.00', ...rows);
    assert.equal((await importDocument(site.world, 'profit-us', document)).status, 200);
    const march = 'from=2025-03-01&to=2025-03-31&zone=UTC&currency=USD&store=profit-us';
    const title = 'Codes that Vitrine does not know';
    const { page } = await signedIn(site, email, `/console/profit?${march}`, title);
    await assertGood(page, 'profit', 'all');
    const shipping = page.getByRole('combobox', { name: 'What Order/ItemFees/Moon fee is' });
    await page.getByText('1 code counts by sign').waitFor();
    await shipping.selectOption('Only moves money');
    await page.getByText('All of them have been named.').waitFor();
    await page.getByText('$100', { exact: true }).first().waitFor();
  });
});
