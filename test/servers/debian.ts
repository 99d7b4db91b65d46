/** Debian's packages, for programs that tests need and a machine does not have. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Held while lists or packages change: apt-get itself does not wait for another one that renews the lists. */
const lock = join(tmpdir(), 'vitrine-apt-get.lock');
const waitForOthers = ['-o', 'DPkg::Lock::Timeout=300'];

/** Renews the lists of packages; one process of the machine at a time. */
export async function updateLists(): Promise<void> {
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

async function aptGet(...words: string[]): Promise<void> {
  await run('flock', [lock, 'apt-get', '--quiet', '--quiet', ...words], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
