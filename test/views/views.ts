/** Helpers of the tests of the views of the console. */
import type { Locator, Page } from 'playwright-core';
import type { Site, Visit } from '../browser.ts';
import type { Tenant, World } from '../harness.ts';
import { importRows } from '../imports.ts';
import { tablesBeside } from '../table.ts';
import { makePerson, signIn } from '../visitors.ts';
import { importFacts } from '../world.ts';

/** A store in Germany and one in America, 1.25 dollars for a euro, and the e-mail of their owner. */
export async function makeStores(
  world: World,
  prefix: string,
): Promise<{ readonly tenant: Tenant; readonly email: string }> {
  const of = (displayName: string, countryCode: string, currency: string) => ({
    displayName,
    countryCode,
    currency,
    timezone: 'UTC',
  });
  const channel = of('Germany', 'DE', 'EUR');
  const tenant = await world.tenant({ channelId: `${prefix}-de`, channel });
  const { organisationId } = tenant;
  const america = { ...of('America', 'US', 'USD'), merchantId: 'A1 @ US' };
  await world.channel(organisationId, `${prefix}-us`, america);
  const rates = [{ date: '2026-01-01', currency: 'USD', perEuro: '1.25' }];
  await importRows(world, 'exchangeRates', undefined, rates);
  return { tenant, email: (await makePerson(world, organisationId)).email };
}

/** Connects a vendor store beside them. */
export async function makeVendor(world: World, { organisationId }: Tenant, channelId: string) {
  const settings = { displayName: 'Vendor', currency: 'USD', timezone: 'UTC' };
  const vendor = { ...settings, merchantId: 'V1 @ US', kind: 'vendor' as const };
  await world.channel(organisationId, channelId, vendor);
}

/** Imports the facts of a text into stores: `== ` and a store stand above each of their datasets. */
export async function importStores(world: World, address: string, name: string) {
  for (const [heading, rows] of Object.entries(tablesBeside(address, name))) {
    const [channelId = '', dataset = ''] = heading.split(' ');
    await importFacts(world, channelId, { [dataset]: rows });
  }
}

/** The cookie of a sign-in without a browser, which was one of Firefox on Linux by default. */
export async function cookieOf(
  { world, address }: Site,
  email: string,
  settings: Parameters<typeof signIn>[2] = {},
) {
  const { cookie } = await signIn(world, email, settings);
  const [name, value] = cookie!.split('=') as [string, string];
  return { name, value, url: address, httpOnly: true, sameSite: 'Strict' as const };
}

/** Opens a view as a signed-in user, and waits for a heading of it. */
export async function signedIn(
  site: Site,
  email: string,
  path: string,
  heading: string,
): Promise<Visit> {
  const visit = await site.visit({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
  await visit.context.addCookies([await cookieOf(site, email)]);
  await visit.page.goto(path);
  await visit.page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  return visit;
}

/** How pages mark figures that are on their way; lines in the cells of tables come after the rest. */
const unsettled = '[aria-busy="true"]:not(.trend), .skeleton, .blank, .faded';

/** Waits until something is there and nothing on its page is on its way. */
export async function settled(shown: Locator): Promise<void> {
  await shown.first().waitFor();
  await shown.page().locator(unsettled).first().waitFor({ state: 'detached' });
}

/** The texts of elements once their page has settled. */
export async function textsOf(shown: Locator): Promise<string[]> {
  await settled(shown);
  return shown.allInnerTexts();
}

/** The texts of the cells of rows once their page has settled. */
export async function figuresIn(table: Locator, rows: string): Promise<string[][]> {
  await settled(table.locator(rows));
  return table
    .locator(rows)
    .evaluateAll((found) =>
      found.map((row) =>
        [...row.querySelectorAll('th, td')].map((cell: { innerText: string }) =>
          cell.innerText.trim(),
        ),
      ),
    );
}

/** Holds back the requests to addresses until the function that it returns is called. */
export async function heldRequests(
  page: Page,
  addresses: string,
  isHeld: (url: URL) => boolean = () => true,
): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    if (isHeld(new URL(route.request().url()))) await promise;
    await route.continue();
  });
  return resolve;
}
