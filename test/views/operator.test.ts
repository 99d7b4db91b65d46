/** The operator's page of the console, in a real browser. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertGood, focused, onSite, tabPress, tabTo, type Visit } from '../browser.ts';
import { fixture } from '../facts.ts';
import type { Tenant } from '../harness.ts';
import { importDocument, importRows } from '../imports.ts';
import { deepTest, level, sampled } from '../level.ts';
import { makePerson } from '../visitors.ts';
import { figuresIn, textsOf } from './views.ts';

const titles = fixture('inventory.planning.header.txt').trimEnd();
const day = new Date().toISOString().slice(0, 10);

/** A document of stock: a line for each pair of a SKU and its available units. */
function stock(lines: readonly (readonly [sku: string, available: string])[]): string {
  const rows = lines.map(([sku, available]) => {
    const own = { 'snapshot-date': day, sku, asin: `B-${sku}`, available, marketplace: 'DE' };
    const product = { 'product-name': 'Pan', condition: 'New', currency: 'EUR' };
    const cells: Readonly<Record<string, string>> = { ...own, ...product };
    const line = titles.split('\t').map((title) => cells[title] ?? '');
    return line.join('\t');
  });
  return [titles, ...rows].join('\r\n');
}

/** Drops a document on an element, as from a folder of the visitor. */
async function drop(page: Page, target: Locator, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const carried = new DataTransfer();
      carried.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
      return carried;
    })()`,
  );
  await target.dispatchEvent('dragover', { dataTransfer });
  await target.dispatchEvent('drop', { dataTransfer });
}

onSite("the operator's page", { isOwn: true }, (site) => {
  let tenant: Tenant;

  before(async () => {
    const { world } = site;
    world.clock.now = Date.parse(`${day}T20:00:00Z`); // The same date in all zones of the stores.
    const store = { displayName: 'Germany', countryCode: 'DE', merchantId: 'A1X @ A1PA6795UKMFR9' };
    tenant = await world.tenant({
      channelId: 'shop-de',
      channel: { ...store, currency: 'EUR', timezone: 'UTC' },
    });
    await world.channel(tenant.organisationId, 'shop-us', { displayName: 'America' });
    await importRows(world, 'traffic', 'shop-us', [{ date: '2026-01-01', pageViews: 1 }]);
    const failed = await importDocument(
      world,
      'shop-de',
      stock([['S1', 'many']]),
      '&onError=abort',
    );
    assert.equal(failed.status, 400, JSON.stringify(failed.body));
    await addWaitingJob('shop-de');
  });
  /** Adds a job that no worker takes, because its lease never ends. */
  async function addWaitingJob(channelId: string): Promise<void> {
    const { records } = site.world.registry;
    const { channelNumber, organisationId } = await records
      .selectFrom('channel')
      .select(['channelNumber', 'organisationId'])
      .where('channelId', '=', channelId)
      .executeTakeFirstOrThrow();
    const own = { jobId: randomUUID(), kind: 'report', channelNumber, organisationId, owner: '' };
    const times = { createdAt: site.world.clock.now, leaseUntil: 8_000_000_000_000 };
    const job = { ...own, ...times, state: 'waiting', payload: '{}', attempts: 0 } as const;
    await records.insertInto('job').values(job).execute();
  }

  async function arrive(query = '', token = site.world.operatorToken): Promise<Visit> {
    const visit = await site.visit({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
    const { page } = visit;
    // The page reads the date in the zone of each store.
    await page.clock.setFixedTime(site.world.clock.now);
    await page.goto(`/console/operator${query}`);
    await page.getByLabel('Operator token').fill(token);
    await page.keyboard.press('Enter');
    return visit;
  }
  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const rowsOf = (page: Page, name: string) =>
    figuresIn(page.getByRole('region', { name: `${name}, table`, exact: true }), 'tbody tr');
  const sectionOf = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true });
  const headingOf = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true });
  /** Removes the problems that refusals cause on purpose. */
  const forgive = (visit: Visit, status: number) => {
    const remaining = visit.problems.filter((text) => !text.includes(`status of ${status}`));
    visit.problems.splice(0, Infinity, ...remaining);
  };

  test('the right token opens the page, which repairs, imports, and issues keys', async () => {
    const visit = await arrive('', 'wrong');
    const { page } = visit;
    await assertToken(visit);
    await assertRepairs(page);
    await sectionOf(page, 'Channels').click();
    await assertImport(page);
    await sectionOf(page, 'Users').click();
    await assertKeys(page);
    await sectionOf(page, 'Audit log').click();
    await assertSections(page);
  });
  deepTest(
    'a refused import is tried again with what it lacks; tax rates change figures',
    async () => {
      const visit = await arrive();
      await assertRetries(visit);
      await assertTaxRates(visit);
    },
  );

  /** A wrong token is refused, and the right one is never stored. */
  async function assertToken(visit: Visit): Promise<void> {
    const { page, context } = visit;
    await page.getByText('This token is not accepted.').waitFor();
    const field = page.getByLabel('Operator token');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await focused(field);
    await assertGood(page, 'the form of the token', 'all');
    forgive(visit, 401);
    await field.fill(site.world.operatorToken);
    await page.keyboard.press('Enter');
    await headingOf(page, 'To repair').waitFor();
    const stores = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])';
    assert.ok(!`${await page.evaluate(stores)}${page.url()}`.includes(site.world.operatorToken));
    assert.deepEqual(await context.cookies(), []);
    await page.reload();
    await page.getByLabel('Operator token').fill(site.world.operatorToken);
    await page.keyboard.press('Enter');
  }

  deepTest('a token without the scope is refused with the reason and what to do', async () => {
    const reader = { name: 'reader', scopes: ['read'] };
    const { token } = await site.world.operate('POST', '/operator/operators', reader);
    const visit = await arrive('?section=channels&channel=shop-de', token);
    const { page } = visit;
    await drop(page, part(page, 'Import documents').locator('.drop-place'), 'a.txt', 'a');
    const said = 'This operator token lacks the scope import. Leave, and enter a token';
    await page.getByText(said).waitFor();
    forgive(visit, 403);
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByLabel('Operator token').waitFor();
  });

  /** First comes what is to be repaired. */
  async function assertRepairs(page: Page): Promise<void> {
    const failed = (await rowsOf(page, 'Imports'))[0]!;
    assert.deepEqual(failed.slice(2, 4), ['shop-de', 'Failed']);
    const [stale] = await rowsOf(page, 'Stale stores');
    const missing = Math.round((Date.parse(day) - Date.parse('2026-01-02')) / 86_400_000);
    assert.deepEqual(stale!.slice(1), ['traffic', expectedDay('2026-01-01'), String(missing)]);
    await assertGood(page, 'what to repair', 'all');
    await part(page, 'Failed imports 1').locator('tbody a').first().click();
    await headingOf(page, 'Imports').waitFor();
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get('section'), 'imports');
    await page.goBack();
    await headingOf(page, 'To repair').waitFor();
  }

  /** A document dropped on a channel is imported; the recap is the API's answer. */
  async function assertImport(page: Page): Promise<void> {
    const row = page.locator('tr[data-key="shop-de"]');
    await row.waitFor();
    await drop(page, row, 'stock.txt', stock(Object.entries({ S1: '1', S2: 'many', S3: '3' })));
    const recap = part(page, 'stock.txt');
    await recap.getByText('Imported as').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('channel'), 'shop-de');
    const { imports } = await site.world.operate('GET', '/operator/imports?channelId=shop-de');
    const [newest] = imports;
    const path = `/operator/imports/${newest.importId}/rejected`;
    const { rejected } = await site.world.operate('GET', path);
    assert.ok(rejected.length > 0 && newest.rowsAccepted > 0, JSON.stringify(newest));
    const counts = await textsOf(recap.locator('dl.recap dd'));
    const { rowsRead, rowsAccepted, rowsMerged, rowsRejected, rowsSkipped } = newest;
    const answered = [rowsRead, rowsAccepted, rowsMerged, rowsRejected, rowsSkipped];
    assert.deepEqual(counts.slice(0, 5), answered.map(String));
    const shown = await rowsOf(page, 'Refused rows of stock.txt');
    type Rejected = { readonly line: number; readonly reason: string };
    const expected = rejected.map(({ line, reason }: Rejected) => [String(line), reason]);
    assert.deepEqual(shown, expected);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      recap.getByRole('button', { name: /^Download CSV/ }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8');
    assert.equal(csv.split('\r\n')[0], 'line,reason');
    assert.ok(csv.includes(`${rejected[0].line},`));
    if (level === 'deep') await assertGood(page, 'a channel with a recap', 'all');
    await recap.getByRole('link', { name: `Import ${newest.importId}` }).click();
    await part(page, `Import ${newest.importId}`).waitFor();
    await page.reload();
    await page.getByLabel('Operator token').fill(site.world.operatorToken);
    await page.keyboard.press('Enter');
    assert.deepEqual(await rowsOf(page, `Refused rows of import ${newest.importId}`), expected);
  }

  /** A refusal has fields for its remedies. Choices stay for the next one. */
  async function assertRetries(visit: Visit): Promise<void> {
    const { page } = visit;
    await sectionOf(page, 'Channels').click();
    await page.locator('tr[data-key="shop-de"] a').first().click();
    const upload = (name: string, text: string) =>
      page
        .getByLabel('Documents to import')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    const again = (recap: Locator) => recap.getByRole('button', { name: 'Import again' }).click();
    await upload('own.csv', 'date,currency,perEuro\n2026-01-02,TWD,37.05\n');
    const rates = part(page, 'own.csv');
    await rates.getByText('import them with “Rows of: exchangeRates”').waitFor();
    await again(rates);
    await rates.getByLabel('Channel', { exact: true }).selectOption('None');
    assert.equal(await rates.getByLabel('Rows of').inputValue(), 'exchangeRates');
    await again(rates);
    await rates.getByText('Imported as exchangeRates').waitFor();
    const titles = 'Date,Ordered Product Sales,Units ordered,Sessions - Total,Page Views - Total';
    await upload('month.csv', `${titles}\n2026-01-01,1.00 €,2,3,4\n`);
    const month = part(page, 'month.csv');
    await month.getByText('pass “First date: 2026-01-01” and “Last date: 2026-01-01”').waitFor();
    await month.getByLabel('Rows of several days').selectOption('Count on their last day');
    await again(month);
    await month.getByText('Imported as businessReport, Jan 1 to Jan 31').waitFor();
    forgive(visit, 400);
  }

  /** A rate of tax is saved where documents state none, and removed. */
  async function assertTaxRates(visit: Visit): Promise<void> {
    const { page } = visit;
    const order = {
      'amazon-order-id': 'A',
      'purchase-date': `${day}T10:00:00Z`,
      'order-status': 'Shipped',
      'last-updated-date': `${day}T10:00:00Z`,
      sku: 'S1',
      quantity: 1,
      currency: 'EUR',
      'item-price': '119.00',
      'item-tax': '',
    };
    const orders = [Object.keys(order), Object.values(order)].map((row) => row.join('\t'));
    await drop(
      page,
      part(page, 'Import documents').locator('.drop-place'),
      'o.txt',
      orders.join('\n'),
    );
    const panel = part(page, 'Tax rates');
    await panel.getByText('hold tax that no document states').waitFor();
    const save = panel.getByRole('button', { name: 'Save the rate' });
    await panel.getByRole('button', { name: 'Add a rate' }).click();
    for (const [typed, said] of [
      ['19,5', 'Enter a percentage with a point'],
      ['190', 'at most 100'],
      ['1.23456', 'at most 4 decimal places'],
    ] as const) {
      await panel.getByLabel('Rate in percent').fill(typed);
      await save.click();
      await panel.getByText(said).waitFor();
    }
    await panel.getByLabel('Rate in percent').fill('19');
    await save.click();
    await panel.getByText('hold tax that no document states').waitFor({ state: 'detached' });
    assert.deepEqual(await rowsOf(page, 'Tax rates'), [['All others', '19%', 'Always', 'Remove']]);
    await assertGood(page, 'the tax rates of a channel', level === 'deep' ? 'all' : 'some');
    await panel.getByRole('button', { name: 'Remove 19% of all others, Always' }).click();
    await panel.getByText('hold tax that no document states').waitFor();
  }

  /** Keys are issued and revoked by the keyboard alone. */
  async function assertKeys(page: Page): Promise<void> {
    await tabPress(page, page.getByRole('link', { name: /^Keys of / }));
    await headingOf(page, 'Keys').waitFor();
    await tabPress(page, page.getByRole('button', { name: 'Issue a key' }));
    await tabTo(page, page.getByLabel('Name'));
    await page.keyboard.type('Nightly sheet');
    await page.keyboard.press('Enter');
    const shown = part(page, 'The new key').locator('code');
    await shown.waitFor();
    const key = await shown.innerText();
    const listed = () => site.world.ask(key, 'POST', '/channels', {});
    assert.equal((await listed()).status, 200);
    await tabPress(page, page.getByRole('button', { name: /^Revoke Nightly sheet/ }));
    const consequence = page.getByText('It stops working at once.');
    await consequence.waitFor();
    if (level === 'deep') await assertGood(page, 'the question before a key is revoked', 'some');
    await page.getByRole('button', { name: 'Keep it' }).press('Enter');
    await consequence.waitFor({ state: 'detached' });
    assert.equal((await listed()).status, 200);
    await page.getByRole('button', { name: /^Revoke Nightly sheet/ }).press('Enter');
    await page.getByRole('button', { name: 'Revoke the key' }).press('Enter');
    await page.getByText(/^Revoked /).waitFor();
    assert.equal((await listed()).status, 403);
  }

  deepTest('an organisation and its first user are created', async () => {
    const { page } = await arrive('?section=organisations');
    await page.getByRole('button', { name: 'Create an organisation' }).click();
    await page.getByLabel('Name of the organisation').fill('Southwind');
    await page.getByRole('button', { name: 'Create the organisation' }).click();
    await part(page, 'Southwind').waitFor();
    await page.getByRole('link', { name: 'Users of Southwind' }).click();
    await page.getByText('Create one above.').waitFor();
    await page.getByRole('button', { name: 'Create a user' }).click();
    await page.getByLabel('E-mail').fill('first@southwind.example');
    await page.getByLabel('Role').selectOption('administrator');
    await assertGood(page, 'the form of a new user', 'some');
    await page.getByRole('button', { name: 'Create the user' }).click();
    await part(page, 'first@southwind.example').waitFor();
    const { searchParams } = new URL(page.url());
    const [organisationId, userId] = ['organisation', 'user'].map((one) => searchParams.get(one));
    const made = await site.world.operate('GET', `/operator/users/${userId}`);
    assert.deepEqual([made.role, made.organisationId], ['administrator', organisationId]);
    const { name } = await site.world.operate('GET', `/operator/organisations/${organisationId}`);
    assert.equal(name, 'Southwind');
  });

  deepTest('an organisation and a user are changed; who is locked out is helped', async () => {
    const { organisationId } = tenant;
    const { page } = await arrive(`?section=organisations&organisation=${organisationId}`);
    await page.getByLabel('Name').fill('Renamed');
    await page.getByLabel('Plan').selectOption('standard');
    await page.getByRole('button', { name: 'Save the organisation' }).click();
    await part(page, 'Renamed').waitFor();
    const path = `/operator/organisations/${organisationId}`;
    const { name, plan } = await site.world.operate('GET', path);
    assert.deepEqual([name, plan], ['Renamed', 'standard']);
    const { userId, email } = await makePerson(site.world, organisationId, { role: 'member' });
    await page.getByRole('link', { name: 'Users of Renamed' }).click();
    await page.getByRole('link', { name: new RegExp(`^${email}`) }).click();
    const panel = part(page, email);
    await panel.getByRole('checkbox', { name: /shop-us/ }).check();
    await panel.getByLabel('Role').selectOption('administrator');
    await panel.getByRole('button', { name: 'Save the user' }).click();
    await panel.getByText('Saved.').waitFor();
    const changed = await site.world.operate('GET', `/operator/users/${userId}`);
    assert.deepEqual([changed.role, changed.channelIds], ['administrator', ['shop-us']]);
    await assertGood(page, 'a user', 'some');
    await panel.getByRole('button', { name: 'Password link' }).click();
    await page.getByRole('button', { name: 'Issue the link' }).click();
    const link = part(page, 'The password link').locator('code');
    assert.match(await link.innerText(), /\/console\/password#vit_link_/);
    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the user' }).click();
    await panel.waitFor({ state: 'detached' });
    const gone = await site.world.operator('GET', `/operator/users/${userId}`);
    assert.equal(gone.status, 404);
  });

  deepTest('jobs are narrowed by their state, and one that waits is cancelled', async () => {
    const { page } = await arrive('?section=jobs');
    await page.getByRole('navigation', { name: 'State' }).getByText('Waiting').click();
    await page.waitForURL(/state=waiting/);
    const name = 'Cancel the job Report of shop-de';
    await tabPress(page, page.getByRole('button', { name }));
    await page.getByRole('button', { name: 'Cancel the job', exact: true }).click();
    await page.getByText('No jobs here').waitFor();
    await page.getByRole('navigation', { name: 'State' }).getByText('Failed').click();
    await page.getByText('cancelled by the operator of the service').waitFor();
    const { jobs } = await site.world.operate('GET', '/operator/jobs');
    assert.deepEqual([jobs.length, jobs[0].state], [1, 'failed']);
  });

  /** Every section is accessible, and the audit log is narrowed by its links. */
  async function assertSections(page: Page): Promise<void> {
    const log = page.getByRole('region', { name: 'Audit log, table' });
    await log.getByRole('link', { name: 'saveChannel' }).first().click();
    await page.waitForURL(/action=saveChannel/);
    await page.getByRole('link', { name: 'No longer only action saveChannel' }).waitFor();
    const { total } = await site.world.operate('GET', '/operator/audit?action=saveChannel');
    assert.equal((await rowsOf(page, 'Audit log')).length, total);
    const others = ['Imports', 'Jobs', 'Channels', 'Organisations', 'Users', 'Keys'];
    for (const name of sampled(['Audit log', ...others], 3)) {
      await sectionOf(page, name).click();
      await headingOf(page, name).waitFor();
      await page.getByRole('region', { name: `${name}, table` }).waitFor();
      await assertGood(page, name, 'all');
    }
  }
});

/** A day as the page writes it. */
function expectedDay(date: string): string {
  const year = date.startsWith(day.slice(0, 4)) ? undefined : 'numeric';
  const style = { day: 'numeric', month: 'short', year, timeZone: 'UTC' } as const;
  return new Date(date).toLocaleDateString('en-US', style);
}
