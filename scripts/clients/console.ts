/** Writes the routes by which the console calls the service. */
import type { Contract } from '../../src/contract/endpoint.ts';

/** Method and path of every operation, sorted by name; the types of both come from the contracts. */
export function consoleRoutes(contracts: Readonly<Record<string, Contract>>): string {
  const rows = Object.values(contracts)
    .map(({ operation, method, path }) => `  ${operation}: '${method} ${path}',`)
    .sort();
  return `// Written by \`npm run documents\` from the contracts: do not edit.
import type { contracts } from '../endpoints/contracts.ts';

/** The contracts of all operations, of which only the types reach browsers. */
export type Contracts = typeof contracts;

/** Method and path of every operation. */
export const routes = {
${rows.join('\n')}
} as const satisfies {
  readonly [Name in keyof Contracts]: \`\${Contracts[Name]['method']} \${Contracts[Name]['path']}\`;
};
`;
}
