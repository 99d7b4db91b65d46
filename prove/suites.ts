/** Promises that suites of tests keep: here they run whole, in deep tests, on both pairs of stores. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Extent, type Finding, found, type Proof } from './promise.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs test files and counts their tests. */
async function measure(files: readonly string[], { isQuick, say }: Extent): Promise<Finding> {
  const tests = spawn(process.execPath, ['scripts/tests.ts', ...files], {
    cwd: root,
    env: { ...process.env, VITRINE_TEST_LEVEL: isQuick ? 'normal' : 'deep' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const piece of tests.stdout.setEncoding('utf8')) text += piece;
  const countOf = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(text)?.[1]);
  const [all, passed] = [countOf('tests'), countOf('pass')];
  for (const [line] of text.matchAll(/^ *✖ .*$/gm)) say(line.trim());
  return found(all > 0 && passed === all, `${passed} of ${all} tests`);
}

const proofOf = (name: string, promise: string, files: readonly string[]): Proof => ({
  ...{ name, promise, isTimed: false, isSuite: true },
  measure: (extent) => measure(files, extent),
});

/** The promises about restores, turns, what leaves and e-mails. */
export const suiteProofs: readonly Proof[] = [
  proofOf(
    'restores',
    'A restore gives back every byte of facts, records and files, and refuses a damaged, partial or foreign backup',
    ['test/backups.test.ts', 'src/backup/*.test.ts'],
  ),
  proofOf('turns', 'Work of one organisation waits behind no queue of another one', [
    'test/fairness.test.ts',
    'src/jobs/*.test.ts',
    'src/import/turns.test.ts',
  ]),
  proofOf(
    'withdrawals',
    'Mails, files, links and webhooks that were made before a right ended do not leave after it',
    ['test/withdrawals.test.ts', 'test/rights.test.ts'],
  ),
  proofOf(
    'mails',
    'Strangers get e-mails once they have confirmed, within limits, and unsubscribe by one click',
    ['src/schedules/*.test.ts', 'src/endpoints/schedules/*.test.ts'],
  ),
];
