// Runs the tests: `node scripts/tests.ts [--test-name-pattern=TEXT] [FILE ...]`, all files unless
// some are named, also by patterns such as `src/import/**/*.test.ts`. A process that starts and
// compiles its modules takes some seconds of CPU, so files share half a dozen processes, each with
// about as much to do. All run at the same time, as they often wait for their servers.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const groupsMax = 6;
/** Files with tests in a browser are in so many of the groups, each of which starts a browser. */
const browserGroupsMax = 2;
/** Opening a file's stores takes as long as this much code of tests on one pair of stores. */
const bytesPerFile = 2_000;
/** How much longer the same code takes on two pairs, in a browser, or on the demonstration. */
const factors = { onePair: 1, bothPairs: 1.8, browser: 5.5, demonstration: 20 } as const;
/** How much longer files take than others of their kind. */
const heavy: Readonly<Record<string, number>> = {
  'src/endpoints/account/access/access.test.ts': 4,
  'src/endpoints/operator/diagnosis/diagnosis.test.ts': 3,
  'src/endpoints/orders/orders.test.ts': 2,
  'src/endpoints/profitability/keptProducts.test.ts': 6,
  'src/endpoints/schedules/schedules.test.ts': 4,
  'src/endpoints/webhooks/webhooks.test.ts': 3,
  'src/engine/clickhouse/warehouse.test.ts': 4,
  'src/engine/importBatches.test.ts': 6,
  'src/engine/rollups.test.ts': 3,
  'src/engine/streams.test.ts': 3,
  'src/import/formats/json.test.ts': 10,
  'test/views/schedules.test.ts': 2,
  'test/workingSet.test.ts': 6,
};

const { values, positionals } = parseArgs({
  options: { 'test-name-pattern': { type: 'string', multiple: true } },
  allowPositionals: true,
});
const files = globSync(positionals.length > 0 ? positionals : '{src,test}/**/*.test.ts', {
  cwd: root,
});
const folder = join(root, 'node_modules/.cache/vitrine-tests', String(process.pid));
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// The types of Node do not know `globalSetupPath` yet.
const options: RunOptions & { readonly globalSetupPath: string } = {
  cwd: root,
  files: groups(files).map(writeGroup),
  concurrency: groupsMax,
  // With room for young objects, collecting garbage takes a third less of the time.
  execArgv: [
    '--max-semi-space-size=32',
    `--import=${new URL('../test/bundled.ts', import.meta.url)}`,
  ],
  globalSetupPath: join(root, 'test/servers/setup.ts'),
  ...(values['test-name-pattern'] && { testNamePatterns: values['test-name-pattern'] }),
};
run(options)
  .on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1;
  })
  .compose(spec())
  .pipe(process.stdout);

/** Divides the files, the longest first, so that each group has about as much to do. */
function groups(all: readonly string[]): string[][] {
  const sized = all.map((file) => ({ file, ...weightOf(file) })).sort((a, b) => b.bytes - a.bytes);
  const divided = Array.from({ length: Math.min(groupsMax, all.length) }, () => ({
    bytes: 0,
    files: [] as string[],
  }));
  for (const { file, bytes, isInBrowser } of sized) {
    const eligible = isInBrowser ? divided.slice(0, browserGroupsMax) : divided;
    const least = eligible.reduce((a, b) => (b.bytes < a.bytes ? b : a));
    least.bytes += bytes;
    least.files.push(file);
  }
  return divided.sort((a, b) => b.bytes - a.bytes).map((group) => group.files);
}

/** How much a file has to do, in bytes of tests on one pair of stores, and whether in a browser. */
function weightOf(file: string): { readonly bytes: number; readonly isInBrowser: boolean } {
  const text = readFileSync(join(root, file), 'utf8');
  const isInBrowser = /\/browser\.ts'/.test(text);
  const kind = /fillDemonstration\(/.test(text)
    ? 'demonstration'
    : isInBrowser
      ? 'browser'
      : /onEachPair|eachPair|onEachWarehouse|served|clickhouse/i.test(text)
        ? 'bothPairs'
        : 'onePair';
  const bytes = text.length * factors[kind] * (heavy[file] ?? 1) + bytesPerFile;
  return { bytes, isInBrowser };
}

/** Writes a module that imports the tests of a group; returns its path. */
function writeGroup(members: readonly string[], place: number): string {
  const path = join(folder, `group-${place + 1}.mjs`);
  const urls = members.map((file) => pathToFileURL(join(root, file)).href);
  writeFileSync(path, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(''));
  return path;
}
