/** Runs test files of a queue that several processes share. */
import { AsyncResource } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
// Before any test file, so that what files share is not closed with the first of them.
import './endings.ts';
import { follow, stop } from './tracking.ts';

/** A test file: its name and its path. */
export type TestFile = { readonly name: string; readonly path: string };

/**
 * Runs one file after the other, each as a suite, as long as there is one that no other process has
 * taken. A process takes a file by making its folder in `claims`.
 */
export function runQueue(files: readonly TestFile[], claims: string): void {
  const left = [...files];
  // The next suite is none of the suite whose end begins it.
  const next = AsyncResource.bind(() => {
    for (let file = left.shift(); file !== undefined; file = left.shift())
      if (isTaken(join(claims, file.name.replaceAll('/', '_')))) return runFile(file, next);
  });
  next();
}

function runFile({ name, path }: TestFile, ended: () => void): void {
  follow();
  describe(name, async () => {
    after(ended);
    await import(pathToFileURL(path).href);
    stop();
  });
}

/** Whether this process is the first to take a file, by its folder. */
function isTaken(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
