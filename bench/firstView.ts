/**
 * How soon after the click on "Sign in" the overview of the demonstration shows figures, with an
 * empty cache, and how many requests follow one another. `node bench/firstView.ts [rounds=5]`
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../test/servers/chromium.ts';
import { startService } from '../test/service.ts';
import { heapFlags, median } from './measure.ts';

const program = fileURLToPath(new URL('../src/cli/vitrine.ts', import.meta.url));
const rounds = Number(process.argv[2] ?? '5');
const pollMilliseconds = 200;
/** The network latencies to try, in milliseconds there and back. */
const latencies = [0, 40];

type Sent = { readonly from: number; readonly to: number };

/** The length of the longest chain of requests that each began after the previous one ended. */
function chainOf(requests: readonly Sent[]): number {
  let [length, end] = [0, -Infinity];
  for (const { from, to } of [...requests].sort((one, other) => one.to - other.to)) {
    if (from < end) continue;
    length++;
    end = to;
  }
  return length;
}

/** Delays every answer for as long as a network would take. */
async function slow(page: Page, latency: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const throughput = { downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    ...throughput,
  });
}

type Owner = { readonly email: string; readonly password: string };

/** Reads who may sign in from the file that the demonstration writes. */
function ownerIn(text: string): Owner {
  const [, email, password] = /as owner\s+(\S+)\s+(\S+)/.exec(text) ?? [];
  if (password === undefined) throw new Error('the demonstration names no owner');
  return { email: email!, password };
}

type Seen = {
  readonly milliseconds: number;
  readonly requests: number;
  readonly chain: number;
};

/** Signs in with an empty cache, and waits for the figures. */
async function visit(
  browser: Browser,
  address: string,
  { email, password }: Owner,
  latency: number,
): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await slow(page, latency);
    await page.goto(`${address}/console/`, { waitUntil: 'networkidle' });
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    const requests: Sent[] = [];
    let [begun, shown] = [0, 0];
    page.on('requestfinished', (request) => {
      const { startTime, responseEnd } = request.timing();
      requests.push({ from: startTime, to: startTime + responseEnd });
    });
    begun = performance.now();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-metric="sales"]').getByText(/\d/).first().waitFor();
    shown = performance.now();
    return { milliseconds: shown - begun, requests: requests.length, chain: chainOf(requests) };
  } finally {
    await context.close();
  }
}

/** Measures with a new service, because a service allows a user at most ten sign-ins in a row. */
async function measureAt(browser: Browser, latency: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-first-view-'));
  const words = [...heapFlags, program, 'serve', '--demonstration'];
  const service = await startService(folder, {}, words);
  try {
    const made = join(folder, 'demonstration.env');
    while (!existsSync(made)) await wait(pollMilliseconds);
    const owner = ownerIn(readFileSync(made, 'utf8'));
    await visit(browser, service.address, owner, latency);
    const seen: Seen[] = [];
    for (let round = 0; round < rounds; round++)
      seen.push(await visit(browser, service.address, owner, latency));
    const times = seen.map(({ milliseconds }) => Math.round(milliseconds));
    const { requests, chain } = seen.at(-1)!;
    console.log([`${latency} ms`, median(times), times.join(' '), requests, chain].join('   '));
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const browser = await startChromium();
try {
  console.log('latency    ms (median)   ms (all)   requests   in a chain');
  for (const latency of latencies) await measureAt(browser, latency);
} finally {
  await browser.close();
}
