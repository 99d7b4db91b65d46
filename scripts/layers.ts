// Checks the rules of `.dependency-cruiser.mjs`.
import { readModules } from './modules.ts';

const { summary } = await readModules();
for (const { rule, from, to } of summary.violations)
  console.error(`${rule.name}: ${from} -> ${to}`);
for (const { name, comment } of summary.ruleSetUsed?.forbidden ?? []) {
  if (summary.violations.some(({ rule }) => rule.name === name))
    console.error(`  ${name}: ${comment}`);
}
if (summary.error > 0) process.exit(1);
console.log(`Layers: ${summary.totalCruised} modules, no violation`);
