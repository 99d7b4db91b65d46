import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../node_modules/.cache/vitrine', import.meta.url));
/** Linters of OpenAPI descriptions, which nothing else needs. */
const packages = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'];
const folder = join(cache, `linters ${packages.join(' ').replaceAll('/', '-')}`);
const outputBytesMax = 16 * 1024 * 1024;

/**
 * Lints OpenAPI files by redocly's rules `recommended-strict` and by spectral's `oas`; returns what
 * they find. The first call of a machine fetches them from npm.
 */
export async function lintDescriptions(files: readonly string[]): Promise<string[]> {
  if (!existsSync(folder)) await fetchLinters();
  const ruleset = join(folder, 'ruleset.json');
  await writeFile(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
  const findings = [
    await lint('redocly', ['lint', ...files, '--extends', 'recommended-strict']),
    await lint('spectral', ['lint', ...files, '--ruleset', ruleset, '--fail-severity', 'hint']),
  ];
  return findings.filter((text) => text !== '');
}

/** The output of a linter that finds something; empty if it is content. */
async function lint(name: string, words: readonly string[]): Promise<string> {
  const program = join(folder, 'node_modules', '.bin', name);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    await run(program, words, { env, maxBuffer: outputBytesMax });
    return '';
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${name}: ${stdout}${stderr}` || String(error);
  }
}

/** Installs both into a folder of their own, which gets its name when it is complete. */
async function fetchLinters(): Promise<void> {
  console.log(`Fetching ${packages.join(' and ')} for the tests (once) ...`);
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'linters-'));
  try {
    await writeFile(join(draft, 'package.json'), '{"private":true}');
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', draft];
    await run('npm', ['install', ...options, ...packages], { maxBuffer: outputBytesMax });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
