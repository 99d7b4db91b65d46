/**
 * Makes every figure of docs/reliability.md again, one promise after the other, and fails when one
 * falls short: `npm run prove -- [NAME ...] [--quick] [--share=1] [--minutes=20]
 * [--write]`. A name selects all
 * promises whose names begin with it.
 */
import { parseArgs } from 'node:util';
import { machine } from './machine.ts';
import type { Finding } from './promise.ts';
import { proofs } from './proofs.ts';
import { writeFindings } from './table.ts';

const soakMinutes = '20';
const marks = { kept: 'kept', broken: 'BROKEN', 'not measured': 'not measured' };

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    share: { type: 'string', default: '1' },
    minutes: { type: 'string', default: soakMinutes },
  },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !proofs.some((proof) => proof.name.startsWith(name)));
if (unknown !== undefined) {
  const names = proofs.map(({ name }) => name).join(', ');
  console.error(`There is no promise "${unknown}": choose from ${names}.`);
  process.exit(2);
}
const chosen = proofs.filter(
  ({ name }) => positionals.length === 0 || positionals.some((one) => name.startsWith(one)),
);
const findings = new Map<string, Finding>();
console.log(machine());
for (const { name, measure } of chosen) {
  const begun = performance.now();
  const finding = await measure({
    isQuick: values.quick,
    share: Number(values.share),
    minutes: Number(values.minutes),
    say: (line) => console.error(`  ${line}`),
  }).catch((error: unknown): Finding => {
    console.error(error);
    return { verdict: 'broken', figures: String(error) };
  });
  findings.set(name, finding);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(`${marks[finding.verdict]}: ${name} (${seconds} s): ${finding.figures}`);
  if (values.write) writeFindings(proofs, findings);
}
const broken = [...findings.values()].filter(({ verdict }) => verdict === 'broken');
if (broken.length > 0) process.exitCode = 1;
