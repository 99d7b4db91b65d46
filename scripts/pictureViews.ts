/** The views that README and guides show, and how each is opened. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import type { Documented } from '../test/guides.ts';

/** A picture of a view. */
export type Picture = {
  /** The name of its files in docs/pictures. */
  readonly name: string;
  /** The window in CSS pixels, high enough that nothing has to be scrolled. */
  readonly size: { readonly width: number; readonly height: number };
  /** The pixels in one CSS pixel, each way; by default as in the pictures of the guides. */
  readonly density?: number;
  /** Opens the view on a page of the signed-in owner. */
  open(page: Page, service: Documented): Promise<void>;
  /** The parts that are shown, with all between them; without any, the whole window. */
  readonly parts?: (page: Page) => readonly Locator[];
};

/** Wide enough for a table, and narrow enough that its text can be read in a guide. */
const narrow = { width: 960, height: 1_600 };
const minute = 60_000;
const channel = { channelId: 'northwind-us', merchantId: 'A2NORTHWIND01 @ ATVPDKIKX0DER' };
const october = { fromDate: 1_790_838_000, toDate: 1_793_516_399, timezone: 'America/Los_Angeles' };
const sales = '/reports/view/salesByPeriod';
/** The requests of the program; one is refused. */
const requests = [
  ['POST', '/channels', {}],
  ['POST', sales, { ...channel, reportOptions: { ...october, interval: 'week' } }],
  ['POST', sales, { ...channel, reportOptions: { ...october, timezone: 'Los Angeles' } }],
  ['POST', '/profitability/storeProfitAndLoss', { ...channel, reportOptions: october }],
  ['GET', `/customGroups?${new URLSearchParams(channel)}`, undefined],
  ['POST', '/reports/create/inventoryReplenishment', channel],
] as const;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
/** A panel by its title, which a count may follow. */
const panel = (page: Page, title: string) =>
  page.getByRole('region', { name: new RegExp(`^${title}( \\d+)?$`) });

/** The pictures. */
export const pictures: readonly Picture[] = [
  {
    name: 'overview',
    size: { width: 1_360, height: 1_080 },
    // README shows it smaller than its size.
    density: 1.2,
    open: async (page) => void (await page.goto('/console/overview')),
  },
  {
    name: 'key',
    size: narrow,
    open: async (page) => void (await page.goto('/console/settings/api')),
    parts: (page) => [heading(page), panel(page, 'Keys')],
  },
  {
    name: 'requests',
    size: { width: 1_100, height: 2_400 },
    open: async (page) => void (await page.goto('/console/settings/api')),
    parts: (page) => [panel(page, 'Latest requests')],
  },
  {
    name: 'period',
    size: { ...narrow, width: 1_100 },
    async open(page) {
      await page.goto('/console/overview?from=2026-10-01&to=2026-10-31');
      await page.getByRole('button', { name: 'Oct 1 – 31' }).click();
    },
    parts: (page) => [heading(page), page.locator('.period')],
  },
  {
    name: 'lineage',
    size: { ...narrow, height: 2_000 },
    async open(page) {
      await page.goto('/console/stores/northwind-us/sales?lineage=2026-10-01&dataset=traffic');
    },
    parts: (page) => [panel(page, 'Where the figures come from')],
  },
  {
    name: 'schedules',
    size: { ...narrow, width: 1_060 },
    async open(page) {
      const name = 'Sales of all stores, each Monday';
      await page.goto('/console/settings/schedules?schedule=northwind-monday');
      await page.getByRole('button', { name: `Run now: ${name}` }).click();
      await panel(page, 'Runs').getByText('Done').waitFor();
      await page.reload();
      await page.locator('summary').first().click();
    },
    parts: (page) => [heading(page), panel(page, 'Runs')],
  },
  {
    name: 'deliveries',
    size: narrow,
    open: async (page) =>
      void (await page.goto('/console/settings/webhooks?webhook=northwind-alerts')),
    parts: (page) => [panel(page, 'Deliveries')],
  },
  {
    name: 'members',
    size: narrow,
    open: async (page) => void (await page.goto('/console/settings/members')),
    parts: (page) => [heading(page), panel(page, 'Members')],
  },
  {
    name: 'import',
    size: narrow,
    async open(page, service) {
      await openOperator(page, service, '?section=channels&channel=acme-us');
      await page.getByLabel('Documents to import').setInputFiles({
        name: 'all-orders.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(ordersWithFault()),
      });
      await panel(page, 'all-orders.txt').getByText('Refused').first().waitFor();
    },
    parts: (page) => [page.locator('.crumbs'), panel(page, 'all-orders.txt')],
  },
  {
    name: 'operator',
    size: narrow,
    open: (page, service) => openOperator(page, service, ''),
    parts: (page) => [heading(page), panel(page, 'The service')],
  },
];

/**
 * Adds what the demonstration lacks: requests of a program, and the organisation and channel of the
 * guide to imports.
 */
export async function furnish({ world, demonstration: { key } }: Documented): Promise<void> {
  const { clock, timers } = world;
  const end = clock.now;
  for (const [place, [method, path, body]] of requests.entries()) {
    clock.now = end - (requests.length - place) * minute;
    await world.ask(key, method, path, body, { 'x-request-id': `reports-${place + 1}` });
  }
  clock.now = end;
  // The counts of requests are written.
  timers.advance(minute);
  const { organisationId } = await world.operate('POST', '/operator/organisations', {
    name: 'Acme',
  });
  await world.channel(organisationId, 'acme-us', {
    merchantId: 'A1ACME @ ATVPDKIKX0DER',
    displayName: 'Acme US',
    timezone: 'America/Los_Angeles',
  });
}

async function openOperator(page: Page, service: Documented, query: string): Promise<void> {
  await page.goto(`/console/operator${query}`);
  await page.getByLabel('Operator token').fill(service.operatorToken);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Operator' }).waitFor({ state: 'detached' });
}

/** The orders of the samples; one has no valid price. */
function ordersWithFault(): string {
  const orders = readFileSync(new URL('../samples/all-orders.txt', import.meta.url), 'utf8');
  return orders.replace('34.90', 'twelve');
}
