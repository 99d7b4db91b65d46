/** Signing in, invitations and links to passwords lead to the requested page, and nowhere else. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { assertGood, tabPress } from '../browser.ts';
import { deepTest, level } from '../level.ts';
import { codeAt } from '../secondFactor.ts';
import { textBeside } from '../table.ts';
import { password, visit as visitWithoutBrowser } from '../visitors.ts';
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
  minute,
  onAccountPages,
  person,
  signInAtPage,
  title,
} from './people.ts';

/** The script of a page of another origin, which answers what its requests came to. */
const foreignPage = textBeside(import.meta.url, 'foreignPage.txt');

onAccountPages('signing in', {}, (site) => {
  test('a visitor is sent to the sign-in page and, once signed in, to the requested page', async () => {
    const { email } = await person(site);
    const { page } = await site.visit();
    await page.goto('/console/settings/security');
    await title(page, 'Sign in').waitFor();
    assert.equal(await page.title(), 'Sign in – Vitrine');
    await assertGood(page, 'sign-in', 'all');

    await button(page, 'Sign in').click();
    await assertRefused(page, field(page, 'E-mail address'), 'Enter your e-mail address.');
    await enter(page, email, 'a wrong password');
    const refusal = /the e-mail address or the password is wrong/i;
    await assertRefused(page, field(page, 'Password'), refusal);
    if (level === 'deep') await assertGood(page, 'sign-in with a wrong password');

    await enter(page, `  ${email.toUpperCase()} `);
    await title(page, 'Security').waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/settings/security');
    await page.reload();
    await title(page, 'Security').waitFor();
    await page.goto('/');
    await title(page, 'Overview').waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/overview');
  });

  deepTest('an unknown address and a wrong password are alike; many attempts wait', async () => {
    const { email } = await person(site);
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
    const wrong = { email, password: 'a wrong password' };
    for (let tries = 2; tries <= 10; tries += 1)
      assert.equal((await quick.ask('POST', '/account/session', wrong)).status, 401);
    await enter(page, email);
    await page.getByText('Too many attempts. Try again in 15 minutes.').waitFor();
    await assertGood(page, 'sign-in after too many tries', 'narrow');
  });

  deepTest('an invitation lets somebody choose a password, once', async () => {
    const { organisationId } = await person(site, { name: 'Northwind & Daughters <i>GmbH</i>' });
    const email = `new-${randomUUID()}@example.com`;
    const owner = { organisationId, email, role: 'owner' };
    const { userId } = await site.world.operate('POST', '/operator/users', owner);
    const link = await issueLink(site, { userId });
    const { page } = await site.visit();
    await page.goto(link);
    await title(page, 'Welcome to Vitrine').waitFor();
    await page.getByText('Northwind & Daughters <i>GmbH</i>').first().waitFor();
    await page.getByText(email).first().waitFor();
    await assertGood(page, 'invitation');
    await field(page, 'New password').fill('too short');
    await button(page, 'Set password and sign in').click();
    await assertRefused(page, field(page, 'New password'), /too short: add 3 more characters/);
    if (level === 'deep') await assertGood(page, 'invitation with a short password', 'narrow');
    await field(page, 'New password').fill('a password of my own');
    await button(page, 'Set password and sign in').click();
    await title(page, 'Overview').waitFor();
    assert.ok(!page.url().includes('vit_'), page.url());
    assert.deepEqual((await auditOf(site, userId)).slice(0, 2), [
      { actor: userId, action: 'usePasswordLink' },
      { actor: 'operator', action: 'issuePasswordLink' },
    ]);

    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(link);
    await title(page, 'This link does not work').waitFor();
    if (level === 'deep') await assertGood(page, 'a used link', 'narrow');
    await page.getByRole('link', { name: 'Sign in with your password' }).click();
    await enter(page, email, 'a password of my own');
    await title(page, 'Overview').waitFor();
  });

  deepTest('links that are old or not whole do not work; a reset ends all sessions', async () => {
    const somebody = await person(site);
    const { page } = await arrive(site, somebody.email);
    const expired = await issueLink(site, somebody, { validSeconds: 60 });
    const other = await site.visit();
    const dead = title(other.page, 'This link does not work');
    site.world.clock.now += minute;
    await other.page.goto(expired);
    await dead.waitFor();
    const replaced = await issueLink(site, somebody);
    const link = await issueLink(site, somebody);
    const withoutToken = `${site.address}/console/password`;
    for (const bad of [replaced, link.slice(0, -1), `${link}x`, withoutToken]) {
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
  });

  deepTest('the sign-in page leads to no other site, whatever its address says', async () => {
    const { email } = await person(site);
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

  deepTest('scripts see no cookie; pages of other origins can do nothing with it', async () => {
    const somebody = await person(site);
    const { keyId } = await issueKey(site, somebody);
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
        const visiting = `(${foreignPage})(${JSON.stringify(targets)})`;
        const outcomes = await elsewhere.evaluate<string[]>(visiting);
        assert.deepEqual(outcomes, Array(6).fill('failed'));
      }
      const answers = site.world.logLines.slice(before).map((line) => JSON.parse(line));
      const ofAccounts = answers.filter(({ route }) => route?.startsWith('/account/'));
      const changing = ofAccounts.filter(({ method }) => !/^(GET|OPTIONS)$/.test(method));
      const statuses = changing.map(({ status }) => status);
      // From each: two forms, and two questions that browsers ask without leave.
      assert.deepEqual(statuses, Array(8).fill(403));
      const framed = JSON.stringify(`${site.address}/console/`);
      await elsewhere.evaluate(`document.querySelector('iframe').src = ${framed}`);
      await elsewhere.frame('here')!.waitForURL(/^chrome-error:/);
      await elsewhere.close();
    } finally {
      foreign.close();
    }
    const foreignOnes = /^request to another host|^content security policy: frame-ancestors/;
    forgive(visit, new RegExp(`${foreignOnes.source}|^error on the console`));
    await page.reload();
    await title(page, 'API').waitFor();
    assert.equal((await auditOf(site, keyId)).length, 1);
  });

  deepTest('a session that somebody has set before is not the one that is signed in', async () => {
    const { email } = await person(site);
    const { page, context } = await site.visit();
    const own = { name: 'vitrine-session', value: `vit_session_${'A'.repeat(43)}` };
    const planted = { ...own, url: site.address, httpOnly: true, sameSite: 'Strict' } as const;
    await context.addCookies([planted]);
    await signInAtPage(page, email);
    const [first] = await context.cookies();
    assert.notEqual(first!.value, planted.value);
    const session = visitWithoutBrowser(site.world, { cookie: `${first!.name}=${first!.value}` });
    assert.equal((await session.ask('GET', '/account/session')).status, 200);
    await button(page, 'Sign out').click();
    await title(page, 'Sign in').waitFor();
    await context.addCookies([{ ...planted, value: first!.value }]);
    await enter(page, email);
    await title(page, 'Overview').waitFor();
    assert.notEqual((await context.cookies())[0]!.value, first!.value);
    assert.equal((await session.ask('GET', '/account/session')).status, 401);
  });

  deepTest('pages work without TLS; who cannot copy is shown the key to select', async () => {
    const somebody = await person(site);
    const { key } = await issueKey(site, somebody);
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
    // The browser warns that it does not isolate windows at such addresses.
    forgive(visit, /Cross-Origin-Opener-Policy header has been ignored/);
  });
});

const required = { config: { requiresSecondFactor: true } };

onAccountPages('signing in where a second factor is required', required, (site) => {
  deepTest('leads to the page that sets one up, by the keyboard alone, and then on', async () => {
    const { email, userId } = await person(site);
    const { page } = await site.visit();
    await page.goto('/console/settings/security');
    await enter(page, email);
    await title(page, 'Set up two-step sign-in').waitFor();
    await assertGood(page, 'a second factor to set up', 'all');
    await field(page, 'Your password').fill(password);
    await page.keyboard.press('Enter');
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
    await field(page, 'Code').fill(codeAt(secret, site.world.clock.now));
    await page.keyboard.press('Enter');
    await page.locator('li code').nth(9).waitFor();
    await assertGood(page, 'recovery codes before the first page', 'all');
    await tabPress(page, page.getByRole('button', { name: /continue/ }));
    await title(page, 'Security').waitFor();
    await page.getByText('This service requires it').waitFor();
    assert.equal(await button(page, 'Turn off').count(), 0);
    await site.world.operate('DELETE', `/operator/users/${userId}/secondFactor`);
    await page.getByRole('link', { name: 'Profile' }).click();
    await title(page, 'Set up two-step sign-in').waitFor();
    await button(page, 'Sign out').click();
    await title(page, 'Sign in').waitFor();
  });
});
