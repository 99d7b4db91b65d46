/**
 * Saves what explains failed tests in one folder per run, with a folder for each test: the error
 * with the seed of random tries and, for a page, pictures and logs. VITRINE_TEST_FAILURES names it.
 */
import { globSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

const runsFolder = fileURLToPath(
  new URL('../node_modules/.cache/vitrine-failures', import.meta.url),
);
const runsMax = 10;
const nameMax = 100;
/** How fast-check names the tries that it has made. */
const seedPattern = /\{ seed: -?\d+[^}]*\}/;

/** A test that has ended, as hooks see it; the types of Node do not know all of it yet. */
export type EndedTest = {
  readonly fullName: string;
  readonly passed?: boolean;
  readonly error?: unknown;
};

/** Whether a test has ended with an error. */
export const hasFailed = ({ passed, error }: EndedTest) => passed === false || error != null;

/** Names a folder for the failures of this run and of the processes that it starts. */
export function nameFailures(): void {
  const run = `${new Date().toISOString().slice(0, 19).replaceAll(':', '')}-${process.pid}`;
  process.env.VITRINE_TEST_FAILURES ??= join(runsFolder, run);
}

/** Removes the folders of older runs, which are named by their times. */
export function removeOldFailures(): void {
  for (const run of globSync('*', { cwd: runsFolder }).sort().slice(0, -runsMax))
    rmSync(join(runsFolder, run), { recursive: true, force: true });
}

/** Saves files of a failed test; returns their folder. */
export function keepFailure(
  { fullName }: EndedTest,
  files: Readonly<Record<string, string | Uint8Array>>,
): string {
  nameFailures();
  const name = fullName.replaceAll(/[^\w-]+/g, ' ').trim();
  const folder = join(process.env.VITRINE_TEST_FAILURES!, name.slice(-nameMax).trim());
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
}

/** Saves the error of a test, if it has failed. */
export function keepError(ended: EndedTest): void {
  if (!hasFailed(ended)) return;
  const text = inspect(ended.error, { depth: 9 });
  const seed = seedPattern.exec(text)?.[0];
  const { fullName } = ended;
  const tries = seed === undefined ? '' : `Random tries: ${seed}\n`;
  keepFailure(ended, { 'error.txt': `${fullName}\n${tries}\n${text}\n` });
}

/** Prints the folder with this run's failures, if there are any. */
export function announceFailures(): void {
  const folder = process.env.VITRINE_TEST_FAILURES!;
  if (globSync('*/*', { cwd: folder }).length === 0) return;
  const tests = readdirSync(folder).length;
  console.log(`\nPictures, logs and seeds of ${tests} failed tests are in ${folder}`);
}
