import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { installPackages } from './debian.ts';

const names = ['chromium', 'google-chrome-stable', 'google-chrome', 'chrome', 'chromium-browser'];
/** Where installers put it without a name on the PATH. */
const places = [
  '/opt/google/chrome/chrome',
  '/usr/lib/chromium/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** Debian's packages: without any font, text would be a row of boxes. */
const packages = ['chromium', 'fonts-dejavu-core'];

/** Chromium runs as the user of the tests, without a screen, updates or other network access. */
const launchArguments = [
  ...['--no-sandbox', '--no-first-run', '--disable-gpu', '--disable-quic', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];

/** Ample on a slow machine. */
const startMilliseconds = 15 * 60_000;

/** Starts a Chromium without a window, which ends with this process at the latest. The first call of a machine without one installs it. */
export async function startChromium(extraArguments: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumProgram(),
    args: [...launchArguments, ...extraArguments],
    // Pages come back from memory when somebody goes back, as they do for everybody else.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    headless: true,
    timeout: startMilliseconds,
  });
}

/**
 * Waits for two frames. Scripts hear of another window or theme with the first one, and what they
 * change then is drawn in the second.
 */
export async function afterFrames(page: Page): Promise<void> {
  const next = 'requestAnimationFrame';
  await page.evaluate(`new Promise((done) => ${next}(() => ${next}(done)))`);
}

/** The path of an installed Chromium or Chrome, on the PATH or at one of the usual places; installs Debian's where there is none. */
export async function chromiumProgram(beside: readonly string[] = places): Promise<string> {
  const found = find(beside);
  if (found !== undefined) return found;
  let cause: unknown;
  try {
    console.log(`Installing ${packages.join(' and ')} for the tests (once) ...`);
    await installPackages(packages);
    const installed = find(beside);
    if (installed !== undefined) return installed;
  } catch (error) {
    cause = error;
  }
  throw new Error(
    'The tests of the pages need a browser, and there is none: install Chromium or Chrome so that it is on the PATH. ' +
      `Installing Debian's package (apt-get install ${packages.join(' ')}, as root) failed${cause instanceof Error ? `: ${cause.message}` : '.'}`,
    { cause },
  );
}

function find(beside: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...beside].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
