/** The table of docs/reliability.md: a row for each promise, with its last figures. */
import { readFileSync, writeFileSync } from 'node:fs';
import { machine } from './machine.ts';
import type { Finding, Proof } from './promise.ts';

const file = new URL('../docs/reliability.md', import.meta.url);
const begin = '<!-- promises -->';
const end = '<!-- /promises -->';
const heading = '| promise | repeat it with | last result | measured |\n|---|---|---|---|\n';

/** Writes the findings into the table; the rows of other promises stay as they are. */
export function writeFindings(
  proofs: readonly Proof[],
  findings: ReadonlyMap<string, Finding>,
): void {
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(begin) as [string, string];
  const [table, after] = rest.split(end) as [string, string];
  const written = new Map(
    table.split('\n').flatMap((line) => {
      const name = /`npm run prove -- ([\w-]+)`/.exec(line)?.[1];
      return name === undefined ? [] : [[name, line]];
    }),
  );
  const rows = proofs.flatMap(({ name, promise }) => {
    const finding = findings.get(name);
    if (finding === undefined) return written.get(name) ?? [];
    const result = `${finding.verdict}: ${finding.figures}`.replaceAll('|', '/');
    const when = `${new Date().toISOString().slice(0, 10)}, ${machine()}`;
    return [`| ${promise} | \`npm run prove -- ${name}\` | ${result} | ${when} |`];
  });
  writeFileSync(file, `${before}${begin}\n\n${heading}${rows.join('\n')}\n\n${end}${after}`);
}
