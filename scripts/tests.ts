// Runs the tests: `node scripts/tests.ts [--test-name-pattern=TEXT] [FILE ...]`, all files unless
// some are named, also by patterns such as `src/import/**/*.test.ts`. A process that starts and
// compiles its modules takes some seconds of CPU, so four processes run one file after the
// other, until none is left. They run at the same time, as they often wait for their servers. A
// fast run, by VITRINE_TEST_LEVEL, takes the tests beside the code and those of documents.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { announceFailures, nameFailures, removeOldFailures } from '../test/failures.ts';
import { level } from '../test/level.ts';
import type { TestFile } from '../test/queue.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Processes of a fast run wait for no server. */
const processesMax = level === 'fast' ? 3 : 4;
/** The processes that run files with tests in a browser: each starts one. */
const browserProcesses = level === 'deep' ? 2 : 1;
/** How much longer the same code takes on two pairs of stores, in a browser, or on the demonstration. */
const factors = { onePair: 1, bothPairs: 1.8, browser: 5.5, demonstration: 9 } as const;

const { values, positionals } = parseArgs({
  options: { 'test-name-pattern': { type: 'string', multiple: true } },
  allowPositionals: true,
});
const patterns = values['test-name-pattern'];
const everywhere =
  level === 'fast'
    ? '{demonstration,src,test/documents}/**/*.test.ts'
    : '{demonstration,src,test}/**/*.test.ts';
const files = globSync(positionals.length > 0 ? positionals : everywhere, { cwd: root })
  .map(sized)
  .sort((a, b) => b.size - a.size);
const processes = Math.min(processesMax, files.length);
const folder = join(root, 'node_modules/.cache/vitrine-tests', String(process.pid));
const claims = join(folder, 'claims');
mkdirSync(claims, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
nameFailures();
removeOldFailures();
process.on('exit', announceFailures);

// The types of Node do not know `globalSetupPath` yet.
const options: RunOptions & { readonly globalSetupPath: string } = {
  cwd: root,
  files: Array.from({ length: processes }, (_, place) => writeProcess(place)),
  concurrency: processes,
  // Collecting garbage takes a third of the time with room for young objects and for those that
  // many files leave behind, and code that other files use again stays compiled.
  execArgv: [
    '--max-semi-space-size=32',
    '--initial-old-space-size=1000',
    '--no-memory-reducer',
    '--no-flush-bytecode',
    `--import=${new URL('../test/prepare.ts', import.meta.url)}`,
  ],
  globalSetupPath: join(root, 'test/servers/setup.ts'),
  ...(patterns && { testNamePatterns: patterns }),
};
run(options)
  .on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1;
  })
  .compose(spec())
  .pipe(process.stdout);

/** A file, how much it has to do, in bytes of tests on one pair of stores, and whether in a browser. */
function sized(name: string): TestFile & { readonly size: number; readonly isInBrowser: boolean } {
  const path = join(root, name);
  const text = readFileSync(path, 'utf8');
  const isInBrowser = /\/browser\.ts'/.test(text);
  const kind = /fillDemonstration\(/.test(text)
    ? 'demonstration'
    : isInBrowser
      ? 'browser'
      : /onEachPair|eachPair|onEachWarehouse|served|clickhouse/i.test(text)
        ? 'bothPairs'
        : 'onePair';
  return { name, path, size: text.length * factors[kind], isInBrowser };
}

/**
 * Writes the module of a process; returns its path. The last processes begin with the files for a
 * browser, which the others do not run. With a pattern, each imports a part of the files: a suite
 * of which all tests may be skipped would never end.
 */
function writeProcess(place: number): string {
  const path = join(folder, `process-${place + 1}.mjs`);
  if (patterns) {
    const own = files.filter((_, index) => index % processes === place);
    writeFileSync(
      path,
      own.map((file) => `import ${JSON.stringify(pathToFileURL(file.path).href)};\n`).join(''),
    );
    return path;
  }
  const hasBrowser = place >= processes - browserProcesses;
  const own = [
    ...files.filter(({ isInBrowser }) => isInBrowser && hasBrowser),
    ...files.filter(({ isInBrowser }) => !isInBrowser),
  ].map(({ name, path }) => ({ name, path }));
  const queue = new URL('../test/queue.ts', import.meta.url).href;
  const words = [own, claims].map((word) => JSON.stringify(word)).join(', ');
  writeFileSync(path, `import { runQueue } from ${JSON.stringify(queue)};\nrunQueue(${words});\n`);
  return path;
}
