/** Visitors in a real browser; reports everything that no page may do. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { atEnd } from './endings.ts';
import { type EndedTest, hasFailed, keepFailure } from './failures.ts';
import { clockStart, openWorld, type World, type WorldOptions } from './harness.ts';
import { level, slow } from './level.ts';
import { afterFrames, startChromium } from './servers/chromium.ts';
import { freePorts } from './servers/process.ts';

/** A service that listens on a loopback port, over a world of its own, and visitors' windows. */
export type Site = {
  readonly world: World;
  /** Where it is, such as http://127.0.0.1:40123. */
  readonly address: string;
  /** Opens a window for a new visitor. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** Closes all windows after a test. In none of them may anything have gone wrong. */
  leave(ended: EndedTest): Promise<void>;
  close(): Promise<void>;
};

/** A window and the problems in it. */
export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Requests to other hosts, violations of the content security policy, and errors of scripts and
   * on the console. A test removes the problems that it caused on purpose.
   */
  readonly problems: string[];
  /** Messages of the browser's console, and requests that failed or were refused. */
  readonly log: readonly string[];
};

/** Every rule of WCAG 2.2 AA that can be tried by a program. */
const accessibilityTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** A common window, and the narrowest in which nothing may be cut off. */
const [wideLight, wideDark, narrowLight, narrowDark] = ([1280, 320] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
) as [Look, Look, Look, Look];
const looks = {
  all: [wideLight, wideDark, narrowLight, narrowDark],
  some: [wideLight, narrowDark],
  narrow: [narrowDark],
  wide: [wideDark],
  narrowFit: [narrowDark],
  wideFit: [wideDark],
};
type Look = { readonly width: number; readonly colorScheme: 'light' | 'dark' };

/** The program that tries them, which every page loads. */
const axeProgram = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** How long a step on a page may take, such as a navigation: ample on a slow machine. */
const stepMilliseconds = 5 * 60_000;

/**
 * The longest random delay of answers to scripts, in milliseconds: tests that read a page too early
 * then fail. Set by VITRINE_TEST_LATENCY.
 */
const latencyMax = Number(process.env.VITRINE_TEST_LATENCY ?? 0);

/** More stops than any page has. */
const tabsMax = 120;

/** The browser of this process; it knows no other host than this machine. */
let chromium: Promise<Browser> | undefined;

atEnd(async () => (await chromium)?.close());

function sharedChromium(): Promise<Browser> {
  chromium ??= startChromium([
    '--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ]);
  return chromium;
}

/** The site of this process that no suite uses at the moment. */
let idle: Site | undefined;

atEnd(async () => idle?.close());

/**
 * A suite of tests of pages, whose site is there once they run. Suites without options follow one
 * another on the same site, each with tenants of its own; its clock begins anew.
 */
export function onSite(name: string, options: WorldOptions, define: (site: Site) => void) {
  const isShared = Object.keys(options).length === 0;
  describe(name, slow, () => {
    let site: Site | undefined;
    before(async () => {
      site = (isShared && idle) || (await openSite(options));
      if (site === idle) idle = undefined;
      site.world.clock.now = clockStart;
      site.world.logLines.length = 0;
    });
    afterEach(async (ended) => site?.leave(ended as EndedTest));
    after(async () => {
      if (isShared && idle === undefined) idle = site;
      else await site?.close();
    });
    define({
      get world() {
        return site!.world;
      },
      get address() {
        return site!.address;
      },
      visit: (visitor) => site!.visit(visitor),
      leave: (ended) => site!.leave(ended),
      close: () => site!.close(),
    });
  });
}

/** Opens a site. */
export async function openSite(options: WorldOptions = {}): Promise<Site> {
  const [port] = await freePorts(1);
  const address = `http://127.0.0.1:${port}`;
  const opening = [
    openWorld('embedded', { ...options, config: { publicUrl: address, ...options.config } }),
    sharedChromium(),
  ] as const;
  const visits: Visit[] = [];
  const leave = async () => {
    const ended = visits.splice(0);
    await Promise.all(ended.map(({ context }) => context.close()));
    return ended.flatMap(({ problems }) => problems);
  };
  const close = async () => {
    const [world] = await Promise.allSettled(opening);
    await leave();
    if (world.status === 'fulfilled') await world.value.close();
  };
  try {
    const [world, browser] = await Promise.all(opening);
    await world.server.listen({ host: '127.0.0.1', port: port! });
    return {
      world,
      address,
      close,
      async visit(own) {
        const made = await visit(browser, address, own);
        visits.push(made);
        return made;
      },
      async leave(ended) {
        if (hasFailed(ended)) await keepPages(ended, visits, world);
        const problems = await leave();
        // They are stored beside the error of a test that has failed already.
        if (!hasFailed(ended)) assert.deepEqual(problems, []);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Saves pictures of the windows of a failed test, and the logs of their browser and the service.
 */
async function keepPages(ended: EndedTest, visits: readonly Visit[], world: World): Promise<void> {
  const files: Record<string, string | Uint8Array> = { 'service.log': world.logLines.join('') };
  for (const [place, { context, log, problems }] of visits.entries()) {
    files[`window-${place + 1}.log`] = [...log, ...problems].join('\n');
    for (const [number, page] of context.pages().entries())
      files[`window-${place + 1}-page-${number + 1}.png`] = await page.screenshot().catch(String);
  }
  keepFailure(ended, files);
}

async function visit(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const usual = { baseURL, reducedMotion: 'reduce', locale: 'en-GB' } as const;
  const context = await browser.newContext({ ...usual, ...options });
  context.setDefaultTimeout(stepMilliseconds);
  const { origin } = new URL(options.baseURL ?? baseURL);
  const problems: string[] = [];
  const log: string[] = [];
  context.on('requestfailed', (request) =>
    log.push(`${request.failure()?.errorText}: ${request.method()} ${request.url()}`),
  );
  context.on('response', (response) => {
    if (response.status() >= 400) log.push(`${response.status()}: ${response.url()}`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin)
      problems.push(`request to another host: ${url}`);
  });
  context.on('weberror', (error) =>
    problems.push(`error of a script: ${error.error().stack ?? error.error()}`),
  );
  context.on('console', (message) => {
    log.push(`${message.type()}: ${message.text()}`);
    if (message.type() === 'error' && !isRefusal(message.text(), message.location().url)) {
      problems.push(`error on the console: ${message.text()} (${message.location().url})`);
    }
  });
  const noteViolation = (_source: unknown, text: string) =>
    void problems.push(`content security policy: ${text}`);
  await context.exposeBinding('noteViolation', noteViolation);
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    noteViolation([event.violatedDirective, event.blockedURI, event.sample].join(' ')))`);
  const page = await context.newPage();
  if (latencyMax > 0) await delayAnswers(page);
  return { page, context, problems, log };
}

/** Delays the answers to the scripts of a page. */
async function delayAnswers(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() === 'fetch') await setTimeout(Math.random() * latencyMax);
    // The page may be gone by now.
    await route.continue().catch(() => undefined);
  });
}

/** Browsers log every answer of 400 or more; the account interface is expected to refuse some. */
function isRefusal(text: string, url: string): boolean {
  return (
    /^Failed to load resource: the server responded with a status of 4\d\d/.test(text) &&
    new URL(url).pathname.startsWith('/account/')
  );
}

/**
 * Checks a page in all looks, in the two that differ most, or in one. Tests that are not deep check
 * it in the last look, and check accessibility unless only the fit is wanted.
 */
export async function assertGood(page: Page, what: string, which: keyof typeof looks = 'some') {
  const before = page.viewportSize();
  for (const { width, colorScheme } of looks[which].slice(level === 'deep' ? 0 : -1)) {
    const how = `${what}, ${width} pixels wide, ${colorScheme}`;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await afterFrames(page);
    await assertFits(page, how);
    if (level === 'deep' || !which.endsWith('Fit')) await assertAccessible(page, how);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}

/** Checks that a page is no wider than its window. */
async function assertFits(page: Page, what: string): Promise<void> {
  type Found = { scrollWidth: number; clientWidth: number; wide: string[] };
  const { scrollWidth, clientWidth, wide } = await page.evaluate<Found>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const isWide = (element) => element.getBoundingClientRect().right > clientWidth + 1;
    const wide =
      scrollWidth > clientWidth ? [...document.body.querySelectorAll('*')].filter(isWide) : [];
    const described = wide.map((element) => element.outerHTML.slice(0, 120));
    return { scrollWidth, clientWidth, wide: described };
  })()`);
  const widths = `${scrollWidth} pixels in a window of ${clientWidth}`;
  assert.ok(scrollWidth <= clientWidth, `${what}: ${widths}: ${wide.slice(0, 5).join('\n')}`);
}

/**
 * Checks a page by axe. Old figures are faded, below the contrast that texts need, when new ones
 * take long; such a page is checked again once the new ones are there.
 */
async function assertAccessible(page: Page, what: string): Promise<void> {
  // By the protocol of the browser, which no policy of the page affects, so none is loosened.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeProgram);
  for (;;) {
    await page.locator('.faded').first().waitFor({ state: 'detached' });
    const { hasFaded, violations } = await page.evaluate<Tried>(axeRun);
    if (hasFaded) continue;
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html}\n  ${node.failureSummary}`),
    );
    assert.equal(found.join('\n'), '', what);
    return;
  }
}

/** The violations that axe found, and whether figures were faded while it looked. */
type Tried = Pick<axe.AxeResults, 'violations'> & { readonly hasFaded: boolean };

/** Of long tables some rows are enough: those that follow are made like them. */
const axeRun = `(async () => {
  const isFaded = () => document.querySelector('.faded') !== null;
  let hasFaded = isFaded();
  const observer = new MutationObserver(() => (hasFaded ||= isFaded()));
  observer.observe(document, { subtree: true, childList: true, attributeFilter: ['class'] });
  const { violations } = await axe.run(
    { exclude: ['tbody tr:nth-child(n + 7)'] },
    {
      runOnly: ${JSON.stringify(accessibilityTags)},
      resultTypes: ['violations'],
      rules: { 'target-size': { enabled: true } },
    },
  );
  observer.disconnect();
  return { hasFaded, violations };
})()`;

/** Presses Tab until an element has the focus. At every stop on the way the focus must be seen. */
export async function tabTo(page: Page, element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await element.waitFor();
  const stops: string[] = [];
  while (!(await hasFocus(element))) {
    await page.keyboard.press(key);
    stops.push(await assertFocusSeen(page));
    assert.ok(stops.length < tabsMax, `${element} is not reached: ${stops.join(' > ')}`);
  }
}

/** Goes to an element by Tab, and presses Enter or another key on it. */
export async function tabPress(
  page: Page,
  element: Locator,
  key = 'Enter',
  by: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  await tabTo(page, element, by);
  await page.keyboard.press(key);
}

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((it) => it.matches(':focus'));
}

/** Waits until an element has the focus, which pages give when they have drawn it. */
export async function focused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}

/** Checks that the focused element is marked and fully visible; returns its HTML. */
export async function assertFocusSeen(page: Page): Promise<string> {
  // A part may take the focus a moment after it has appeared; the assertion names what is wrong.
  const isSet = 'document.activeElement !== null && document.activeElement !== document.body';
  await page.waitForFunction(isSet).catch(() => undefined);
  const { name, problem } = await page.evaluate<{ name: string; problem?: string }>(`(() => {
    const element = document.activeElement;
    if (element === null || element === document.body)
      return { name: 'body', problem: 'nothing has the focus' };
    const name = element.outerHTML.slice(0, 120);
    const style = getComputedStyle(element);
    const isOutlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    const isMarked = isOutlined || style.boxShadow !== 'none';
    // An element that is only scrolled into view, such as a new page's heading, needs no mark.
    if (!isMarked && element.tabIndex >= 0) return { name, problem: 'the focus is not marked' };
    const box = element.getClientRects()[0];
    if (box === undefined) return { name, problem: 'the focused element is not shown' };
    const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const isSeen = above !== null && (element.contains(above) || above.contains(element));
    const hidden = 'the focused element is covered or outside the window';
    return { name, problem: isSeen ? undefined : hidden };
  })()`);
  assert.equal(problem, undefined, `${problem}: ${name}`);
  return name;
}
