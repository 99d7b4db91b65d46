/** Reads CSV as the programs of the recipes do. */
import { createRequire } from 'node:module';

// A CommonJS module, whose types the console declares for itself.
const { parse } = createRequire(import.meta.url)('papaparse') as {
  parse(text: string, options: { skipEmptyLines: true }): { readonly data: string[][] };
};

/** The rows of a text, its titles first. */
export function parseCsv(text: string): string[][] {
  return parse(text, { skipEmptyLines: true }).data;
}

/** The rows of a table by the titles in its first row. */
export function recordsOf(rows: readonly (readonly unknown[])[]): Record<string, unknown>[] {
  const [titles, ...more] = rows as [string[], ...unknown[][]];
  return more.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at]])));
}
