/** Programs of npm that deep tests run, and nothing else needs. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../node_modules/.cache/vitrine', import.meta.url));
const outputBytesMax = 16 * 1024 * 1024;

/** Fetches packages once per machine; returns the folder with their node_modules. */
export async function fetchPrograms(packages: readonly string[]): Promise<string> {
  const folder = join(cache, `programs ${packages.join(' ').replaceAll('/', '-')}`);
  if (existsSync(folder)) return folder;
  console.log(`Fetching ${packages.join(' and ')} for the tests (once) ...`);
  await mkdir(cache, { recursive: true });
  // The folder gets its name when it is complete.
  const draft = await mkdtemp(join(cache, 'programs-'));
  try {
    await writeFile(join(draft, 'package.json'), '{"private":true}');
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', draft];
    await run('npm', ['install', ...options, ...packages], { maxBuffer: outputBytesMax });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
