/** The view of CSV reports, in a real browser: its files are those that a key downloads. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { Refusal } from '../../src/contract/refusal.ts';
import { reportTypes } from '../../src/contract/reports.ts';
import { reports } from '../../src/endpoints/reports/create/reports.ts';
import { assertGood, onSite, tabPress, tabTo, type Visit } from '../browser.ts';
import { clockStart, type Tenant } from '../harness.ts';
import { importRows } from '../imports.ts';
import { deepTest } from '../level.ts';
import { fileOf } from '../reports.ts';
import { makePerson } from '../visitors.ts';
import { cookieOf } from './views.ts';

const zone = 'America/Los_Angeles';
/** Seconds at which a day of January 2026 begins there. */
const start = (day: number) => Date.UTC(2026, 0, day, 8) / 1000;
const day = (at: number) => new Date(start(at) * 1000).toISOString().slice(0, 10);
const reason = 'the report has more rows than a file may have: choose a shorter period';

/** Ends reports of shipped revenue, which wait for it. */
const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
const rows = async () => {
  await failed;
  throw new Refusal(400, reason);
};
const failing = { reports: { ...reports, shippedRevenue: { ...reports.shippedRevenue, rows } } };

onSite('the view of reports', failing, (site) => {
  let tenant: Tenant;
  let vendor: string;
  let email: string;

  before(async () => {
    const { world } = site;
    const settings = { timezone: zone, hasAdvertisingConnected: false };
    tenant = await world.tenant({
      organisation: { name: 'Northwind', plan: 'enterprise' },
      channelId: 'seller',
      channel: { ...settings, displayName: 'Northwind US' },
    });
    const channel = { ...settings, displayName: 'Northwind Vendor', kind: 'vendor' } as const;
    vendor = await world.channel(tenant.organisationId, 'vendor', channel);
    await importRows(world, 'traffic', tenant.channelId, [
      { date: day(1), sku: 'A', sessions: 30, pageViews: 60, buyBoxPercentage: 75 },
      { date: day(8), sku: 'A', sessions: 40, pageViews: 80, buyBoxPercentage: 80 },
      { date: day(14), sku: 'B', sessions: 20, pageViews: 30, buyBoxPercentage: 90 },
    ]);
    ({ email } = await makePerson(world, tenant.organisationId));
  });

  /** Opens the view as the owner, at the time of the world. */
  async function open(query = ''): Promise<Visit> {
    const visit = await site.visit({ locale: 'en-US', timezoneId: zone });
    await visit.context.addCookies([await cookieOf(site, email)]);
    await visit.page.clock.setFixedTime(clockStart);
    await visit.page.goto(`/console/reports${query}`);
    await visit.page.getByRole('heading', { name: 'New report' }).waitFor();
    return visit;
  }

  const pick = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const create = (page: Page) => page.getByRole('button', { name: 'Create report' });
  const region = (page: Page, name: RegExp) => page.getByRole('region', { name });
  const query = (page: Page) => new URL(page.url()).search;
  const firstRow = (within: Locator) => within.locator('tbody tr').first();

  test('a report is created, comes to be done, and its file is that of a key', async () => {
    const { page } = await open('?period=7d');
    await page.getByText('No files yet').waitFor();
    await pick(page, 'Report').selectOption('trafficAndConversion');
    await page.waitForURL(/report=trafficAndConversion/);
    await pick(page, 'Rows').selectOption('skus');
    await page.waitForURL(/view=skus/);
    assert.equal(query(page), '?period=7d&report=trafficAndConversion&view=skus');
    await create(page).click();
    const files = region(page, /^Files/);
    const button = files.getByRole('button', { name: /^Download CSV: trafficAndConversion-/ });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const text = await readFile(await download.path(), 'utf8');
    const week = { fromDate: start(8), toDate: start(15) - 1, timezone: zone };
    const prior = { priorFromDate: start(1), priorToDate: start(8) - 1 };
    const options = { ...week, ...prior, view: 'skus' };
    const file = await fileOf(site.world, tenant, 'trafficAndConversion', options);
    assert.equal(text, file.toString());
    assert.equal(download.suggestedFilename(), await button.getAttribute('title'));

    await page.reload();
    await button.first().waitFor();
    assert.equal(await pick(page, 'Rows').inputValue(), 'skus');
    await page.goBack();
    assert.equal(await pick(page, 'Rows').inputValue(), 'parents');
    assert.equal(query(page), '?period=7d&report=trafficAndConversion');

    await pick(page, 'File').selectOption('parquet');
    await page.waitForURL(/format=parquet/);
    await create(page).click();
    const typed = files.getByRole('button', { name: /^Download Parquet: trafficAndConversion-/ });
    const [second] = await Promise.all([page.waitForEvent('download'), typed.click()]);
    const bytes = await readFile(await second.path());
    assert.equal(bytes.subarray(0, 4).toString(), 'PAR1');
    assert.equal(second.suggestedFilename(), await typed.getAttribute('title'));
    await assertGood(page, 'reports');
  });

  deepTest('what runs stands first, and a report that failed says why', async () => {
    const { page } = await open('?report=shippedRevenue');
    assert.equal(await pick(page, 'Store').inputValue(), vendor);
    await create(page).click();
    const underWay = region(page, /^Under way/);
    const shown = await firstRow(underWay).innerText();
    assert.match(shown, /Shipped revenue[\s\S]*(Waiting|Running)[\s\S]*Vendor/);
    fail();
    await underWay.waitFor({ state: 'detached' });
    const row = region(page, /^Files/).locator('tbody tr', { hasText: 'Shipped revenue' });
    await row.getByText('Failed').waitFor();
    assert.match(await row.innerText(), new RegExp(reason, 'i'));
    await page.getByRole('searchbox').fill('nothing');
    await page.getByText('No such file').waitFor();
    await page.getByRole('searchbox').fill('vendor');
    await page.getByText('Failed').waitFor();
    assert.equal(query(page), '?report=shippedRevenue&q=vendor');
  });

  deepTest('every type of report is offered, with the stores that have it', async () => {
    const { page } = await open();
    for (const type of reportTypes) {
      await page.goto(`/console/reports?report=${type}`);
      const { channelKind } = reports[type];
      if (channelKind === 'advertised') {
        await page.getByText('None of your stores has advertising').waitFor();
        continue;
      }
      await create(page).waitFor();
      const options = pick(page, 'Store').locator('option');
      const stores = await options.evaluateAll((all) =>
        all.map((one) => one.getAttribute('value')),
      );
      const suited = { seller: [tenant.channelId], vendor: [vendor] };
      const expected = suited[channelKind as 'seller' | 'vendor'] ?? [tenant.channelId, vendor];
      assert.deepEqual(stores.sort(), expected.sort());
    }
    await page.goto('/console/reports?report=nonsense');
    await page.getByText('The address names the report nonsense').waitFor();
  });

  deepTest('by the keyboard alone, readable and fitting in both themes', async () => {
    const { page } = await open('?report=inventoryReplenishment');
    await tabPress(page, create(page));
    const file = page.getByRole('button', { name: /^Download CSV: inventory/ });
    await tabTo(page, file, 'Shift+Tab');
    const downloaded = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const download = await downloaded;
    assert.match(await readFile(await download.path(), 'utf8'), /^[\w,]*sku/);
    await assertGood(page, 'reports');
  });
});
