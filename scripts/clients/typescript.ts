/** Writes the generated part of the TypeScript client: its types, its operations and their table. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { Described, Operation } from './described.ts';
import { wrapped } from './python.ts';

const columnsMax = 95;
const head = '// Written by `npm run documents` from docs/openapi.json: do not edit.\n';

/** The schemas of the description as types. */
export async function typescriptSchemas({ schemas }: Described): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-client-'));
  try {
    const info = { title: 'Vitrine', version: '1' };
    await createClient({
      input: { openapi: '3.1.0', info, paths: {}, components: { schemas } },
      output: { path: folder, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    const text = await readFile(join(folder, 'types.gen.ts'), 'utf8');
    // Clients get their address as a setting.
    const types = text
      .replace(/^\/\/.*\n/, '')
      .replace(/export type ClientOptions = \{[^}]*\};\n\n/, '');
    return `${head}${types.trimStart()}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The table of operations, their types, and a class with a method for each. */
export function typescriptOperations({ operations }: Described): string {
  const names = operations.flatMap(({ input, answer, paging }) => [input, answer, paging?.row]);
  const used = [...new Set(names.filter((name) => name !== undefined))].sort();
  const paged = operations.filter((one) => one.paging !== undefined);
  const csv = operations.filter((one) => one.answersCsv).map(({ name }) => `'${name}'`);
  return `${head}
import { Caller, type CallOptions, type Operation, type Paging } from '../caller.ts';
import type {
${used.map((name) => `  ${name},`).join('\n')}
} from './schemas.ts';

/** How each operation is called. */
export const operations = {
${operations.map((one) => `  ${one.name}: ${rowOf(one)},`).join('\n')}
} as const satisfies Readonly<Record<string, Operation>>;

/** The name of an operation. */
export type OperationName = keyof typeof operations;

/** How the rows of each operation that has pages are divided. */
export const pagings = {
${paged.map((one) => `  ${one.name}: ${pagingOf(one)},`).join('\n')}
} as const satisfies Readonly<Record<string, Paging>>;

/** The name of an operation whose rows come in pages. */
export type PagedName = keyof typeof pagings;

/** The name of an operation that also answers CSV. */
export type CsvName =
${csv.map((name) => `  | ${name}`).join('\n')};

/** The input of each operation. */
export type Inputs = {
${operations.map(({ name, input }) => `  ${name}: ${input};`).join('\n')}
};

/** The answer of each operation. */
export type Answers = {
${operations.map(({ name, answer }) => `  ${name}: ${answer ?? 'void'};`).join('\n')}
};

/** A row of each operation that has pages. */
export type Rows = {
${paged.map(({ name, paging }) => `  ${name}: ${paging!.row};`).join('\n')}
};

/** A method for each operation. */
export class Operations extends Caller {
${operations.map(methodOf).join('\n\n')}
}
`;
}

function rowOf({ method, path, takesIdempotencyKey, isTagged, answer }: Operation): string {
  const flags = `${takesIdempotencyKey ? 'K' : ''}${isTagged ? 'T' : ''}${answer ? '' : 'E'}`;
  return `['${method}', '${path}'${flags && `, '${flags}'`}]`;
}

function pagingOf({ paging }: Operation): string {
  const { rows, total, options, pageSizeMax } = paging!;
  const list = (path: readonly string[]) => `'${path.join('.')}'`;
  return `[${list(rows)}, ${list(total ?? [])}, ${pageSizeMax}${options.length > 0 ? `, ${list(options)}` : ''}]`;
}

function methodOf(one: Operation): string {
  const { name, summary, description, input, needsInput, answer, isDeprecated } = one;
  const about = `${summary}.\n\n${description}${isDeprecated ? '\n\n@deprecated' : ''}`;
  const taken = `input: ${input}${needsInput ? '' : ' = {}'}`;
  const lines = about
    .split('\n')
    .flatMap((line) => wrapped(line, columnsMax))
    .map((line) => `   * ${line}`.trimEnd());
  return `  /**
${lines.join('\n')}
   */
  ${name}(${taken}, options?: CallOptions): Promise<${answer ?? 'void'}> {
    return this.call('${name}', operations.${name}, input, options);
  }`;
}
