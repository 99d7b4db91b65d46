/** Promises that suites of tests keep: here they run whole, in deep tests, on both pairs of stores. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Extent, type Finding, found } from './promise.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs test files and counts their tests: on both pairs of stores, as deep tests. */
export async function measureSuites(
  files: readonly string[],
  { isQuick, say }: Extent,
): Promise<Finding> {
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
