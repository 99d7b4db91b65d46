import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchPrograms } from './programs.ts';

const run = promisify(execFile);
/** Linters of OpenAPI descriptions, which nothing else needs. */
const packages = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'];
const outputBytesMax = 16 * 1024 * 1024;

/**
 * Lints OpenAPI files by redocly's rules `recommended-strict` and by spectral's `oas`; returns what
 * they find. The first call of a machine fetches them from npm.
 */
export async function lintDescriptions(files: readonly string[]): Promise<string[]> {
  const folder = await fetchPrograms(packages);
  const ruleset = join(folder, 'ruleset.json');
  await writeFile(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
  const findings = [
    await lint(folder, 'redocly', ['lint', ...files, '--extends', 'recommended-strict']),
    await lint(folder, 'spectral', [
      'lint',
      ...files,
      '--ruleset',
      ruleset,
      '--fail-severity',
      'hint',
    ]),
  ];
  return findings.filter((text) => text !== '');
}

/** The output of a linter that finds something; empty if it is content. */
async function lint(folder: string, name: string, words: readonly string[]): Promise<string> {
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
