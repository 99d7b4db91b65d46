// Writes the descriptions of both interfaces; with --check it compares instead and fails where they differ from what is committed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeContracts, operatorIntroduction, publicIntroduction } from '../src/contract/openapi.ts';
import { contracts } from '../src/endpoints/contracts.ts';
import { operatorContracts } from '../src/operator/contracts.ts';
import { importContracts } from '../src/operator/importContracts.ts';

const descriptions = {
  'docs/openapi.json': describeContracts(Object.values(contracts), publicIntroduction),
  'docs/operator-openapi.json': describeContracts(
    [...Object.values(operatorContracts), ...Object.values(importContracts)],
    operatorIntroduction,
  ),
};

for (const [file, description] of Object.entries(descriptions)) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const text = `${JSON.stringify(description, null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${file} is not what the contracts say: run npm run openapi and commit the change with the contracts.`);
    process.exitCode = 1;
  }
}
