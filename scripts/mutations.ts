// Puts small faults into the sources, one at a time, and runs the test files that execute their
// place: `node scripts/mutations.ts [OPTION ...] [TEST FILE ...]`, with --seed=TEXT, --each=N,
// --trees=N, --out=FILE and --open=FILE. A fault that no test finds shows what the tests do not
// prove. The seed chooses N faults of each room, 20 by default, from the syntax trees, so that two
// versions of the tests can be compared on the same faults. With --open, only faults are tried, in
// every test file, that an earlier run wrote to that file as not found: so it shows what another
// version of the tests finds in addition. A run that was stopped continues in the same way.
// VITRINE_TEST_LEVEL is the level of the tests, as for scripts/tests.ts.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { runFolderVariable } from '../test/servers/pool.ts';
import { temporaryRoot } from '../test/servers/process.ts';
import { addressVariables, startSharedServers } from '../test/servers/shared.ts';
import { type Covering, coverageOf, nearestFirst, timeOf } from './mutations/coverage.ts';
import { chooseFaults, type Fault } from './mutations/faults.ts';
import { makeTree, type Tree } from './mutations/trees.ts';

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: 'vitrine' },
    each: { type: 'string', default: '20' },
    trees: { type: 'string', default: '3' },
    out: { type: 'string' },
    open: { type: 'string' },
  },
  allowPositionals: true,
});
const root = fileURLToPath(new URL('..', import.meta.url));
/**
 * The number of nearest test files that run with one fault alone before all faults run together.
 */
const nearest = 3;
/** A run that takes this much longer than without a fault has found it. */
const slower = { factor: 10, milliseconds: 60_000 };

const folder = mkdtempSync(join(await temporaryRoot(), 'vitrine-mutations-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const servers = await startSharedServers();
process.env[addressVariables.clickhouse] = servers.clickhouseUrl;
process.env[addressVariables.postgres] = servers.postgresUrl;
const shared = join(folder, 'run');
mkdirSync(shared);

const faults = onlyOpen(await chooseFaults(root, values.seed, Number(values.each)));
const testFiles = globSync(
  positionals.length > 0 ? positionals : '{demonstration,src,test}/**/*.test.ts',
  {
    cwd: root,
  },
).filter((file) => file !== 'test/tidy.test.ts');
const free = Array.from({ length: Number(values.trees) }, (_, place) => {
  const own = join(folder, `tree-${place + 1}`);
  return { tree: makeTree(root, own), folder: own };
});
const limit = pLimit(free.length);
const found = new Map<Fault, string>();
const tried = new Set<string>();

const covering = values.open === undefined ? await measureCoverage() : await everywhere();
console.log(
  `${faults.length} faults; ${faults.filter((one) => covering.get(one)).length} executed`,
);
if (values.open === undefined) await tryAlone();
await tryTogether();
report();
await servers.stop();

/** Does a piece of work in a tree that nothing else uses. */
function inTree<T>(work: (place: { tree: Tree; folder: string }) => Promise<T>): Promise<T> {
  return limit(async () => {
    const place = free.pop()!;
    try {
      return await work(place);
    } finally {
      free.push(place);
    }
  });
}

async function measureCoverage(): Promise<Map<Fault, Covering[]>> {
  const modulesOf = modulesBySqlFile();
  const all = new Map<Fault, Covering[]>();
  await Promise.all(
    testFiles.map((testFile) =>
      inTree(async ({ tree, folder: own }) => {
        const { faults: executed, milliseconds } = await coverageOf(
          tree,
          own,
          testFile,
          faults,
          (file) => modulesOf.get(file) ?? [],
        );
        for (const fault of executed)
          all.set(fault, [...(all.get(fault) ?? []), { testFile, milliseconds }]);
        console.log(`${testFile}: ${executed.length} faults, ${Math.round(milliseconds)} ms`);
      }),
    ),
  );
  return all;
}

/** The faults that the file of --open does not list as found. */
function onlyOpen(all: readonly Fault[]): readonly Fault[] {
  if (values.open === undefined) return all;
  const lines = readFileSync(values.open, 'utf8').split('\n');
  const open = lines.filter((line) => /\tnot (?:found|executed)$/.test(line));
  return all.filter(({ id }) => open.some((line) => line.startsWith(`${id}\t`)));
}

/** Every test file for every fault. */
async function everywhere(): Promise<Map<Fault, Covering[]>> {
  const all = await Promise.all(
    testFiles.map((testFile) =>
      inTree(async ({ tree }) => ({ testFile, milliseconds: await timeOf(tree, testFile) })),
    ),
  );
  return new Map(faults.map((fault) => [fault, all]));
}

/** The modules that name each SQL file. */
function modulesBySqlFile(): Map<string, string[]> {
  const modules = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const named = new Map<string, string[]>();
  for (const module of modules)
    for (const [, path] of readFileSync(join(root, module), 'utf8').matchAll(
      /'([\w./-]+\.sql)'/g,
    )) {
      const file = relative(root, join(root, module, '..', path!));
      named.set(file, [...(named.get(file) ?? []), module]);
    }
  return named;
}

async function tryAlone(): Promise<void> {
  await Promise.all(
    faults.map((fault) =>
      inTree(async ({ tree }) => {
        const near = nearestFirst(fault, covering.get(fault) ?? []).slice(0, nearest);
        for (const one of near) if (await isFound(tree, one, [fault])) break;
      }),
    ),
  );
}

/** Runs each test file with all faults that nothing has found yet, and splits them where it fails. */
async function tryTogether(): Promise<void> {
  const files = new Map<string, number>();
  for (const list of covering.values())
    for (const { testFile, milliseconds } of list) files.set(testFile, milliseconds);
  await Promise.all(
    [...files]
      .sort((a, b) => a[1] - b[1])
      .map(([testFile, milliseconds]) =>
        inTree(async ({ tree }) => {
          const own = faults.filter((fault) =>
            covering.get(fault)?.some((one) => one.testFile === testFile),
          );
          for (const some of onLinesOfTheirOwn(own))
            await split(tree, { testFile, milliseconds }, some);
        }),
      ),
  );
}

/** The faults in groups without two of one line, which could undo each other. */
function onLinesOfTheirOwn(all: readonly Fault[]): Fault[][] {
  const groups: Fault[][] = [];
  for (const line of Map.groupBy(all, (fault) => `${fault.file}:${fault.line}`).values())
    for (const [place, fault] of line.entries()) {
      groups[place] ??= [];
      groups[place].push(fault);
    }
  return groups;
}

async function split(tree: Tree, one: Covering, own: readonly Fault[]): Promise<void> {
  const open = own.filter(
    (fault) => !found.has(fault) && !tried.has(`${one.testFile} ${fault.id}`),
  );
  if (open.length === 0) return;
  if (!(await isFound(tree, one, open)) || open.length === 1) return;
  const middle = Math.ceil(open.length / 2);
  await split(tree, one, open.slice(0, middle));
  await split(tree, one, open.slice(middle));
}

/** Whether a test file fails with these faults; if it is only one, it is found. */
async function isFound(
  tree: Tree,
  { testFile, milliseconds }: Covering,
  together: readonly Fault[],
): Promise<boolean> {
  // No other run may use stores that a faulty engine has migrated.
  const isShared = together.every(({ room }) => room !== 'engine' && room !== 'questions');
  const deadline = milliseconds * slower.factor + slower.milliseconds;
  const { isGreen } = await tree.run(
    testFile,
    together,
    deadline,
    isShared ? { [runFolderVariable]: shared } : {},
  );
  const [fault] = together;
  if (together.length === 1) {
    if (isGreen) tried.add(`${testFile} ${fault!.id}`);
    else {
      found.set(fault!, testFile);
      write();
    }
    console.log(
      `${found.size} found; ${fault!.file}:${fault!.line} ${isGreen ? 'not' : ''} by ${testFile}`,
    );
  }
  return !isGreen;
}

/** The faults, one on each line, with the test files that have found them so far. */
function lines(): string[] {
  return faults.map((fault) =>
    [
      fault.id,
      fault.room,
      `${fault.file}:${fault.line}`,
      fault.kind,
      JSON.stringify(fault.original.slice(0, 60)),
      JSON.stringify(fault.replacement.slice(0, 60)),
      found.get(fault) ?? (covering.has(fault) ? 'not found' : 'not executed'),
    ].join('\t'),
  );
}

/** Writes the faults to the file of --out, also before the end, as a run may be stopped. */
function write(): void {
  if (values.out !== undefined) writeFileSync(values.out, `${lines().join('\n')}\n`);
}

function report(): void {
  write();
  console.log(lines().join('\n'));
  for (const room of new Set(faults.map((fault) => fault.room))) {
    const own = faults.filter((fault) => fault.room === room);
    console.log(
      `${room}: ${own.filter((fault) => found.has(fault)).length} of ${own.length} found`,
    );
  }
  console.log(`all: ${found.size} of ${faults.length} found`);
}
