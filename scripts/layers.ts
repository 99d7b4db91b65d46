/** Checks the layers of `.dependency-cruiser.mjs`, and that there was something to check. */
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** Fewer modules than this means that they were not found, which would pass every rule. */
const modulesMin = 60;

const options = await extractOptions('./.dependency-cruiser.mjs');
const { output } = await cruise(['src', 'schema'], options, undefined, {
  tsConfig: extractTsConfig('tsconfig.json'),
});
const { summary } = output as ICruiseResult;
for (const { rule, from, to } of summary.violations)
  console.error(`${rule.name}: ${from} -> ${to}`);
for (const { name, comment } of summary.ruleSetUsed?.forbidden ?? []) {
  if (summary.violations.some(({ rule }) => rule.name === name))
    console.error(`  ${name}: ${comment}`);
}
if (summary.totalCruised < modulesMin)
  console.error(`Only ${summary.totalCruised} modules were found: are the paths right?`);
if (summary.error > 0 || summary.totalCruised < modulesMin) process.exit(1);
console.log(`Layers: ${summary.totalCruised} modules, no violation`);
