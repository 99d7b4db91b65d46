// Reads known vulnerabilities of the service's packages from the registry of npm. Fails on those of
// level high or above that `audit.json` does not allow. If the registry cannot be reached, it says
// so and passes, so that checks work without internet access.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** An advisory that does not fail the check until a date, and why. */
type Allowed = { readonly advisory: string; readonly reason: string; readonly until: string };
type Advisory = { readonly url: string; readonly title: string; readonly severity: string };
type Vulnerability = { readonly name: string; readonly via: readonly (Advisory | string)[] };
type Report = {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  readonly message?: string;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const failing = new Set(['high', 'critical']);
const millisecondsMax = 20_000;

const [allowedFile = `${root}scripts/audit.json`] = process.argv.slice(2);
const allowed: readonly Allowed[] = JSON.parse(readFileSync(allowedFile, 'utf8'));
const report = askRegistry();
if (report.vulnerabilities === undefined)
  console.warn(`Dependencies were not audited: ${report.message ?? 'npm gave no answer'}`);
else judge(Object.values(report.vulnerabilities));

function askRegistry(): Report {
  const { stdout } = spawnSync(
    'npm',
    ['audit', '--json', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=5000'],
    { cwd: root, encoding: 'utf8', timeout: millisecondsMax, maxBuffer: 64_000_000 },
  );
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

function judge(vulnerabilities: readonly Vulnerability[]): void {
  const today = new Date().toISOString().slice(0, 10);
  const found = new Map<string, string>();
  for (const { name, via } of vulnerabilities)
    for (const one of via)
      if (typeof one !== 'string' && failing.has(one.severity))
        found.set(one.url, `${name}: ${one.title} (${one.severity}), ${one.url}`);
  const entryOf = (url: string) => allowed.find(({ advisory }) => url.endsWith(`/${advisory}`));
  const problems = [
    ...[...found].flatMap(([url, text]) => {
      const entry = entryOf(url);
      if (entry === undefined) return [text];
      return entry.until < today ? [`${text}, was allowed until ${entry.until}`] : [];
    }),
    ...allowed
      .filter(({ advisory }) => ![...found.keys()].some((url) => url.endsWith(`/${advisory}`)))
      .map(({ advisory }) => `${advisory} is allowed but not found: remove it from audit.json`),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`Dependencies: no vulnerability of level high but ${found.size} allowed`);
}
