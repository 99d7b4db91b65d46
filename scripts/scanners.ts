// The scanners of `npm run scan`, programs of Debian: sqlmap attacks one request, wapiti pages.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '../test/servers/debian.ts';

/** The request that sqlmap attacks. */
export type AttackedRequest = {
  readonly method: string;
  readonly url: string;
  readonly body?: string | undefined;
  readonly headers: readonly string[];
};

/** How thoroughly to scan. */
export type Depth = { readonly level: number; readonly risk: number; readonly minutes: number };

const outputBytesMax = 64_000_000;
/** Attacks on pages and queries, but for those that would call servers of their authors. */
const modules =
  'backup,blindsql,cookieflags,crlf,csp,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss,xxe';

/** Installs the scanners where a machine lacks them. */
export async function installScanners(): Promise<void> {
  if (existsSync('/usr/bin/sqlmap') && existsSync('/usr/bin/wapiti')) return;
  await installPackages(['sqlmap', 'wapiti']);
}

/** Attacks every parameter of a request; returns what sqlmap found, in its words. */
export async function attackRequest(
  { method, url, body, headers }: AttackedRequest,
  { level, risk, minutes }: Depth,
): Promise<string[]> {
  const output = await withFolder((folder) =>
    run('sqlmap', minutes, [
      ...['-u', url, '--method', method, ...(body === undefined ? [] : ['--data', body])],
      ...['--headers', headers.join('\n'), '--level', String(level), '--risk', String(risk)],
      ...['--batch', '--flush-session', '--disable-coloring', '--skip-waf', '--retries=1'],
      // Nothing may be there any more: the record was deleted by the request itself.
      '--ignore-code=404',
      ...['--output-dir', folder],
    ]),
  );
  const points = /injection point\(s\)[^\n]*\n---\n(.*?)\n---/s.exec(output)?.[1];
  if (points !== undefined) return points.split(/\n\n+/).map((one) => one.trim());
  if (output.includes('do not appear to be injectable')) return [];
  return [`sqlmap did not finish: ${endOf(output)}`];
}

/** Crawls pages, attacks all that they lead to, and judges headers; returns what wapiti found. */
export async function attackPages(
  [base, ...others]: readonly [string, ...string[]],
  headers: readonly string[],
  { minutes }: Depth,
): Promise<string[]> {
  return await withFolder(async (folder) => {
    const report = join(folder, 'report.json');
    const output = await run('wapiti', 2 * minutes, [
      ...['-u', base, ...others.flatMap((url) => ['-s', url]), '--scope', 'domain'],
      ...['-m', modules, '--max-scan-time', String(60 * minutes), '--no-bugreport'],
      ...headers.flatMap((header) => ['-H', header]),
      ...['--store-session', folder, '--flush-session', '-f', 'json', '-o', report],
    ]);
    if (!existsSync(report)) return [`wapiti did not finish: ${endOf(output)}`];
    const { vulnerabilities, anomalies } = JSON.parse(readFileSync(report, 'utf8')) as Record<
      'vulnerabilities' | 'anomalies',
      Record<string, readonly { method: string; path: string; info: string }[]>
    >;
    return Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, found]) =>
      found.map((one) => `${kind}: ${one.method} ${one.path}: ${one.info}`),
    );
  });
}

function endOf(output: string): string {
  return output.trim().split('\n').slice(-6).join(' ');
}

async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-scan-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a program to its end, or for so many minutes; returns all that it printed. */
function run(program: string, minutes: number, words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: minutes * 60_000, maxBuffer: outputBytesMax };
    execFile(program, words, options, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}${error?.killed ? '\nstopped after its time' : ''}`),
    );
  });
}
