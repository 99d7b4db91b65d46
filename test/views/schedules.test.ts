/** The page of schedules, in a real browser. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertGood, onSite } from '../browser.ts';
import type { Tenant } from '../harness.ts';
import { deepTest } from '../level.ts';
import { makePerson } from '../visitors.ts';
import { importFacts } from '../world.ts';
import { figuresIn, signedIn } from './views.ts';

onSite('the page of schedules', {}, (site) => {
  let tenant: Tenant;
  let email: string;

  before(async () => {
    site.world.clock.now = Date.parse('2026-11-21T12:00:00Z');
    tenant = await site.world.tenant();
    const orderLines = `
      orderId, lineId, purchasedAt,          sku, quantity, itemPrice, currency
      "1",     "1",    2026-11-12T20:00:00Z, A,   2,        10,        USD`;
    await importFacts(site.world, tenant.channelId, { orderLines });
    ({ email } = await makePerson(site.world, tenant.organisationId));
  });

  const rowsOf = (page: Page, name: string) =>
    figuresIn(page.getByRole('region', { name: `${name}, table`, exact: true }), 'tbody tr');
  const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const listed = async () => (await site.world.ask(tenant.key, 'GET', '/schedules')).body.schedules;

  test('one is created, run, paused and deleted; its file is downloaded', async () => {
    const { page } = await signedIn(site, email, '/console/settings/schedules', 'Schedules');
    await page.getByText('No schedules yet').waitFor();
    await act(page, 'Create schedule');
    await page.getByText('Enter a name.').waitFor();
    await page.getByLabel('Name').fill('Monday');
    await page.getByLabel('When').selectOption('By a cron expression');
    await page.getByLabel('Cron expression').fill('0 0 31 2 *');
    await page.getByLabel('Time zone').selectOption('America/Los_Angeles');
    await act(page, 'Create schedule');
    await page.getByText('cron is never due').waitFor();
    await page.getByLabel('When').selectOption('Every Monday');
    await page.getByLabel('At').selectOption('06:00');
    await page.getByLabel('Send to').fill('one@acme.example, two@acme.example');
    await act(page, 'Create schedule');
    await page.getByRole('link', { name: 'Monday' }).waitFor();
    const [{ cron, timezone, operation, period, parameters, emails }] = await listed();
    assert.deepEqual([cron, timezone, period], ['0 6 * * 1', 'America/Los_Angeles', 'lastWeek']);
    assert.equal(operation, 'viewSalesByChannel');
    assert.deepEqual(parameters, { currentCurrency: 'USD', pageSize: 100 });
    assert.deepEqual(emails, ['one@acme.example', 'two@acme.example']);
    const [row] = await rowsOf(page, 'Schedules');
    assert.match(row![0]!, /^Monday\s*Sales of all stores$/);
    assert.equal(row![1], 'Enabled');
    assert.match(row![2]!, /^Every Monday, 06:00\s*America\/Los Angeles$/);

    await act(page, 'Run now: Monday');
    await page.getByRole('link', { name: 'Monday' }).click();
    const download = page.getByRole('button', { name: /^Download: / });
    await download.waitFor();
    const [run] = await rowsOf(page, 'Runs');
    assert.equal(run![1], 'Done');
    assert.equal(run![3], 'the operator has not set up e-mail');
    await assertGood(page, 'schedules with a run', 'all');
    const saving = page.waitForEvent('download');
    await download.click();
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), 'viewSalesByChannel-2026-11-21.csv');
    assert.match(
      await readFile((await saved.path())!, 'utf8'),
      /,USD,10,0,1,0,orders,orders,10,0,2,0,/,
    );

    site.world.clock.now += 60_000;
    await act(page, 'Run now: Monday');
    await page.getByRole('region', { name: 'Runs, table' }).getByText('Done').nth(1).waitFor();

    await act(page, 'Pause: Monday');
    await page.getByText('Paused', { exact: true }).waitFor();
    assert.equal((await listed())[0].state, 'paused');
    await act(page, 'Delete: Monday');
    await act(page, 'Delete for good: Monday');
    await page.getByText('No schedules yet').waitFor();
    assert.deepEqual(await listed(), []);
  });

  deepTest('a schedule of a report names its store', async () => {
    const { page } = await signedIn(site, email, '/console/settings/schedules', 'Schedules');
    await page.getByLabel('Name').fill('Traffic');
    await page.getByLabel('Report').selectOption('Traffic and conversion');
    await page.getByLabel('Period').selectOption('The month so far');
    await page.getByLabel('When').selectOption('Every day');
    await act(page, 'Create schedule');
    await page.getByRole('link', { name: 'Traffic' }).waitFor();
    const [{ operation, parameters, period }] = await listed();
    const { channelId, merchantId } = tenant;
    const input = { channelId, merchantId, reportOptions: { view: 'parents' } };
    assert.equal(operation, 'createTrafficAndConversionReport');
    assert.deepEqual([parameters, period], [input, 'monthToDate']);
  });
});
