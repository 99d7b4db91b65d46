/** The account pages as people use them, in a real browser. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { endpoints } from '../src/endpoints/handlers.ts';
import {
  assertFocusSeen,
  assertGood,
  focused,
  openSite,
  type Site,
  tabTo,
  type Visit,
} from './browser.ts';
import { examples } from './examples.ts';
import { hardlyLimited } from './harness.ts';
import { deepTest, slow } from './level.ts';
import { codeAt } from './secondFactor.ts';
import { figuresIn } from './views/views.ts';
import { makePerson, password, signIn, visit as visitWithoutBrowser } from './visitors.ts';

const minute = 60_000;
const day = 1_440 * minute;

/** Somebody with a password. */
type Person = { readonly organisationId: string; readonly userId: string; readonly email: string };
/** The part of an answer that a client of the API sees. */
type Sent = { readonly status: number; readonly requestId: string };

describe('the account pages', slow, () => {
  let site: Site;

  before(async () => {
    site = await openSite({ endpoints: [...endpoints, examples[0]!] });
    // The browser knows no other time than that of the machine.
    site.world.clock.now = Date.now();
  });
  afterEach(() => site.leave());
  after(async () => {
    await site?.close();
  });

  async function person(
    organisation: object = {},
    settings: Parameters<typeof makePerson>[2] = {},
  ): Promise<Person> {
    const { organisationId } = await site.world.operate('POST', '/operator/organisations', {
      name: 'Acme',
      ...organisation,
    });
    return { organisationId, ...(await makePerson(site.world, organisationId, settings)) };
  }

  async function issueKey(
    { userId }: Person,
    limits: Partial<typeof hardlyLimited> = {},
  ): Promise<{ keyId: string; key: string }> {
    return site.world.operate('POST', '/operator/keys', {
      userId,
      limits: { ...hardlyLimited, ...limits },
    });
  }

  async function issueLink(
    { userId }: Pick<Person, 'userId'>,
    asked: object = {},
  ): Promise<string> {
    return (await site.world.operate('POST', `/operator/users/${userId}/passwordLinks`, asked)).url;
  }

  async function send(key: string, path: string, body: unknown = {}): Promise<Sent> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(`${site.address}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return { status: answer.status, requestId: answer.headers.get('x-request-id')! };
  }

  /** Actions of the audit by their subject, newest first. */
  async function auditOf(subject: string): Promise<{ actor: string; action: string }[]> {
    const { entries } = await site.world.operate(
      'GET',
      `/operator/audit?subject=${subject}&pageSize=100`,
    );
    return entries.map(({ actor, action }: { actor: string; action: string }) => ({
      actor,
      action,
    }));
  }

  const title = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true });
  const button = (within: Page | Locator, name: string) =>
    within.getByRole('button', { name, exact: true });
  const field = (within: Page | Locator, name: string) => within.getByLabel(name, { exact: true });
  const keyText = (page: Page) => page.locator('.key-text');

  async function enter(page: Page, email: string, entered = password): Promise<void> {
    await field(page, 'E-mail address').fill(email);
    await field(page, 'Password').fill(entered);
    await button(page, 'Sign in').click();
  }

  async function signInAtPage(page: Page, email: string): Promise<void> {
    await page.goto('/console/settings/api');
    await enter(page, email);
    await title(page, 'API').waitFor();
  }

  /** The cookie of an earlier sign-in, from a browser listed as Firefox on Linux. */
  async function cookieOf(email: string, settings: Parameters<typeof signIn>[2] = {}) {
    const [name, value] = (await signIn(site.world, email, settings)).cookie!.split('=') as [
      string,
      string,
    ];
    return { name, value, url: site.address, httpOnly: true, sameSite: 'Strict' as const };
  }

  /** Opens a page in the window of a signed-in user. */
  async function arrive(
    email: string,
    path = '/console/settings/api',
    options: Parameters<Site['visit']>[0] = {},
  ): Promise<Visit> {
    const visit = await site.visit(options);
    await visit.context.addCookies([
      await cookieOf(
        email,
        options.userAgent === undefined ? {} : { userAgent: options.userAgent },
      ),
    ]);
    await visit.page.goto(path);
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    return visit;
  }

  /** Checks that a field shows and announces its error, and has the focus. */
  async function assertRefused(page: Page, input: Locator, text: string | RegExp): Promise<void> {
    await page.getByText(text).waitFor();
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    const ids = (await input.getAttribute('aria-describedby'))!.split(' ');
    const said = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
    assert.ok(
      said.some((one) => (text instanceof RegExp ? text.test(one) : one === text)),
      said.join('\n'),
    );
    await focused(input);
  }

  /** Checks that the problems are those that the test caused, and clears them. */
  function forgive({ problems }: Visit, expected: RegExp): void {
    for (const problem of problems.splice(0)) assert.match(problem, expected);
  }

  deepTest('the tests notice actions that no page may take', async () => {
    const { page, problems } = await site.visit();
    await page.goto('/guides');
    await page.evaluate(
      'fetch("http://elsewhere.test/").catch(() => setTimeout(() => { throw new Error("unheard"); }))',
    );
    await page.waitForEvent('pageerror');
    await page.goto('about:blank');
    await page.evaluate('fetch("http://elsewhere.test/").catch(() => undefined)');
    for (const expected of [
      /^content security policy: connect-src http:\/\/elsewhere/,
      /^error of a script: Error: unheard/,
      /^request to another host: http:\/\/elsewhere/,
    ]) {
      assert.ok(
        problems.some((problem) => expected.test(problem)),
        `${expected}: ${problems.join('\n')}`,
      );
    }
    problems.splice(0);

    await page.goto('/guides');
    await page.evaluate(
      `document.querySelector('main').append(Object.assign(new Image(), { id: 'unnamed' }))`,
    );
    await assert.rejects(
      assertGood(page, 'an image without words', 'wide'),
      /image-alt: <img id="unnamed">/,
    );
    await page.evaluate(
      `document.querySelector('#unnamed').replaceWith(Object.assign(document.createElement('hr'), { id: 'wide' }))`,
    );
    await page.evaluate(`document.querySelector('#wide').style.width = '400px'`);
    await assert.rejects(
      assertGood(page, 'a wide line', 'narrow'),
      /416 pixels in a window of 320/,
    );
    await page.evaluate(`document.activeElement.blur()`);
    await assert.rejects(assertFocusSeen(page), /nothing has the focus/);
    await page.evaluate(`document.querySelector('main a').style.outline = 'none'`);
    await page.locator('main a').first().focus();
    await assert.rejects(assertFocusSeen(page), /the focus is not marked/);
  });

  test('a visitor is sent to the sign-in page and, once signed in, to the requested page', async () => {
    const { email } = await person();
    const { page } = await site.visit();
    await page.goto('/console/settings/security');
    await title(page, 'Sign in').waitFor();
    assert.equal(await page.title(), 'Sign in – Vitrine');
    await assertGood(page, 'sign-in', 'all');

    await button(page, 'Sign in').click();
    await assertRefused(page, field(page, 'E-mail address'), 'Enter your e-mail address.');
    await enter(page, email, 'a wrong password');
    await assertRefused(
      page,
      field(page, 'Password'),
      /the e-mail address or the password is wrong/i,
    );
    await assertGood(page, 'sign-in with a wrong password');

    await enter(page, `  ${email.toUpperCase()} `);
    await title(page, 'Security').waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/settings/security');
    await page.reload();
    await title(page, 'Security').waitFor();
    await page.goto('/');
    await title(page, 'Overview').waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/overview');
  });

  deepTest(
    'an unknown address and a wrong password get the same answer, too many attempts a wait',
    async () => {
      const { email } = await person();
      const { page } = await site.visit();
      await page.goto('/console/sign-in');
      const texts: string[] = [];
      for (const tried of [email, `nobody-${randomUUID()}@example.com`]) {
        await enter(page, tried, 'a wrong password');
        const text = page.getByText(/password is wrong/i).first();
        await text.waitFor();
        texts.push(await text.innerText());
        await page.reload();
      }
      assert.equal(texts[0], texts[1]);

      const quick = visitWithoutBrowser(site.world, { address: '127.0.0.1' });
      for (let tries = 2; tries <= 10; tries += 1) {
        assert.equal(
          (await quick.ask('POST', '/account/session', { email, password: 'a wrong password' }))
            .status,
          401,
        );
      }
      await enter(page, email);
      await page.getByText('Too many attempts. Try again in 15 minutes.').waitFor();
      await assertGood(page, 'sign-in after too many tries', 'narrow');
    },
  );

  test('an invitation lets somebody choose a password, once', async () => {
    const { organisationId } = await person({ name: 'Northwind & Daughters <i>GmbH</i>' });
    const email = `new-${randomUUID()}@example.com`;
    const { userId } = await site.world.operate('POST', '/operator/users', {
      organisationId,
      email,
      role: 'owner',
    });
    const link = await issueLink({ userId });
    const { page } = await site.visit();
    await page.goto(link);
    await title(page, 'Welcome to Vitrine').waitFor();
    await page.getByText('Northwind & Daughters <i>GmbH</i>').first().waitFor();
    await page.getByText(email).first().waitFor();
    await assertGood(page, 'invitation');
    await field(page, 'New password').fill('too short');
    await button(page, 'Set password and sign in').click();
    await assertRefused(page, field(page, 'New password'), /too short: add 3 more characters/);
    await assertGood(page, 'invitation with a short password', 'narrow');
    await field(page, 'New password').fill('a password of my own');
    await button(page, 'Set password and sign in').click();
    await title(page, 'Overview').waitFor();
    assert.ok(!page.url().includes('vit_'), page.url());
    assert.deepEqual((await auditOf(userId)).slice(0, 2), [
      { actor: userId, action: 'usePasswordLink' },
      { actor: 'operator', action: 'issuePasswordLink' },
    ]);

    const other = await site.visit();
    await other.page.goto(link);
    await title(other.page, 'This link does not work').waitFor();
    await assertGood(other.page, 'a used link', 'narrow');
    await other.page.getByRole('link', { name: 'Sign in with your password' }).click();
    await enter(other.page, email, 'a password of my own');
    await title(other.page, 'Overview').waitFor();
  });

  deepTest(
    'a link that has expired, was replaced or is not whole does not work; a reset link ends all sessions',
    async () => {
      const somebody = await person();
      const { page } = await arrive(somebody.email);
      const expired = await issueLink(somebody, { validSeconds: 60 });
      const other = await site.visit();
      const dead = title(other.page, 'This link does not work');
      site.world.clock.now += minute;
      await other.page.goto(expired);
      await dead.waitFor();
      const replaced = await issueLink(somebody);
      const link = await issueLink(somebody);
      for (const bad of [
        replaced,
        link.slice(0, -1),
        `${link}x`,
        `${site.address}/console/password`,
      ]) {
        await other.page.goto('about:blank');
        await other.page.goto(bad);
        await dead.waitFor();
      }
      await other.page.goto(link);
      await title(other.page, 'Choose a new password').waitFor();
      await assertGood(other.page, 'a reset link', 'narrow');
      await field(other.page, 'New password').fill('a password of my own');
      await button(other.page, 'Set password and sign in').click();
      await title(other.page, 'Overview').waitFor();
      await page.getByRole('link', { name: 'Security' }).click();
      await title(page, 'Sign in').waitFor();
      await enter(page, somebody.email, 'a password of my own');
      await title(page, 'Security').waitFor();
    },
  );

  test('the key is hidden, revealed on request, copied and hidden; each reveal is in the audit log', async () => {
    const somebody = await person();
    const { keyId, key } = await issueKey(somebody);
    const { page } = await arrive(somebody.email, undefined, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const masked = `vit_••••${key.slice(-4)}`;
    await keyText(page).waitFor();
    assert.equal(await keyText(page).innerText(), masked);
    assert.ok(!(await page.content()).includes(key));
    assert.deepEqual((await auditOf(keyId)).length, 1);

    await button(page, 'Reveal').click();
    await page.getByText(key, { exact: true }).waitFor();
    await page.getByText(`x-api-key: ${key}`).waitFor();
    await assertGood(page, 'a key that is shown');
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
    assert.deepEqual(await auditOf(keyId), [
      { actor: somebody.userId, action: 'revealKey' },
      { actor: somebody.userId, action: 'revealKey' },
      { actor: 'operator', action: 'issueKey' },
    ]);
  });

  deepTest(
    'a quarter of an hour after sign-in, a key is shown only after the password is entered again',
    async () => {
      const somebody = await person();
      const { keyId, key } = await issueKey(somebody);
      const { page } = await arrive(somebody.email);
      site.world.clock.now += 15 * minute - 1000;
      await button(page, 'Reveal').click();
      await page.getByText(key, { exact: true }).waitFor();
      await button(page, 'Hide').click();
      site.world.clock.now += 1000;

      const dialog = page.getByRole('dialog', { name: 'Enter your password' });
      await button(page, 'Reveal').click();
      await dialog.waitFor();
      await focused(field(dialog, 'Password'));
      await assertGood(page, 'the password is asked for again');
      await button(dialog, 'Cancel').click();
      await dialog.waitFor({ state: 'hidden' });
      await focused(button(page, 'Reveal'));
      await button(page, 'Reveal').click();
      await field(dialog, 'Password').fill('a wrong password');
      await button(dialog, 'Continue').click();
      await assertRefused(page, field(dialog, 'Password'), /the password is wrong/i);
      await assertGood(page, 'a wrong password once more', 'narrow');
      assert.equal((await auditOf(keyId)).length, 2);
      await field(dialog, 'Password').fill(password);
      await button(dialog, 'Continue').click();
      await page.getByText(key, { exact: true }).waitFor();
      assert.ok(await dialog.isHidden());
      assert.equal((await auditOf(keyId)).length, 3);
    },
  );

  test('usage totals, tables and charts agree with the operator’s, and each request is listed', async () => {
    const { world } = site;
    const today = world.clock.now;
    const somebody = await person({ plan: 'standard' });
    const colleague = { ...somebody, ...(await makePerson(world, somebody.organisationId)) };
    const { key } = await issueKey(somebody, { perDay: 11 });
    const { key: foreign } = await issueKey(colleague);
    const sent: Sent[] = [];
    const ask = async (statuses: readonly number[], path: string, body?: unknown) => {
      for (const status of statuses) {
        const answer = await send(key, path, body);
        assert.equal(answer.status, status);
        sent.unshift(answer);
      }
    };
    world.clock.now = today - 29 * day;
    await ask([200, 200, 200], '/channels');
    world.clock.now = today - 30 * day;
    await send(key, '/channels');
    world.clock.now = today;
    await ask([400, 400], '/reports/view/salesByPeriod');
    await ask([401], '/orders/primarymkt');
    await ask([200, 200, 200], '/say', { how: 'well' });
    await ask([500], '/say', { how: 'fails' });
    await ask([503], '/say', { how: 'later' });
    await ask([200, 200, 200, 429, 429], '/channels');
    const others = [await send(foreign, '/channels'), await send(foreign, '/channels')];

    const { page } = await arrive(somebody.email, undefined, { timezoneId: 'America/Los_Angeles' });
    const { usage } = await world.operate(
      'GET',
      `/operator/usage?userId=${somebody.userId}&pageSize=100`,
    );
    type Row = {
      date: string;
      operation: string;
      requests: number;
      refused: number;
      limited: number;
      failed: number;
    };
    const sums = (rows: readonly Row[]) => {
      const [requests, refused, limited, failed] = (
        ['requests', 'refused', 'limited', 'failed'] as const
      ).map((name) => rows.reduce((sum, row) => sum + row[name], 0)) as [
        number,
        number,
        number,
        number,
      ];
      return [requests, requests - refused - limited - failed, refused, limited, failed].map(
        String,
      );
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
      const cells = await Promise.all(
        rows.map(
          async (row) => [(await headOf(row))!, await row.locator('td').allInnerTexts()] as const,
        ),
      );
      await button(page, `Show as a chart: ${name}`).click();
      return new Map(cells);
    };
    const calls: Readonly<Record<string, string>> = {
      listChannels: 'POST /channels',
      viewSalesByPeriod: 'POST /reports/view/salesByPeriod',
      listOrders: 'POST /orders/primarymkt',
      say: 'POST /say',
    };
    const grouped = (of: (row: Row) => string) =>
      Object.entries(Object.groupBy(usage as Row[], of)).map(
        ([name, rows]) => [name, sums(rows!)] as const,
      );
    const byDay = await figures('Requests by day', (row) =>
      row.locator('th time').getAttribute('datetime'),
    );
    assert.equal(byDay.size, 30);
    const none = ['0', '0', '0', '0', '0'];
    const dates = Array.from({ length: 30 }, (_, ago) =>
      new Date(today - ago * day).toISOString().slice(0, 10),
    );
    const daysExpected = new Map(dates.map((date) => [date, none]));
    for (const [date, row] of grouped(({ date }) => date)) daysExpected.set(date, row);
    assert.deepEqual([...byDay], [...daysExpected]);
    const byOperation = await figures('Requests by call', (row) => row.locator('th').innerText());
    assert.deepEqual(
      new Map([...byOperation].sort()),
      new Map(grouped(({ operation }) => calls[operation] ?? `${operation}?`).sort()),
    );

    // The same figures by the accessible texts of the charts.
    const bars = await page.locator('.calls li').allTextContents();
    for (const [call, [requests]] of byOperation)
      assert.ok(bars.includes(`${call}${requests}`), bars.join('\n'));
    const slider = page.getByRole('slider', { name: 'Day' });
    await slider.focus();
    assert.match(
      (await slider.getAttribute('aria-valuetext'))!,
      /: 13 requests: 6 answered, 3 refused, 2 limited, 2 failed$/,
    );
    await page.keyboard.press('ArrowLeft');
    assert.match((await slider.getAttribute('aria-valuetext'))!, /: no requests$/);
    await page.keyboard.press('Home');
    assert.match((await slider.getAttribute('aria-valuetext'))!, /: 3 requests: 3 answered$/);

    await button(page, 'Refresh latest requests').click();
    const list = page.getByRole('region', { name: 'Latest requests, table' });
    await list.getByText(sent[0]!.requestId).waitFor();
    const rows = await figuresIn(list, 'tbody tr');
    // Those of a month ago are no longer kept one by one.
    assert.deepEqual(
      rows.map(
        ([, status, , , , requestId]) => `${status?.split(/\s/)[0]} ${requestId?.split(/\s/)[0]}`,
      ),
      sent.slice(0, 13).map(({ status, requestId }) => `${status} ${requestId}`),
    );
    assert.deepEqual(
      rows.map(([, , call]) => call),
      [
        ...Array(5).fill('POST /channels'),
        ...Array(5).fill('POST /say'),
        'POST /orders/primarymkt',
        ...Array(2).fill('POST /reports/view/salesByPeriod'),
      ],
    );
    for (const [, , , , duration] of rows) assert.match(duration!, /^\d+ ms$|^\d\.\d s$/);
    for (const { requestId } of others) assert.ok(!(await page.content()).includes(requestId));
    await assertGood(page, 'usage', 'all');
  });

  deepTest(
    'several keys have names; usage adds them up, and refused requests say why and by which key',
    async () => {
      const somebody = await person({ plan: 'standard' });
      const { key } = await issueKey(somebody, { perDay: 50 });
      const named = { userId: somebody.userId, name: 'Nightly reports' };
      const other = await site.world.operate('POST', '/operator/keys', named);
      site.world.clock.now += 1;
      const gone = await site.world.operate('POST', '/operator/keys', { ...named, name: 'Trial' });
      await send(gone.key, '/channels');
      site.world.clock.now += 1;
      await site.world.operate('DELETE', `/operator/keys/${gone.keyId}`);
      for (const path of ['/channels', '/orders/primarymkt']) await send(key, path);
      site.world.clock.now += 1;
      await send(other.key, '/reports/view/salesByPeriod', {});

      const { page } = await arrive(somebody.email);
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
    },
  );

  deepTest('without a key, access or requests the page says so, and names a contact', async () => {
    const owner = await person({ name: 'Acme' });
    const member = await makePerson(site.world, owner.organisationId, { role: 'member' });
    const without = await person({ name: 'Without access' });
    await issueKey(without);
    await site.world.operate('PATCH', `/operator/organisations/${without.organisationId}`, {
      apiAccess: false,
    });
    const fresh = await person({
      plan: 'enterprise',
      searchQueryPerformance: true,
      searchQueryProductMax: 1,
    });
    await issueKey(fresh, { perSecond: 1, burst: 5, perDay: 2_500 });
    const expected: [string, (string | RegExp)[]][] = [
      [
        owner.email,
        ['You do not have a key yet.', /Ask the operator of this service to issue you a key/],
      ],
      [member.email, ['Members do not have keys.', owner.email]],
      [
        without.email,
        [
          'Without access does not have API access yet.',
          /To request it, ask the operator of this service/,
        ],
      ],
      [
        fresh.email,
        [
          'No requests yet.',
          'No requests in the last 7 days.',
          'Enterprise',
          '1 product a call',
          '1, bursts to 5',
          '2,500 (UTC)',
        ],
      ],
    ];
    const { page, context } = await site.visit();
    for (const [email, texts] of expected) {
      await context.clearCookies();
      await context.addCookies([await cookieOf(email)]);
      await page.goto('/console/settings/api');
      for (const text of texts) await page.getByText(text).first().waitFor();
      assert.equal(await button(page, 'Reveal').count(), email === fresh.email ? 1 : 0);
      await assertGood(page, `the API page of ${email}`, 'narrow');
    }
  });

  deepTest(
    'sessions are listed, and an ended one returns to its page after the next sign-in',
    async () => {
      const somebody = await person();
      const first = await arrive(somebody.email, '/console/settings/security', {
        userAgent:
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      });
      site.world.clock.now += minute;
      const second = await site.visit();
      await signInAtPage(second.page, somebody.email);
      await second.page.getByRole('link', { name: 'Security' }).click();
      const entries = second.page.locator('.sessions li');
      await entries.nth(1).waitFor();
      const texts = await entries.allInnerTexts();
      assert.equal(texts.length, 2);
      assert.match(texts[0]!, /^Chrome on Linux.*This browser/s);
      assert.match(texts[1]!, /^Firefox on Windows/);
      await assertGood(second.page, 'security');

      await second.page
        .getByRole('button', { name: /^End the session of Firefox on Windows/ })
        .focus();
      await second.page.keyboard.press('Enter');
      await second.page.getByText('The session of Firefox on Windows has ended.').waitFor();
      await assertFocusSeen(second.page);
      await second.page.getByText('You are not signed in anywhere else.').waitFor();
      await field(first.page, 'Current password').fill(password);
      await field(first.page, 'New password').fill('a password of my own');
      await button(first.page, 'Change password').click();
      await title(first.page, 'Sign in').waitFor();
      await first.page
        .getByText('Your session has ended. Sign in to continue where you left off.')
        .waitFor();
      await assertGood(first.page, 'sign-in after the session has ended', 'narrow');
      await enter(first.page, somebody.email);
      await title(first.page, 'Security').waitFor();

      await second.page.reload();
      await button(second.page, 'End all other sessions (1)').click();
      await second.page.getByText('All other sessions have ended.').waitFor();
      await first.page.reload();
      await title(first.page, 'Sign in').waitFor();
    },
  );

  deepTest(
    'a change of the password ends the other sessions, and the old password with them',
    async () => {
      const somebody = await person();
      const other = await arrive(somebody.email);
      const { page } = await arrive(somebody.email, '/console/settings/security');
      await button(page, 'Change password').click();
      await assertRefused(page, field(page, 'Current password'), 'Enter your current password.');
      await field(page, 'Current password').fill('a wrong password');
      await field(page, 'New password').fill('a password of my own');
      await button(page, 'Change password').click();
      await assertRefused(page, field(page, 'Current password'), /the password is wrong/i);
      await assertGood(page, 'a wrong current password', 'narrow');
      await field(page, 'Current password').fill(password);
      await button(page, 'Change password').click();
      await page.getByText('Password changed.').waitFor();
      await assertGood(page, 'a changed password', 'narrow');
      await other.page.reload();
      await enter(other.page, somebody.email);
      await other.page
        .getByText(/password is wrong/i)
        .first()
        .waitFor();
      await enter(other.page, somebody.email, 'a password of my own');
      await title(other.page, 'API').waitFor();
      assert.deepEqual(
        (await auditOf(somebody.userId)).map(({ action }) => action),
        [
          ...['refuseSignIn', 'refusePassword'],
          ...['signIn', 'changePassword', 'signIn', 'signIn', 'createUser'],
        ],
      );
    },
  );

  deepTest(
    'two-step sign-in is turned on by a code, asked for at sign-in, and turned off',
    async () => {
      const somebody = await person();
      const { page } = await arrive(somebody.email, '/console/settings/security');
      const factor = page.getByRole('region', { name: 'Two-step sign-in' });
      const turnOn = factor.getByRole('button', { name: 'Turn on two-step sign-in' });
      await turnOn.click();
      await assertRefused(page, field(page, 'Your password'), 'Enter your current password.');
      await field(page, 'Your password').fill(password);
      await turnOn.click();
      const secret = (await factor.locator('code').innerText()).replaceAll(' ', '');
      await field(page, 'Code').fill('000000');
      await button(page, 'Confirm the code').click();
      await assertRefused(page, field(page, 'Code'), /the code is wrong/i);
      await assertGood(page, 'a second factor to confirm', 'some');
      await field(page, 'Code').fill(codeAt(secret, site.world.clock.now));
      await button(page, 'Confirm the code').click();
      await factor.getByText('10 recovery codes left').waitFor();
      const [recoveryCode = ''] = await factor.locator('li code').allInnerTexts();
      await assertGood(page, 'recovery codes', 'some');

      const other = await site.visit();
      await other.page.goto('/console/sign-in');
      await enter(other.page, somebody.email);
      await assertRefused(other.page, field(other.page, 'Code'), /enter the code/i);
      await assertGood(other.page, 'a code at sign-in', 'some');
      await field(other.page, 'Code').fill(recoveryCode);
      await button(other.page, 'Sign in').click();
      await title(other.page, 'Overview').waitFor();
      await page.reload();
      await factor.getByText('9 recovery codes left').waitFor();
      await button(page, 'Turn off').click();
      await field(page, 'Your password').fill(password);
      await factor.getByRole('button', { name: 'Turn off two-step sign-in' }).click();
      await turnOn.waitFor();
      await field(page, 'Current password').fill(password);
      await field(page, 'New password').fill('password1234');
      await button(page, 'Change password').click();
      await assertRefused(
        page,
        field(page, 'New password'),
        /The new password is too easy to guess/,
      );
    },
  );

  deepTest(
    'an owner invites, changes and removes a member, after the password where that is due',
    async () => {
      const { world } = site;
      const somebody = await person();
      const { organisationId } = somebody;
      await world.channel(organisationId, 'members-de', { displayName: 'Germany' });
      await world.channel(organisationId, 'members-us', { displayName: 'America' });
      const visit = await arrive(somebody.email, '/console/settings/members');
      const { page } = visit;
      await button(page, 'Invite a member').click();
      const dialog = page.getByRole('dialog', { name: 'Invite a member' });
      await button(dialog, 'Make the invitation').click();
      await assertRefused(page, field(dialog, 'E-mail address'), 'Enter an e-mail address.');
      await field(dialog, 'E-mail address').fill('ann.lee@example.com');
      await field(dialog, 'Name').fill('Ann Lee');
      await dialog.getByRole('checkbox', { name: /Germany/ }).check();
      await assertGood(page, 'the form of an invitation', 'some');
      world.clock.now += 15 * minute;
      await button(dialog, 'Make the invitation').click();
      const asking = page.getByRole('dialog', { name: 'Enter your password' });
      await field(asking, 'Password').fill(password);
      await button(asking, 'Continue').click();
      forgive(visit, /403/);
      const link = page
        .getByRole('region', { name: 'The invitation', exact: true })
        .locator('code');
      const token = (await link.innerText()).split('#')[1];
      await page.getByText(/^Invited until/).waitFor();
      const stranger = visitWithoutBrowser(world);
      const newPassword = 'violet anchors hum quietly';
      const used = await stranger.ask('PUT', '/account/passwordLink', { token, newPassword });
      assert.deepEqual([used.status, used.body.name], [200, 'Ann Lee']);
      await assertGood(page, 'the members', 'all');

      await button(page, 'Change: ann.lee@example.com').click();
      const form = page.getByRole('dialog', { name: 'Change Ann Lee' });
      assert.ok(await form.getByRole('checkbox', { name: /Germany/ }).isChecked());
      await field(form, 'Role').selectOption('administrator');
      await form.getByRole('radio', { name: 'All, present and future' }).check();
      await button(form, 'Save').click();
      await form.waitFor({ state: 'detached' });
      const row = page.locator('tr', { hasText: 'ann.lee@example.com' });
      await row.getByText('Administrator').waitFor();
      const found = await world.operate('GET', `/operator/users/${used.body.userId}`);
      assert.deepEqual([found.role, found.channelIds], ['administrator', 'all']);

      await button(page, 'Remove: ann.lee@example.com').press('Enter');
      await button(page, 'Remove the member').press('Enter');
      await row.waitFor({ state: 'detached' });
      assert.equal((await stranger.ask('GET', '/account/session')).status, 401);
    },
  );

  deepTest(
    'users name themselves and see their reach; members find no page of members',
    async () => {
      const somebody = await person({}, { role: 'member' });
      const { page } = await arrive(somebody.email, '/console/settings/profile');
      await page.getByText('You reach no stores yet').waitFor();
      await field(page, 'Name').fill('Zoë Ó Briain');
      await button(page, 'Save the name').click();
      await page.getByText('Name saved.').waitFor();
      await page.locator('.sidebar').getByText('Zoë Ó Briain').waitFor();
      await assertGood(page, 'the profile', 'all');
      const tabs = page.getByRole('navigation', { name: 'Settings' });
      assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), [
        'API',
        'Profile',
        'Security',
      ]);
      await page.goto('/console/settings/members');
      await page.getByText('Only owners and administrators see the members').waitFor();
      await assertGood(page, 'the members for members', 'narrow');
    },
  );

  deepTest(
    'everything works with the keyboard alone, and the focus is always visible',
    async () => {
      const somebody = await person();
      const { key } = await issueKey(somebody);
      await send(key, '/channels');
      const { page } = await site.visit({
        permissions: ['clipboard-read', 'clipboard-write'],
        viewport: { width: 1280, height: 600 },
      });
      const { keyboard } = page;
      await page.goto('/console/settings/api');
      await title(page, 'Sign in').waitFor();
      await focused(field(page, 'E-mail address'));
      await tabTo(page, page.getByRole('link', { name: 'Skip to content' }), 'Shift+Tab');
      await keyboard.press('Enter');
      await tabTo(page, field(page, 'E-mail address'));
      await keyboard.type(somebody.email);
      await tabTo(page, field(page, 'Password'));
      await keyboard.type('a wrong password');
      await keyboard.press('Enter');
      await page
        .getByText(/password is wrong/i)
        .first()
        .waitFor();
      await assertFocusSeen(page);
      await keyboard.press('ControlOrMeta+A');
      await keyboard.type(password);
      await keyboard.press('Enter');
      await title(page, 'API').waitFor();
      await focused(title(page, 'API'));

      site.world.clock.now += 15 * minute;
      const reveal = button(page, 'Reveal');
      const dialog = page.getByRole('dialog');
      await tabTo(page, reveal);
      await keyboard.press('Space');
      await dialog.waitFor();
      await focused(field(dialog, 'Password'));
      for (let stops = 0; stops < 8; stops += 1) {
        await keyboard.press('Tab');
        assert.ok(
          await page.evaluate(
            'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
          ),
        );
      }
      await keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await focused(reveal);
      await keyboard.press('Enter');
      await dialog.waitFor();
      await keyboard.type(password);
      await keyboard.press('Enter');
      await page.getByText(key, { exact: true }).waitFor();
      await focused(button(page, 'Hide'));
      await assertFocusSeen(page);
      await tabTo(page, button(page, 'Copy').first());
      await keyboard.press('Space');
      await page.getByText('Key copied.').waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);

      const table = page.getByRole('region', { name: 'Requests by day, table' });
      await tabTo(page, button(page, 'Show as a table: Requests by day'));
      await keyboard.press('Enter');
      await tabTo(page, table);
      await tabTo(page, button(page, 'Refresh latest requests'));
      await keyboard.press('Enter');
      await page.getByRole('region', { name: 'Latest requests, table' }).waitFor();
      await assertFocusSeen(page);

      await tabTo(page, page.getByRole('link', { name: 'Security' }), 'Shift+Tab');
      await keyboard.press('Enter');
      await title(page, 'Security').waitFor();
      await focused(title(page, 'Security'));
      await tabTo(page, field(page, 'Current password'));
      await tabTo(page, button(page, 'Sign out'), 'Shift+Tab');
      await keyboard.press('Enter');
      await title(page, 'Sign in').waitFor();
      await focused(field(page, 'E-mail address'));
    },
  );

  deepTest(
    'after signing out, neither going back nor another user shows the former pages',
    async () => {
      const somebody = await person({ name: 'First organisation' });
      const { key } = await issueKey(somebody);
      const another = await person({ name: 'Second organisation' });
      const { page, context } = await arrive(somebody.email);
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
    },
  );

  test('a page that comes back from the memory of the browser shows neither a key nor, after a sign-out elsewhere, anything', async () => {
    const somebody = await person();
    const { key } = await issueKey(somebody);
    const { page, context } = await arrive(somebody.email);
    await button(page, 'Reveal').click();
    await page.getByText(key, { exact: true }).waitFor();
    await page.evaluate(
      'window.addEventListener("pageshow", ({ persisted }) => { window.isBack = persisted; })',
    );
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

  deepTest(
    'a part that fails to load shows an error with a retry, and leaves the rest as it is',
    async () => {
      const somebody = await person();
      const { key } = await issueKey(somebody);
      await send(key, '/channels');
      const visit = await arrive(somebody.email);
      const { page } = visit;
      const regions = [
        ['access', 'your access', 'Plan and limits'],
        ['usage', 'usage', 'Requests by day'],
        ['requests', 'latest requests', undefined],
      ] as const;
      for (const [path, name, shown] of regions) {
        await page.route(`**/account/${path}`, (route) =>
          route.fulfill({ status: 500, json: { status: 'error', error: 'internal error' } }),
        );
        await page.reload();
        await page.getByText(`Could not load ${name}.`).waitFor();
        await assertGood(page, `${path} failed to load`, path === 'usage' ? 'some' : 'narrow');
        await page.unroute(`**/account/${path}`);
        await page.route(`**/account/${path}`, (route) =>
          route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
        );
        const retry = page
          .getByRole('alert')
          .filter({ hasText: `Could not load ${name}.` })
          .getByRole('button', { name: 'Try again' });
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
      forgive(
        visit,
        /^error on the console: Failed to load resource: (?:the server responded with a status of 50[03]|net::ERR_FAILED)/,
      );

      // Slow: the page shows that it is loading.
      const held = Promise.withResolvers<void>();
      await page.route('**/account/usage', async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.reload();
      await page.getByText('Loading usage …').waitFor();
      await assertGood(page, 'usage on its way', 'narrow');
      held.resolve();
      await page.getByRole('heading', { name: 'Requests by day' }).waitFor();
    },
  );

  deepTest(
    'names and addresses of any length and with any letters are shown as they are, and fit',
    async () => {
      const name =
        `${'W'.repeat(60)} <img src=x onerror="document.title='broken'"> ${'Organisation '.repeat(6)}`.trim();
      const email = `"<b>${'long.'.repeat(20)}&amp;"@${'example-'.repeat(5)}.${'w'.repeat(50)}.example`;
      const somebody = await person({ name }, { email });
      const { key } = await issueKey(somebody);
      const requestId = 'W'.repeat(64);
      await fetch(`${site.address}/channels`, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          'x-request-id': requestId,
        },
        body: '{}',
      });
      const link = await issueLink(somebody);
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
      const other = await arrive(member.email);
      await other.page.getByRole('link', { name: email }).waitFor();
      await assertGood(other.page, 'a member with long names', 'narrow');
    },
  );

  deepTest('the sign-in page leads to no other site, whatever its address says', async () => {
    const { email } = await person();
    const { page, context } = await site.visit();
    for (const next of [
      'https://elsewhere.test/',
      '//elsewhere.test/',
      '/\\elsewhere.test/',
      'javascript:alert(1)',
      '/console/../..//elsewhere.test',
    ]) {
      await page.goto(`/console/sign-in?next=${encodeURIComponent(next)}`);
      await enter(page, email);
      await title(page, 'Overview').waitFor();
      assert.equal(page.url(), `${site.address}/console/overview`, next);
      await context.clearCookies();
    }
    await page.goto(`/console/sign-in?next=${encodeURIComponent('/guides')}`);
    await enter(page, email);
    await page.waitForURL(`${site.address}/guides`);
  });

  test('scripts see no cookie; pages of other origins, of the same host or not, can do nothing with it', async () => {
    const somebody = await person();
    const { keyId } = await issueKey(somebody);
    const visit = await site.visit();
    const { page, context } = visit;
    await signInAtPage(page, somebody.email);
    const cookies = await context.cookies();
    const ours = { httpOnly: true, sameSite: 'Strict', path: '/' };
    assert.deepEqual(
      cookies.map(({ name, httpOnly, sameSite, path }) => ({ name, httpOnly, sameSite, path })),
      ['vitrine-session', 'vitrine-device'].map((name) => ({ name, ...ours })),
    );
    assert.equal(await page.evaluate('document.cookie'), '');

    const foreign = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Elsewhere</title><iframe name="here"></iframe>');
    }).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    try {
      const { port } = foreign.address() as AddressInfo;
      const elsewhere = await context.newPage();
      const targets = {
        reveal: `${site.address}/account/keys/${keyId}/reveal`,
        session: `${site.address}/account/session`,
        sessions: `${site.address}/account/sessions`,
      };
      const before = site.world.logLines.length;
      // To the browser the first is of the same site, to which cookies go along; the second is not.
      for (const host of ['127.0.0.1', 'localhost']) {
        await elsewhere.goto(`http://${host}:${port}/`);
        const outcomes = await elsewhere.evaluate<string[]>(`(async () => {
          const outcomeOf = (request) =>
            request.then((answer) => answer.type + ' ' + answer.status, () => 'failed');
          const json = { headers: { 'content-type': 'application/json' }, body: '{}' };
          const { reveal, session, sessions } = ${JSON.stringify(targets)};
          const given = { credentials: 'include' };
          const form = (action, enctype) => new Promise((resolve) => {
            const settings = { action, enctype, method: 'post', target: 'here' };
            const made = Object.assign(document.createElement('form'), settings);
            const field = { name: '{"email":"a@example.com","password":"', value: '"}' };
            made.append(Object.assign(document.createElement('input'), field));
            document.body.append(made);
            document.querySelector('iframe').onload = resolve;
            made.submit();
          });
          await form(reveal, 'application/x-www-form-urlencoded');
          await form(session, 'text/plain');
          return [
            await outcomeOf(fetch(session, given)),
            await outcomeOf(fetch(session, { ...given, method: 'DELETE' })),
            await outcomeOf(fetch(sessions, { ...given, method: 'DELETE' })),
            await outcomeOf(fetch(reveal, { ...given, method: 'POST' })),
            await outcomeOf(fetch(reveal, { ...given, method: 'POST', mode: 'no-cors' })),
            await outcomeOf(fetch(session, { ...given, ...json, method: 'POST' })),
          ];
        })()`);
        assert.deepEqual(outcomes, Array(6).fill('failed'));
      }
      const answers = site.world.logLines.slice(before).map((line) => JSON.parse(line));
      const changing = answers.filter(
        ({ method, route }) =>
          method !== 'GET' && method !== 'OPTIONS' && route?.startsWith('/account/'),
      );
      // From each: two forms, and two questions that browsers ask without leave.
      assert.deepEqual(
        changing.map(({ status }) => status),
        Array(8).fill(403),
      );
      await elsewhere.evaluate(
        `document.querySelector('iframe').src = ${JSON.stringify(`${site.address}/console/`)}`,
      );
      await elsewhere.frame('here')!.waitForURL(/^chrome-error:/);
      await elsewhere.close();
    } finally {
      foreign.close();
    }
    forgive(
      visit,
      /^request to another host|^content security policy: frame-ancestors|^error on the console/,
    );
    await page.reload();
    await title(page, 'API').waitFor();
    assert.equal((await auditOf(keyId)).length, 1);
  });

  deepTest('a session that somebody has set before is not the one that is signed in', async () => {
    const { email } = await person();
    const { page, context } = await site.visit();
    const planted = {
      name: 'vitrine-session',
      value: `vit_session_${'A'.repeat(43)}`,
      url: site.address,
      httpOnly: true,
      sameSite: 'Strict',
    } as const;
    await context.addCookies([planted]);
    await signInAtPage(page, email);
    const [first] = await context.cookies();
    assert.notEqual(first!.value, planted.value);
    const kept = visitWithoutBrowser(site.world, { cookie: `${first!.name}=${first!.value}` });
    assert.equal((await kept.ask('GET', '/account/session')).status, 200);
    await button(page, 'Sign out').click();
    await title(page, 'Sign in').waitFor();
    await context.addCookies([{ ...planted, value: first!.value }]);
    await enter(page, email);
    await title(page, 'Overview').waitFor();
    assert.notEqual((await context.cookies())[0]!.value, first!.value);
    assert.equal((await kept.ask('GET', '/account/session')).status, 401);
  });

  deepTest(
    'pages work without TLS; a browser that cannot copy shows the key for selection',
    async () => {
      const somebody = await person();
      const { key } = await issueKey(somebody);
      const address = site.address.replace('127.0.0.1', 'vitrine.test');
      const visit = await site.visit({ baseURL: address });
      const { page } = visit;
      await page.goto('/console/settings/api');
      await enter(page, somebody.email);
      await title(page, 'API').waitFor();
      await button(page, 'Copy').first().click();
      await page.getByText(key, { exact: true }).waitFor();
      await page.getByText('select the key to copy it').waitFor();
      await button(page, 'Sign out').click();
      await title(page, 'Sign in').waitFor();
      // The browser says that it does not keep windows apart at such addresses.
      forgive(visit, /Cross-Origin-Opener-Policy header has been ignored/);
    },
  );

  deepTest('the guides are there for everybody', async () => {
    const visit = await site.visit();
    const { page, problems } = visit;
    await page.goto('/guides');
    await assertGood(page, 'the guides');
    const links = await page.locator('main a[href^="/guides/"], nav a[href^="/guides/"]').all();
    const addresses = [
      ...new Set(
        await Promise.all(
          links.map(async (link) => (await link.getAttribute('href'))!.split('#')[0]!),
        ),
      ),
    ];
    assert.ok(addresses.length >= 6, addresses.join(' '));
    for (const address of addresses) {
      assert.equal((await page.goto(address))!.status(), 200, address);
      await assertGood(page, address, 'narrowFit');
    }
    await page.goto('/guides/periods');
    await page.locator('main picture').scrollIntoViewIfNeeded();
    const dark = page.waitForResponse(/period-dark-/);
    await page.getByLabel('Theme').selectOption('dark');
    assert.equal((await dark).status(), 200);
    for (const [theme, media] of [
      ['light', 'not all'],
      ['system', '(prefers-color-scheme: dark)'],
    ] as const) {
      await page.getByLabel('Theme').selectOption(theme);
      await page.locator(`source[media="${media}"]`).waitFor({ state: 'attached' });
    }
    await page.goto('/guides');
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox', { name: 'Search the guides' });
    await focused(search);
    await page.keyboard.type('retry-after');
    const found = page.locator('.found a');
    await found.first().waitFor();
    await assertGood(page, 'the search of the guides', 'narrowFit');
    await page.keyboard.press('Escape');
    assert.ok(await found.first().isHidden());
    await page.keyboard.type(' 429');
    await found.first().waitFor();
    await page.keyboard.press('ArrowDown');
    await focused(found.first());
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/guides\/errors-and-limits#/);
    await page.goto('/guides/nowhere');
    await title(page, 'Page not found').waitFor();
    assert.ok(problems.length <= 1);
    forgive(visit, /status of 404/);
  });

  deepTest(
    'the reference shows every call, follows the theme, and tries a call with a key that it keeps nowhere',
    async () => {
      const { key } = await site.world.tenant();
      const { page } = await site.visit();
      await page.goto('/reference');
      await page.getByText('List channels').first().waitFor();
      await assertGood(page, 'the reference', 'wideFit');
      await page.getByLabel('Theme').selectOption('dark');
      await page.locator('body.dark-mode').waitFor();

      await page
        .locator('#reference input[type=password], #reference .scalar-password-input')
        .first()
        .fill(key);
      await page.getByText('List channels').first().click();
      await page
        .getByRole('button', { name: /Test Request/ })
        .first()
        .click();
      await page.getByRole('button', { name: /^Send/ }).first().click();
      await page.getByText('200 OK').waitFor();
      const kept = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      );
      assert.ok(!kept.includes(key), kept);

      await page.goto('/console/sign-in');
      assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    },
  );

  test('no log line names a password, an address, a key, a token or a cookie', () => {
    const log = site.world.logLines.filter((line) => !line.includes('Server listening')).join('');
    for (const secret of [
      password,
      'a password of my own',
      'a wrong password',
      '@example.com',
      'vit_live_',
      'vit_session_',
      'vit_link_',
      '127.0.0.1',
    ]) {
      assert.ok(!log.includes(secret), secret);
    }
  });
});
