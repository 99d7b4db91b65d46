// Writes the documents that follow from the code: both API descriptions, the datasets and the files
// of exports. With --check it compares instead, and fails when a committed document is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type FactTable, facts } from '../schema/warehouse/tables.ts';
import { exportedColumns } from '../src/backup/export.ts';
import { columnMeanings } from '../src/backup/exportColumns.ts';
import { operatorIntroduction, publicIntroduction } from '../src/contract/introductions.ts';
import { describeContracts } from '../src/contract/openapi.ts';
import { contracts, operatorContracts, publicContracts } from '../src/endpoints/contracts.ts';
import { readExampleAnswers } from '../src/endpoints/exampleAnswers.ts';
import { datasets } from '../src/import/datasets/datasets.ts';
import { documentKinds } from '../src/import/documents/kinds.ts';
import { consolePaths, consoleRoutes } from './clients/console.ts';
import { readDescription } from './clients/described.ts';
import { postmanCollection } from './clients/postman.ts';
import { pythonOperations, pythonSchemas } from './clients/python.ts';
import { typescriptOperations, typescriptSchemas } from './clients/typescript.ts';

function describeDatasets(): string {
  const parts = [
    '# Datasets and documents',
    'Written from the code by `npm run documents`.',
    wrapped(
      'Rows of a dataset are NDJSON (one object per line) or CSV (field names in the header; separated by comma, semicolon or tab), plain or packed with gzip or zip. Unknown fields are refused. Missing values are 0 or empty text.',
    ),
    wrapped(
      '`orders` accepts only NDJSON: the fields of an order record, and `Items`, a list of `OrderItemId`, `SellerSKU`, `ASIN`, `Title`, `QuantityOrdered`, `ItemPrice`, `ItemTax`, `ShippingPrice`, `PromotionDiscount`, `Canceled`. The items of the latest version are all lines of its order. A version without `Items` changes only the fields that it carries.',
    ),
  ];
  for (const { name, about, fields } of Object.values(datasets)) {
    const rows = Object.entries(fields).map(
      ([field, { type, required, personal, about: meaning }]) =>
        `| \`${field}\` | ${type.words} | ${required ? 'yes' : ''} | ${meaning}${personal ? ' Personal.' : ''} |`,
    );
    parts.push(
      `## ${name}`,
      wrapped(about),
      ['| field | kind | required | |', '|---|---|---|---|', ...rows].join('\n'),
    );
  }
  parts.push(
    '## Documents',
    wrapped(
      'Documents are imported as they were downloaded, and recognised from their content; `type` names the kind explicitly.',
    ),
    [
      '| type | document |',
      '|---|---|',
      ...documentKinds.map(({ name, about }) => `| \`${name}\` | ${about} |`),
    ].join('\n'),
  );
  return `${parts.join('\n\n')}\n`;
}

/** The files of `vitrine export` with their columns. */
function describeExports(): string {
  const parts = [
    '# Exported files',
    'Written from the code by `npm run documents`.',
    wrapped(
      '`vitrine export --channel acme-us FOLDER` writes a Parquet file for each kind of fact that the channel has, the same from either warehouse, and last `export.json`, which lists them with their rows. Amounts are `DECIMAL(18,6)`, instants are epoch seconds, missing values are 0 or empty text. Rows have no order. The names of columns are those of the [datasets](datasets.md) in snake case.',
    ),
  ];
  // Exchange rates belong to no channel.
  for (const table of facts.filter(({ name }) => name !== 'exchange_rate')) {
    const sources = Object.values(datasets).filter(({ destinations }) =>
      destinations.some((one) => one.table === table.name),
    );
    const from = sources.map(({ name }) => `\`${name}\``).join(', ');
    const rows = exportedColumns(table).map(
      (column) =>
        `| \`${column}\` | ${parquetTypes[table.columns[column]!]} | ${aboutColumn(table, column)} |`,
    );
    parts.push(
      `## ${table.name}.parquet`,
      ...(from === '' ? [] : [`Rows of the dataset ${from}, and of documents.`]),
      ['| column | type | |', '|---|---|---|', ...rows].join('\n'),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

const parquetTypes = {
  Int32: 'INTEGER',
  Int64: 'BIGINT',
  Float64: 'DOUBLE',
  Text: 'VARCHAR',
  Date: 'DATE',
  Amount: 'DECIMAL(18,6)',
} as const;

/** The meaning of a column: its own, or that of the field with its name. */
function aboutColumn({ name }: FactTable, column: string): string {
  const field = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const about = Object.values(datasets)
    .filter(({ destinations }) => destinations.some(({ table }) => table === name))
    .map(({ fields }) => fields[field]?.about)
    .find((text) => text !== undefined);
  const meaning = columnMeanings[`${name}.${column}`] ?? about ?? columnMeanings[column];
  if (meaning === undefined) throw new Error(`The column ${name}.${column} has no meaning`);
  return meaning;
}

/** Prose in lines of at most 100 columns. */
function wrapped(prose: string): string {
  return prose.replace(/(.{1,100})(?: |$)/g, '$1\n').trimEnd();
}

const description = describeContracts(
  Object.values(publicContracts),
  publicIntroduction,
  readExampleAnswers(),
);
const described = readDescription(JSON.parse(JSON.stringify(description)));

const documents = {
  'docs/openapi.json': json(description),
  'docs/operator-openapi.json': json(
    describeContracts(Object.values(operatorContracts), operatorIntroduction),
  ),
  'docs/datasets.md': describeDatasets(),
  'docs/exports.md': describeExports(),
  'clients/typescript/src/generated/schemas.ts': await typescriptSchemas(described),
  'clients/typescript/src/generated/operations.ts': typescriptOperations(described),
  'src/console/api.ts': consoleRoutes(contracts),
  'src/http/consolePaths.ts': await consolePaths(),
  'docs/postman.json': json(
    await postmanCollection(
      JSON.parse(JSON.stringify(description)),
      Object.values(publicContracts),
    ),
  ),
  'clients/python/vitrine/schemas.py': pythonSchemas(described),
  'clients/python/vitrine/operations.py': pythonOperations(described),
};

for (const [file, text] of Object.entries(documents)) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${file} is out of date: run npm run documents and commit it with the change.`);
    process.exitCode = 1;
  }
}

function json(description: object): string {
  return `${JSON.stringify(description, null, 2)}\n`;
}
