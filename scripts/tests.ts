// Runs the tests: `node scripts/tests.ts [--test-name-pattern=TEXT] [FILE ...]`, all files unless
// some are named, also by patterns such as `src/import/**/*.test.ts`. A process that starts and
// compiles its modules takes half a second of CPU, so files share processes: a dozen groups of
// about the same size, six of them at a time: they often wait for their servers.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const groupsMax = 12;
const processesAtATime = 6;
/** Files with tests in a browser are in so many of the groups, each of which starts a browser. */
const browserGroupsMax = 3;
/** Opening a file's stores takes about as long as this much code of tests. */
const bytesPerFile = 8_000;
/** A test in a browser, or on the demonstration, takes as long as so many times its code elsewhere. */
const browserFactor = 6;
const demonstrationFactor = 12;

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
  concurrency: processesAtATime,
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
  const sized = all
    .map((file) => ({ file, ...weightOf(join(root, file)) }))
    .sort((a, b) => b.bytes - a.bytes);
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

/** How much a file has to do, in bytes of common tests, and whether in a browser. */
function weightOf(path: string): { readonly bytes: number; readonly isInBrowser: boolean } {
  const text = readFileSync(path, 'utf8');
  const isInBrowser = /\/browser\.ts'/.test(text);
  const isOnDemonstration = /fillDemonstration\(/.test(text);
  const factor = isOnDemonstration ? demonstrationFactor : isInBrowser ? browserFactor : 1;
  return { bytes: text.length * factor + bytesPerFile, isInBrowser };
}

/** Writes a module that imports the tests of a group; returns its path. */
function writeGroup(members: readonly string[], place: number): string {
  const path = join(folder, `group-${place + 1}.mjs`);
  const urls = members.map((file) => pathToFileURL(join(root, file)).href);
  writeFileSync(path, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(''));
  return path;
}
