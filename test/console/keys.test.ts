/**
 * The page of the API: keys are hidden until requested, usage agrees with the operator's counts,
 * and parts may fail alone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { endpoints } from '../../src/endpoints/handlers.ts';
import { assertFocusSeen, assertGood, focused } from '../browser.ts';
import { sum } from '../business.ts';
import { examples } from '../examples.ts';
import { deepTest, level } from '../level.ts';
import { cookieOf, figuresIn, heldRequests } from '../views/views.ts';
import { makePerson, password, visit as visitWithoutBrowser } from '../visitors.ts';
import {
  arrive,
  assertRefused,
  auditOf,
  button,
  enter,
  field,
  forgive,
  issueKey,
  issueLink,
  keyText,
  minute,
  onAccountPages,
  person,
  type Sent,
  send,
  signInAtPage,
  title,
} from './people.ts';

const day = 1_440 * minute;

/** With an operation that fails as its request wants. */
const withExample = { endpoints: [...endpoints, examples[0]!] };

onAccountPages('the page of keys and usage', withExample, (site) => {
  test('the key is hidden, revealed, copied and hidden; the audit log has each', async () => {
    const somebody = await person(site);
    const { keyId, key } = await issueKey(site, somebody);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await arrive(site, somebody.email, undefined, { permissions });
    const masked = `vit_••••${key.slice(-4)}`;
    await keyText(page).waitFor();
    assert.equal(await keyText(page).innerText(), masked);
    assert.ok(!(await page.content()).includes(key));
    assert.deepEqual((await auditOf(site, keyId)).length, 1);

    await button(page, 'Reveal').click();
    await page.getByText(key, { exact: true }).waitFor();
    await page.getByText(`x-api-key: ${key}`).waitFor();
    if (level === 'deep') await assertGood(page, 'a key that is shown');
    await button(page, 'Copy').first().click();
    await page.getByText('Key copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    await button(page, 'Hide').click();
    await page.getByText(masked).first().waitFor();
    assert.ok(!(await page.content()).includes(key));
    await page.evaluate('navigator.clipboard.writeText("")');
    await button(page, 'Copy').first().click();
    await page.getByText('Key copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    assert.equal(await keyText(page).innerText(), masked);
    const revealed = { actor: somebody.userId, action: 'revealKey' };
    const issued = { actor: 'operator', action: 'issueKey' };
    assert.deepEqual(await auditOf(site, keyId), [revealed, revealed, issued]);
  });

  deepTest('a smaller key is made for an assistant, and revoked', async () => {
    const somebody = await person(site);
    await issueKey(site, somebody);
    const { page } = await arrive(site, somebody.email);
    await button(page, 'Make a smaller key').click();
    await field(page, 'Name').fill('Claude');
    await button(page, 'Make the key').click();
    await page.getByText('figures', { exact: true }).waitFor();
    await assertGood(page, 'a smaller key');
    await page.getByRole('button', { name: /^Revoke Claude/ }).click();
    await button(page, 'Revoke the key').click();
    await page.getByText('figures', { exact: true }).waitFor({ state: 'detached' });
  });

  deepTest('a quarter of an hour after sign-in, a key is shown after the password', async () => {
    const somebody = await person(site);
    const { keyId, key } = await issueKey(site, somebody);
    const { page } = await arrive(site, somebody.email);
    site.world.clock.now += 15 * minute - 1000;
    await button(page, 'Reveal').click();
    await page.getByText(key, { exact: true }).waitFor();
    await button(page, 'Hide').click();
    site.world.clock.now += 1000;

    const dialog = page.getByRole('dialog', { name: 'Enter your password' });
    await button(page, 'Reveal').click();
    await dialog.waitFor();
    await focused(field(dialog, 'Password'));
    await assertGood(page, 'the password is required again');
    await button(dialog, 'Cancel').click();
    await dialog.waitFor({ state: 'hidden' });
    await focused(button(page, 'Reveal'));
    await button(page, 'Reveal').click();
    await field(dialog, 'Password').fill('a wrong password');
    await button(dialog, 'Continue').click();
    await assertRefused(page, field(dialog, 'Password'), /the password is wrong/i);
    await assertGood(page, 'a wrong password once more', 'narrow');
    assert.equal((await auditOf(site, keyId)).length, 2);
    await field(dialog, 'Password').fill(password);
    await button(dialog, 'Continue').click();
    await page.getByText(key, { exact: true }).waitFor();
    assert.ok(await dialog.isHidden());
    assert.equal((await auditOf(site, keyId)).length, 3);
  });

  deepTest('usage agrees with the operator’s in every form, and requests are listed', async () => {
    const { world } = site;
    const today = world.clock.now;
    const somebody = await person(site, { plan: 'standard' });
    const colleague = { ...somebody, ...(await makePerson(world, somebody.organisationId)) };
    const { key } = await issueKey(site, somebody, { perDay: 11 });
    const { key: foreign } = await issueKey(site, colleague);
    const sent: Sent[] = [];
    const ask = async (statuses: readonly number[], path: string, body?: unknown) => {
      for (const status of statuses) {
        const answer = await send(site, key, path, body);
        assert.equal(answer.status, status);
        sent.unshift(answer);
      }
    };
    world.clock.now = today - 29 * day;
    await ask([200, 200, 200], '/channels');
    world.clock.now = today - 30 * day;
    await send(site, key, '/channels');
    world.clock.now = today;
    await ask([400, 400], '/reports/view/salesByPeriod');
    await ask([401], '/orders/primarymkt');
    await ask([200, 200, 200], '/say', { how: 'well' });
    await ask([500], '/say', { how: 'fails' });
    await ask([503], '/say', { how: 'later' });
    await ask([200, 200, 200, 429, 429], '/channels');
    const others = [await send(site, foreign, '/channels'), await send(site, foreign, '/channels')];

    const timezoneId = 'America/Los_Angeles';
    const { page } = await arrive(site, somebody.email, undefined, { timezoneId });
    const query = `userId=${somebody.userId}&pageSize=100`;
    const { usage } = await world.operate('GET', `/operator/usage?${query}`);
    type Counts = Record<'requests' | 'refused' | 'limited' | 'failed', number>;
    type Row = Counts & { date: string; operation: string };
    const sums = (rows: readonly Row[]) => {
      const of = (name: keyof Counts) => sum(rows, name);
      const others = [of('refused'), of('limited'), of('failed')];
      const answered = of('requests') - sum(others, Number);
      return [of('requests'), answered, ...others].map(String);
    };
    assert.deepEqual(sums(usage), ['16', '9', '3', '2', '2']);
    await page.getByRole('heading', { name: 'Requests by day' }).waitFor();
    assert.deepEqual(await page.locator('.outcomes .value').allInnerTexts(), sums(usage));
    await page.getByText('11 of 11', { exact: true }).waitFor();

    const figures = async (name: string, headOf: (row: Locator) => Promise<string | null>) => {
      const table = page.getByRole('region', { name: `${name}, table` });
      await button(page, `Show as a table: ${name}`).click();
      await table.waitFor();
      const rows = await table.locator('tbody tr').all();
      const cells = new Map<string, string[]>();
      for (const row of rows)
        cells.set((await headOf(row))!, await row.locator('td').allInnerTexts());
      await button(page, `Show as a chart: ${name}`).click();
      return cells;
    };
    const calls: Readonly<Record<string, string>> = {
      listChannels: 'POST /channels',
      viewSalesByPeriod: 'POST /reports/view/salesByPeriod',
      listOrders: 'POST /orders/primarymkt',
      say: 'POST /say',
    };
    const grouped = (of: (row: Row) => string) =>
      [...Map.groupBy(usage as Row[], of)].map(([name, rows]) => [name, sums(rows)] as const);
    const dayOf = (row: Locator) => row.locator('th time').getAttribute('datetime');
    const byDay = await figures('Requests by day', dayOf);
    assert.equal(byDay.size, 30);
    const daysExpected = new Map<string, string[]>();
    for (let ago = 0; ago < 30; ago += 1)
      daysExpected.set(new Date(today - ago * day).toISOString().slice(0, 10), Array(5).fill('0'));
    for (const [date, row] of grouped(({ date }) => date)) daysExpected.set(date, row);
    assert.deepEqual([...byDay], [...daysExpected]);
    const byOperation = await figures('Requests by call', (row) => row.locator('th').innerText());
    const callsExpected = grouped(({ operation }) => calls[operation] ?? `${operation}?`);
    assert.deepEqual([...byOperation].sort(), callsExpected.sort());

    // The same figures by the accessible texts of the charts.
    const bars = await page.locator('.calls li').allTextContents();
    for (const [call, [requests]] of byOperation)
      assert.ok(bars.includes(`${call}${requests}`), bars.join('\n'));
    const slider = page.getByRole('slider', { name: 'Day' });
    await slider.focus();
    const said = async () => (await slider.getAttribute('aria-valuetext'))!;
    assert.match(await said(), /: 13 requests: 6 answered, 3 refused, 2 limited, 2 failed$/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await said(), /: no requests$/);
    await page.keyboard.press('Home');
    assert.match(await said(), /: 3 requests: 3 answered$/);

    await button(page, 'Refresh latest requests').click();
    const list = page.getByRole('region', { name: 'Latest requests, table' });
    await list.getByText(sent[0]!.requestId).waitFor();
    const rows = await figuresIn(list, 'tbody tr');
    // Requests of a month ago are no longer stored one by one.
    const first = (text: string | undefined) => text?.split(/\s/)[0];
    assert.deepEqual(
      rows.map(([, status, , , , requestId]) => `${first(status)} ${first(requestId)}`),
      sent.slice(0, 13).map(({ status, requestId }) => `${status} ${requestId}`),
    );
    const called = [calls.listChannels, calls.say, calls.listOrders, calls.viewSalesByPeriod];
    const expected = [5, 5, 1, 2].flatMap((times, place) => Array(times).fill(called[place]));
    const shown = rows.map(([, , call]) => call);
    assert.deepEqual(shown, expected);
    for (const [, , , , duration] of rows) assert.match(duration!, /^\d+ ms$|^\d\.\d s$/);
    for (const { requestId } of others) assert.ok(!(await page.content()).includes(requestId));
    await assertGood(page, 'usage', 'all');
  });

  deepTest('several keys have names; usage adds them up, and refusals name them', async () => {
    const somebody = await person(site, { plan: 'standard' });
    const { key } = await issueKey(site, somebody, { perDay: 50 });
    const named = { userId: somebody.userId, name: 'Nightly reports' };
    const other = await site.world.operate('POST', '/operator/keys', named);
    site.world.clock.now += 1;
    const trial = { ...named, name: 'Trial' };
    const gone = await site.world.operate('POST', '/operator/keys', trial);
    await send(site, gone.key, '/channels');
    site.world.clock.now += 1;
    await site.world.operate('DELETE', `/operator/keys/${gone.keyId}`);
    for (const path of ['/channels', '/orders/primarymkt']) await send(site, key, path);
    site.world.clock.now += 1;
    await send(site, other.key, '/reports/view/salesByPeriod', {});

    const { page } = await arrive(site, somebody.email);
    const cards = page.locator('.key');
    await cards.nth(1).waitFor();
    assert.deepEqual(await cards.locator('th').allInnerTexts(), ['Nightly reports', 'API key']);
    const hints = [other.key, key].map((one: string) => `...${one.slice(-4)}`);
    const masked = hints.map((hint) => hint.replace('...', 'vit_••••'));
    assert.deepEqual(await keyText(page).allInnerTexts(), masked);
    const byKey = page.getByRole('region', { name: 'Requests by key, table' });
    const cells = await figuresIn(byKey, 'tbody tr');
    assert.deepEqual(cells, [
      [`API key ${hints[1]}`, '2', '1', '1', '0', '0', '2 of 50'],
      [`Trial ...${gone.key.slice(-4)}`, '1', '1', '0', '0', '0', 'no longer valid'],
      [`Nightly reports ${hints[0]}`, '1', '0', '1', '0', '0', '1 of 10,000'],
    ]);
    assert.equal(await page.locator('.outcomes .value').first().innerText(), '4');
    await page.getByText('10, bursts to 20 a second; 10,000 (UTC) a day').waitFor();

    const list = page.getByRole('region', { name: 'Latest requests, table' });
    const rows = await figuresIn(list, 'tbody tr');
    assert.deepEqual(
      rows.map((row) => row[4]),
      [`Nightly reports ${hints[0]}`, ...Array(2).fill(`API key ${hints[1]}`), cells[1]![0]],
    );
    assert.match(rows[0]![3]!, /^channelId is required, merchantId is required, /);
    assert.match(rows[1]![3]!, /^this endpoint needs the enterprise plan$/);
    await page.getByRole('link', { name: 'Limited', exact: true }).click();
    await page.getByText('No request matches.').waitFor();
    await page.getByRole('link', { name: 'Refused', exact: true }).click();
    assert.equal((await figuresIn(list, 'tbody tr')).length, 2);
    await page.goBack();
    await page.goBack();
    await assertGood(page, 'several keys', 'all');
  });

  deepTest('without a key, access or requests the page says so, and names a contact', async () => {
    const owner = await person(site, { name: 'Acme' });
    const member = await makePerson(site.world, owner.organisationId, { role: 'member' });
    const without = await person(site, { name: 'Without access' });
    await issueKey(site, without);
    const path = `/operator/organisations/${without.organisationId}`;
    await site.world.operate('PATCH', path, { apiAccess: false });
    const searches = { searchQueryPerformance: true, searchQueryProductMax: 1 };
    const fresh = await person(site, { plan: 'enterprise', ...searches });
    await issueKey(site, fresh, { perSecond: 1, burst: 5, perDay: 2_500 });
    const expected: Readonly<Record<string, string>> = {
      [owner.email]: `You do not have a key yet.
        Ask the operator of this service to issue you a key`,
      [member.email]: `Members and viewers do not have keys.
        ${owner.email}`,
      [without.email]: `Without access does not have API access yet.
        To request it, ask the operator of this service`,
      [fresh.email]: `No requests yet.
        No requests in the last 7 days.
        Enterprise
        1 product a call
        1, bursts to 5
        2,500 (UTC)`,
    };
    const { page, context } = await site.visit();
    for (const [email, texts] of Object.entries(expected)) {
      await context.clearCookies();
      await context.addCookies([await cookieOf(site, email)]);
      await page.goto('/console/settings/api');
      for (const text of texts.split('\n')) await page.getByText(text.trim()).first().waitFor();
      assert.equal(await button(page, 'Reveal').count(), email === fresh.email ? 1 : 0);
      await assertGood(page, `the API page of ${email}`, 'narrow');
    }
  });

  deepTest('after signing out, neither going back nor another user shows the pages', async () => {
    const somebody = await person(site, { name: 'First organisation' });
    const { key } = await issueKey(site, somebody);
    const another = await person(site, { name: 'Second organisation' });
    const { page, context } = await arrive(site, somebody.email);
    const [cookie] = await context.cookies();
    await button(page, 'Reveal').click();
    await page.getByText(key, { exact: true }).waitFor();
    await button(page, 'Sign out').click();
    await title(page, 'Sign in').waitFor();
    await page.getByText('You are signed out.').waitFor();
    assert.deepEqual(await context.cookies(), []);
    await page.goBack();
    await title(page, 'Sign in').waitFor();
    assert.ok(!(await page.content()).includes(key));
    const ended = visitWithoutBrowser(site.world, { cookie: `${cookie!.name}=${cookie!.value}` });
    assert.equal((await ended.ask('GET', '/account/access')).status, 401);
    await enter(page, another.email);
    await page.getByText('Second organisation').first().waitFor();
    assert.ok(!(await page.content()).includes('First organisation'));
  });

  deepTest('a page from the memory of the browser shows no key, or no page at all', async () => {
    const somebody = await person(site);
    const { key } = await issueKey(site, somebody);
    const { page, context } = await arrive(site, somebody.email);
    await button(page, 'Reveal').click();
    await page.getByText(key, { exact: true }).waitFor();
    const note = '({ persisted }) => { window.isBack = persisted; }';
    await page.evaluate(`window.addEventListener("pageshow", ${note})`);
    await page.getByRole('link', { name: 'Guides' }).first().click();
    await page.waitForURL(`${site.address}/guides`);
    await page.evaluate('history.back()');
    await page.waitForFunction('window.isBack === true');
    await button(page, 'Reveal').waitFor();
    assert.ok(!(await page.content()).includes(key));
    await page.getByRole('link', { name: 'Guides' }).first().click();
    await page.waitForURL(`${site.address}/guides`);
    const other = await context.newPage();
    await other.goto('/console/');
    await button(other, 'Sign out').click();
    await title(other, 'Sign in').waitFor();
    await page.evaluate('history.back()');
    await title(page, 'Sign in').waitFor();
  });

  deepTest('a part that fails to load shows an error with a retry, and it alone', async () => {
    const somebody = await person(site);
    const { key } = await issueKey(site, somebody);
    await send(site, key, '/channels');
    const visit = await arrive(site, somebody.email);
    const { page } = visit;
    const regions = [
      ['access', 'your access', 'Plan and limits'],
      ['usage', 'usage', 'Requests by day'],
      ['requests', 'latest requests', undefined],
    ] as const;
    const failed = { status: 500, json: { status: 'error', error: 'internal error' } };
    const gateway = { status: 503, contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
    for (const [path, name, shown] of regions) {
      await page.route(`**/account/${path}`, (route) => route.fulfill(failed));
      await page.reload();
      await page.getByText(`Could not load ${name}.`).waitFor();
      await assertGood(page, `${path} failed to load`, path === 'usage' ? 'some' : 'narrow');
      await page.unroute(`**/account/${path}`);
      await page.route(`**/account/${path}`, (route) => route.fulfill(gateway));
      const alert = page.getByRole('alert').filter({ hasText: `Could not load ${name}.` });
      const retry = alert.getByRole('button', { name: 'Try again' });
      await retry.focus();
      await page.keyboard.press('Enter');
      await page.getByText(`Could not load ${name}. Something went wrong (status 503)`).waitFor();
      await page.unroute(`**/account/${path}`);
      await page.route(`**/account/${path}`, (route) => route.abort());
      await retry.click();
      await page.getByText('Cannot reach the service.').waitFor();
      await page.unroute(`**/account/${path}`);
      await retry.focus();
      await page.keyboard.press('Enter');
      await page.getByText(`Could not load ${name}.`).waitFor({ state: 'detached' });
      if (shown !== undefined) await page.getByRole('heading', { name: shown }).waitFor();
      await assertFocusSeen(page);
    }
    const pattern =
      /^error on the console: Failed to load resource: (?:the server responded with a status of 50[03]|net::ERR_FAILED)/;
    forgive(visit, pattern);

    // Slow: the page shows that it is loading.
    const release = await heldRequests(page, '**/account/usage');
    await page.reload();
    await page.getByText('Loading usage …').waitFor();
    await assertGood(page, 'usage on its way', 'narrow');
    release();
    await page.getByRole('heading', { name: 'Requests by day' }).waitFor();
  });

  deepTest('names and addresses of any length and letters are shown, and fit', async () => {
    const name =
      `${'W'.repeat(60)} <img src=x onerror="document.title='broken'"> ${'Organisation '.repeat(6)}`.trim();
    const email = `"<b>${'long.'.repeat(20)}&amp;"@${'example-'.repeat(5)}.${'w'.repeat(50)}.example`;
    const somebody = await person(site, { name }, { email });
    const { key } = await issueKey(site, somebody);
    const requestId = 'W'.repeat(64);
    await site.world.ask(key, 'POST', '/channels', {}, { 'x-request-id': requestId });
    const link = await issueLink(site, somebody);
    const { page } = await site.visit();
    await page.goto(link);
    await page.getByText(name).first().waitFor();
    await assertGood(page, 'an invitation with long names', 'narrow');
    await signInAtPage(page, email);
    await page.getByText(name).first().waitFor();
    await button(page, 'Refresh latest requests').click();
    await page.getByText(requestId).waitFor();
    await assertGood(page, 'the API page with long names', 'narrow');
    await page.getByRole('link', { name: 'Security' }).click();
    await title(page, 'Security').waitFor();
    await assertGood(page, 'security with long names', 'narrow');
    const member = await makePerson(site.world, somebody.organisationId, { role: 'member' });
    const other = await arrive(site, member.email);
    await other.page.getByRole('link', { name: email }).waitFor();
    await assertGood(other.page, 'a member with long names', 'narrow');
  });
});
