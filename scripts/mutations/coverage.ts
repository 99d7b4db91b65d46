/** Which test files execute a fault's place, by the coverage that V8 counts. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fault } from './faults.ts';
import type { Tree } from './trees.ts';

/** A test file that executes a fault's place, and how long it takes without faults. */
export type Covering = { readonly testFile: string; readonly milliseconds: number };

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number };
type Script = {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly Range[];
  }[];
};

const patientMilliseconds = 15 * 60_000;

/** Runs a test file without faults; returns the milliseconds it takes, and throws if it fails. */
export async function timeOf(
  tree: Tree,
  testFile: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<number> {
  const ended = await tree.run(testFile, [], patientMilliseconds, environment);
  if (!ended.isGreen) throw new Error(`${testFile} fails without any fault`);
  return ended.milliseconds;
}

/** Runs a test file once; returns the faults whose place it executes, and how long it took. */
export async function coverageOf(
  tree: Tree,
  folder: string,
  testFile: string,
  faults: readonly Fault[],
  modulesOf: (sqlFile: string) => readonly string[],
): Promise<{ readonly faults: readonly Fault[]; readonly milliseconds: number }> {
  const counts = join(folder, 'coverage');
  mkdirSync(counts, { recursive: true });
  const milliseconds = await timeOf(tree, testFile, { NODE_V8_COVERAGE: counts });
  const scripts = readdirSync(counts).flatMap(
    (file) => (JSON.parse(readFileSync(join(counts, file), 'utf8')) as { result: Script[] }).result,
  );
  rmSync(counts, { recursive: true });
  const byUrl = Map.groupBy(scripts, ({ url }) => url);
  const scriptsOf = (file: string) => byUrl.get(pathToFileURL(join(folder, file)).href) ?? [];
  const isExecuted = (fault: Fault): boolean => {
    if (fault.room === 'console') return /onSite\(/.test(readText(folder, testFile));
    if (fault.room !== 'questions')
      return scriptsOf(fault.file).some((script) => isCounted(script, fault));
    return modulesOf(fault.file).some((file) => scriptsOf(file).some(callsFunctions));
  };
  return { faults: faults.filter(isExecuted), milliseconds };
}

/** The innermost range around a place says how often it was executed. */
function isCounted({ functions }: Script, { start, end }: Fault): boolean {
  const [innermost] = functions
    .flatMap(({ ranges }) => ranges)
    .filter(({ startOffset, endOffset }) => startOffset <= start && end <= endOffset)
    .sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
  return innermost !== undefined && innermost.count > 0;
}

/** Whether more was executed than the module itself. */
function callsFunctions({ functions }: Script): boolean {
  return functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0);
}

/**
 * Orders test files so that those come first that have the name of the fault's file or folder, then
 * those that lie near the fault, then short ones.
 */
export function nearestFirst({ file }: Fault, covering: readonly Covering[]): readonly Covering[] {
  const own = dirname(file).split('/');
  const names = [own.at(-1)!, basename(file).replace(/\.\w+$/, '')];
  const isNamesake = ({ testFile }: Covering) =>
    names.includes(basename(testFile).replace(/\.test\.ts$/, ''));
  const sharedFolders = ({ testFile }: Covering) => {
    const other = dirname(testFile).split('/');
    const parting = own.findIndex((part, place) => other[place] !== part);
    return parting === -1 ? own.length : parting;
  };
  return [...covering].sort(
    (a, b) =>
      Number(isNamesake(b)) - Number(isNamesake(a)) ||
      sharedFolders(b) - sharedFolders(a) ||
      a.milliseconds - b.milliseconds,
  );
}

function readText(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}
