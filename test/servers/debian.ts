/** Debian's packages, for programs that tests need and a machine does not have. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Held while lists or packages change: apt-get itself does not wait for another one that renews the lists. */
const lock = join(tmpdir(), 'vitrine-apt-get.lock');
const waitForOthers = ['-o', 'DPkg::Lock::Timeout=300'];

/** Renews the lists of packages; one process of the machine at a time. */
async function updateLists(): Promise<void> {
  await aptGet('update');
}

/** Installs packages without asking anything; one process of the machine at a time. Rejects where that is not allowed or not possible. */
export async function installPackages(packages: readonly string[]): Promise<void> {
  const install = () =>
    aptGet('install', '--yes', '--no-install-recommends', ...waitForOthers, ...packages);
  await install().catch(async () => {
    await updateLists();
    await install();
  });
}

/** Unpacks packages into a folder, unless it exists; they need not be installed for that. */
export async function unpackPackages(folder: string, packages: readonly string[]): Promise<void> {
  if (existsSync(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  const fetched = join(draft, 'packages');
  const unpacked = join(draft, 'unpacked');
  await Promise.all([mkdir(fetched), mkdir(unpacked)]);
  try {
    const fetch = () => run('apt-get', ['download', ...packages], { cwd: fetched });
    await fetch().catch(async () => {
      await updateLists();
      await fetch();
    });
    for (const file of await readdir(fetched))
      await run('dpkg', ['-x', join(fetched, file), unpacked]);
    await rename(unpacked, folder);
  } catch (error) {
    // Another test process may have been quicker.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function aptGet(...words: string[]): Promise<void> {
  await run('flock', [lock, 'apt-get', '--quiet', '--quiet', ...words], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
