// `npm run pictures`: takes the pictures of the console that README and guides show, from the
// demonstration of the guides, each in both themes. Look at them before you commit them.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { documentedTime, openDocumented } from '../test/guides.ts';
import { afterFrames, startChromium } from '../test/servers/chromium.ts';
import { darkOf, pixelDensity } from './guidePictures.mjs';
import { furnish, type Picture, pictures } from './pictureViews.ts';

/** Of WebP, from 0 to 100: text stays sharp. */
const quality = 70;
/** The space around the parts that are shown, in CSS pixels. */
const margin = 16;
/** Ample on a slow machine. */
const stepMilliseconds = 60_000;
const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));

const service = await openDocumented();
const browser = await startChromium();
try {
  const context = await browser.newContext({
    baseURL: service.address,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
  });
  context.setDefaultTimeout(stepMilliseconds);
  await signIn(context);
  await furnish(service);
  for (const picture of pictures) await take(context, picture);
} finally {
  await browser.close();
  await service.close();
}

async function signIn(context: BrowserContext): Promise<void> {
  const { email, password } = service.demonstration.users[0]!;
  const page = await context.newPage();
  await page.goto('/console/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password!);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/overview');
  await page.close();
}

/** Takes a picture in both themes. */
async function take(context: BrowserContext, picture: Picture): Promise<void> {
  const page = await context.newPage();
  await page.clock.setFixedTime(documentedTime);
  await page.setViewportSize(picture.size);
  await picture.open(page, service);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    const image = await captured(page, picture);
    const file = `${picture.name}.webp`;
    const named = colorScheme === 'dark' ? darkOf(file) : file;
    writeFileSync(folder + named, image);
    console.log(`${named}: ${Math.ceil(image.length / 1_000)} kB`);
  }
  await page.close();
}

/** Waits until all figures are there, and drawn. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  const waiting = page.locator('[aria-busy="true"], .skeleton, .faded');
  await waiting.first().waitFor({ state: 'detached' });
  await afterFrames(page);
}

/** The image of the parts of a page. Playwright itself takes none in WebP. */
async function captured(
  page: Page,
  { size, density = pixelDensity, parts }: Picture,
): Promise<Buffer> {
  const boxes = await Promise.all(
    (parts?.(page) ?? []).map(async (part) => (await part.boundingBox())!),
  );
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    clip: { ...areaAround(boxes, size), scale: density },
  });
  return Buffer.from(data, 'base64');
}

type Area = { readonly x: number; readonly y: number } & Picture['size'];

/** The smallest area of a window that holds all boxes with a margin; all of it without a box. */
function areaAround(boxes: readonly Area[], { width, height }: Picture['size']): Area {
  if (boxes.length === 0) return { x: 0, y: 0, width, height };
  const left = Math.max(0, Math.min(...boxes.map(({ x }) => x)) - margin);
  const top = Math.max(0, Math.min(...boxes.map(({ y }) => y)) - margin);
  const right = Math.min(width, Math.max(...boxes.map((box) => box.x + box.width)) + margin);
  const bottom = Math.min(height, Math.max(...boxes.map((box) => box.y + box.height)) + margin);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
