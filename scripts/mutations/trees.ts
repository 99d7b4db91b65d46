/** Copies of the repository in which faults are put, and runs of single test files in them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './faults.ts';

/** The end of a run of a test file, and its milliseconds. */
export type Ended = { readonly isGreen: boolean; readonly milliseconds: number };

/** A copy of the repository for one run at a time. */
export type Tree = {
  /** Runs a test file with faults in place; it ends at the first failing test, or at the deadline. */
  run(
    testFile: string,
    faults: readonly Fault[],
    millisecondsMax: number,
    environment?: NodeJS.ProcessEnv,
  ): Promise<Ended>;
};

/** Makes a copy of all files that Git knows or would add; installed packages are shared. */
export function makeTree(root: string, folder: string): Tree {
  const { stdout } = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 },
  );
  mkdirSync(folder, { recursive: true });
  for (const file of stdout.split('\0').filter(Boolean))
    cpSync(join(root, file), join(folder, file), { recursive: true });
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, '.git'), join(folder, '.git'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const temporary = join(folder, 'temporary');

  return {
    async run(testFile, faults, millisecondsMax, environment = {}) {
      const texts = new Map(
        faults.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')] as const),
      );
      for (const [file, text] of texts)
        writeFileSync(join(folder, file), withFaults(text, faults, file));
      if (faults.some(({ room }) => room === 'console')) buildPages(folder);
      mkdirSync(temporary, { recursive: true });
      try {
        return await runFile(folder, testFile, millisecondsMax, {
          ...environment,
          VITRINE_TEST_TEMPORARY: temporary,
        });
      } finally {
        rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
        for (const [file, text] of texts) writeFileSync(join(folder, file), text);
        if (faults.some(({ room }) => room === 'console')) buildPages(folder);
      }
    },
  };
}

function withFaults(text: string, faults: readonly Fault[], file: string): string {
  return faults
    .filter((fault) => fault.file === file)
    .sort((a, b) => b.start - a.start)
    .reduce(
      (before, { start, end, replacement }) =>
        before.slice(0, start) + replacement + before.slice(end),
      text,
    );
}

/** A fault that does not even compile is left to the tests, which then find old pages. */
function buildPages(folder: string): void {
  spawnSync(process.execPath, ['scripts/setup.mjs', '--dev'], { cwd: folder });
}

async function runFile(
  cwd: string,
  testFile: string,
  millisecondsMax: number,
  environment: NodeJS.ProcessEnv,
): Promise<Ended> {
  const start = performance.now();
  const child = spawn(
    process.execPath,
    ['--test-reporter=tap', '--import=./test/prepare.ts', testFile],
    {
      cwd,
      env: { ...process.env, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let isGreen = true;
  const fail = () => {
    isGreen = false;
    end(child);
  };
  const timer = setTimeout(fail, millisecondsMax);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (/^\s*not ok /m.test(text)) fail();
  });
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  end(child);
  return { isGreen: isGreen && code === 0, milliseconds: performance.now() - start };
}

/** Kills a process with all that it has started. */
function end({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // They have all ended.
  }
}
