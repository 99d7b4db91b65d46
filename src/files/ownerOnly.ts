/** Restricts the data folder to its owner. */
import { chmodSync, type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

const ofOthers = 0o077;
const sticky = 0o1000;

/**
 * Lets only the owner read and write a folder and everything in it. Skips files of other owners,
 * and a folder that all users of the machine share, such as /tmp.
 */
export function restrictToOwner(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & sticky) !== 0) return;
  restrict(folder, found);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile() || entry.isDirectory()) restrictEntry(entry);
}

function restrictEntry({ parentPath, name }: Dirent): void {
  const path = join(parentPath, name);
  // It may no longer exist.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) restrict(path, found);
}

function restrict(path: string, { mode }: Stats): void {
  if ((mode & ofOthers) === 0) return;
  try {
    chmodSync(path, mode & ~ofOthers);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOENT') throw error;
  }
}
