/** Writes the calls of the console to the service, and the addresses that the service answers. */
import type { Contract } from '../../src/contract/endpoint.ts';

/** Method and path of every operation, sorted by name; the types of both come from the contracts. */
export function consoleRoutes(contracts: Readonly<Record<string, Contract>>): string {
  const rows = Object.values(contracts)
    .map(({ operation, method, path }) => `  ${operation}: '${method} ${path}',`)
    .sort();
  return `// Written by \`npm run documents\` from the contracts: do not edit.
import type { contracts } from '../endpoints/contracts.ts';

/** The contracts of all operations; only their types reach browsers. */
export type Contracts = typeof contracts;

/** Method and path of every operation. */
export const routes = {
${rows.join('\n')}
} as const satisfies {
  readonly [Name in keyof Contracts]: \`\${Contracts[Name]['method']} \${Contracts[Name]['path']}\`;
};
`;
}

/** The addresses of the pages: the service's only list of them. */
export async function consolePaths(): Promise<string> {
  // The pages are of another project of types than the scripts, with modules for browsers.
  const place = new URL('../../src/console/pages.ts', import.meta.url);
  const { pages, pathsOf } = (await import(place.href)) as ConsolePages;
  const paths = pages.filter(({ load }) => load !== undefined).flatMap(pathsOf);
  return `// Written by \`npm run documents\` from src/console/pages.ts: do not edit.

/** Addresses of the console; one document serves them all, and its script shows the page. */
export const consolePaths = [
${['/console', '/console/', ...paths].map((path) => `  '${path}',`).join('\n')}
];
`;
}

type ConsolePage = { readonly load?: unknown };
type ConsolePages = {
  readonly pages: readonly ConsolePage[];
  readonly pathsOf: (page: ConsolePage) => string[];
};
