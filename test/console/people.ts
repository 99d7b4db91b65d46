/** People on the account pages: who they are, how they arrive, and what every page has. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { focused, onSite, type Site, type Visit } from '../browser.ts';
import { hardlyLimited, type WorldOptions } from '../harness.ts';
import { cookieOf } from '../views/views.ts';
import { makePerson, password } from '../visitors.ts';

/** A minute of the service's clock, in milliseconds. */
export const minute = 60_000;

/** Somebody with a password. */
type Person = { readonly organisationId: string; readonly userId: string; readonly email: string };
/** The part of an answer that a client of the API sees. */
export type Sent = { readonly status: number; readonly requestId: string };

/** Secrets and addresses that no log line may name. */
const secrets = [
  ...[password, 'a password of my own', 'a wrong password', '@example.com', '127.0.0.1'],
  ...['vit_live_', 'vit_session_', 'vit_link_'],
];

/** A suite of the account pages, at the time of the machine, after which the log is searched. */
export function onAccountPages(
  name: string,
  options: WorldOptions,
  define: (site: Site) => void,
): void {
  onSite(name, options, (site) => {
    before(() => {
      // The browser knows no other time than that of the machine.
      site.world.clock.now = Date.now();
    });
    define(site);
    test('no log line names a password, an address, a key, a token or a cookie', () => {
      const lines = site.world.logLines.filter((line) => !line.includes('Server listening'));
      for (const secret of secrets) assert.ok(!lines.join('').includes(secret), secret);
    });
  });
}

/** Makes somebody with an organisation of their own. */
export async function person(
  { world }: Site,
  organisation: object = {},
  settings: Parameters<typeof makePerson>[2] = {},
): Promise<Person> {
  const input = { name: 'Acme', ...organisation };
  const { organisationId } = await world.operate('POST', '/operator/organisations', input);
  return { organisationId, ...(await makePerson(world, organisationId, settings)) };
}

/** Issues a key for somebody. */
export async function issueKey(
  { world }: Site,
  { userId }: Person,
  limits: Partial<typeof hardlyLimited> = {},
): Promise<{ keyId: string; key: string }> {
  const input = { userId, limits: { ...hardlyLimited, ...limits } };
  return world.operate('POST', '/operator/keys', input);
}

/** Issues a link to choose a password by; returns its address. */
export async function issueLink(
  { world }: Site,
  { userId }: Pick<Person, 'userId'>,
  input: object = {},
): Promise<string> {
  return (await world.operate('POST', `/operator/users/${userId}/passwordLinks`, input)).url;
}

/** Sends a request with a key. */
export async function send({ address }: Site, key: string, path: string, body: unknown = {}) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${address}${path}`, sent);
  await answer.arrayBuffer();
  return { status: answer.status, requestId: answer.headers.get('x-request-id')! };
}

/** Actions of the audit by their subject, newest first. */
export async function auditOf(
  { world }: Site,
  subject: string,
): Promise<{ actor: string; action: string }[]> {
  const path = `/operator/audit?subject=${subject}&pageSize=100`;
  const { entries } = await world.operate('GET', path);
  return entries.map(({ actor, action }: { actor: string; action: string }) => ({
    actor,
    action,
  }));
}

/** The heading of a page. */
export const title = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });
/** A button by its whole name. */
export const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true });
/** A field by its whole label. */
export const field = (within: Page | Locator, name: string) =>
  within.getByLabel(name, { exact: true });
/** The places that show keys. */
export const keyText = (page: Page) => page.locator('.key-text');

/** Fills in and sends the form of the sign-in page. */
export async function enter(page: Page, email: string, entered = password): Promise<void> {
  await field(page, 'E-mail address').fill(email);
  await field(page, 'Password').fill(entered);
  await button(page, 'Sign in').click();
}

/** Signs in on the way to the page of the API. */
export async function signInAtPage(page: Page, email: string): Promise<void> {
  await page.goto('/console/settings/api');
  await enter(page, email);
  await title(page, 'API').waitFor();
}

/** Opens a page in the window of a signed-in user. */
export async function arrive(
  site: Site,
  email: string,
  path = '/console/settings/api',
  options: Parameters<Site['visit']>[0] = {},
): Promise<Visit> {
  const visit = await site.visit(options);
  const { userAgent } = options;
  const cookie = await cookieOf(site, email, userAgent === undefined ? {} : { userAgent });
  await visit.context.addCookies([cookie]);
  await visit.page.goto(path);
  await visit.page.getByRole('heading', { level: 1 }).waitFor();
  return visit;
}

/** Checks that a field shows and announces its error, and has the focus. */
export async function assertRefused(page: Page, input: Locator, text: string | RegExp) {
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

/** Checks that the test caused all the problems, and clears them. */
export function forgive({ problems }: Visit, expected: RegExp): void {
  for (const problem of problems.splice(0)) assert.match(problem, expected);
}
