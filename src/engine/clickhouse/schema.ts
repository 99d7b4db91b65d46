/** The tables of the served warehouse. */
import {
  type AddedText,
  addedTexts,
  type ColumnType,
  facts,
  factTables,
  schemaVersion,
  textsSince,
} from '../../../schema/warehouse/tables.ts';
import type { Cluster } from '../cluster.ts';
import type { Client } from './client.ts';

const durable = 'SETTINGS fsync_after_insert = 1, fsync_part_directory = 1';

/** ClickHouse's types of the columns of facts. */
export const columnTypes: Record<ColumnType, string> = {
  Int32: 'Int32',
  Int64: 'Int64',
  Float64: 'Float64',
  Text: 'String',
  Date: 'Date32',
  Amount: 'Decimal(18, 6)',
};
/** Amounts of rollups are sums, and may have more digits than amounts of facts. */
const sumTypes: Record<ColumnType, string> = { ...columnTypes, Amount: 'Decimal(38, 6)' };

/** The tables that hold the staged rows of imports, in one partition per import. */
export const stagingTables: readonly string[] = [
  ...facts.map((table) => `staged_${table.name}`),
  'staged_duplicate',
  'staged_match',
  'staged_removal',
  'staged_repeat',
];

/** The table through which a server reads the rows of a table on all servers of the cluster. */
export function spreadTable(name: string): string {
  return `everywhere_${name}`;
}

/** Adds the tables through which a server reads all others. */
export async function migrateSpread(client: Client, { name }: Cluster): Promise<void> {
  await client.runAll(
    factTables.map(
      (table) => `CREATE TABLE IF NOT EXISTS ${spreadTable(table.name)} AS all_${table.name}
        ENGINE = Distributed('${name}', currentDatabase(), all_${table.name})`,
    ),
  );
  await client.runAll(addedTexts.map((text) => addColumn(spreadTable(text.table), text)));
}

/** Brings the tables of a server up to the newest schema version. */
export async function migrate(client: Client, cluster: Cluster): Promise<void> {
  const create = (statements: readonly string[]) =>
    client.runAll(statements.map((sql) => (cluster.isReplicated ? replicated(sql, cluster) : sql)));
  await create([
    `CREATE TABLE IF NOT EXISTS warehouse_version (version Int32)
     ENGINE = MergeTree ORDER BY version ${durable}`,
    `CREATE TABLE IF NOT EXISTS installation (installation_id String,
       at DateTime64(3) DEFAULT now64(3))
     ENGINE = MergeTree ORDER BY at ${durable}`,
  ]);
  const [row] = await client.rows('SELECT max(version) AS version FROM warehouse_version');
  const version = row!.version as number | null;
  if (version === schemaVersion) return;
  if (version !== null && version > schemaVersion)
    throw new Error(
      `The warehouse has schema version ${version}, newer than this program's ${schemaVersion}: ` +
        'use a newer release',
    );
  const added = textsSince(version);
  // Staged rows belong to running imports, which no other version of the program finishes.
  await create(added.map(({ table }) => `DROP TABLE IF EXISTS staged_${table}`));
  await create([...versionTables, ...visibleTables(), ...tablesOfStaging()]);
  await create(added.map((text) => addColumn(`all_${text.table}`, text)));
  await client.run(`INSERT INTO warehouse_version VALUES (${schemaVersion})`);
}

function addColumn(name: string, { column }: AddedText): string {
  return `ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${column} ${columnTypes.Text}`;
}

/** The statement that makes, changes or drops a table on every replica of every server. */
function replicated(sql: string, { name }: Cluster): string {
  return sql
    .replace(
      /^(?:CREATE TABLE IF NOT EXISTS|DROP TABLE IF EXISTS|ALTER TABLE) \w+/,
      (table) => `${table} ON CLUSTER '${name}'`,
    )
    .replace('ENGINE = MergeTree', 'ENGINE = ReplicatedMergeTree');
}

const versionTables = [
  `CREATE TABLE IF NOT EXISTS channel_version (channel Int32, version Int64, import_id Int64,
     state LowCardinality(String), tables Array(LowCardinality(String)),
     at DateTime64(3) DEFAULT now64(3), nonce UInt64 DEFAULT rand64())
   ENGINE = MergeTree ORDER BY (channel, version) ${durable}`,
  `CREATE TABLE IF NOT EXISTS visible_day
     (channel Int32, fact LowCardinality(String), day Date32, version Int64)
   ENGINE = MergeTree ORDER BY (channel, fact, day, version) ${durable}`,
  // Imports whose versions have been pruned.
  `CREATE TABLE IF NOT EXISTS committed_import (import_id Int64)
   ENGINE = MergeTree ORDER BY import_id ${durable}`,
];

function visibleTables(): string[] {
  return factTables.map(({ name, columns, key, compactAmounts = [] }) => {
    const types = facts.some((fact) => fact.name === name) ? columnTypes : sumTypes;
    const list = Object.entries(columns)
      .filter(([column]) => column !== 'day')
      .map(([column, type]) => [
        column,
        (compactAmounts.includes(column) ? columnTypes : types)[type],
      ]);
    const order = ['channel', 'day', 'version', ...key.filter((column) => column !== 'day')];
    return `CREATE TABLE IF NOT EXISTS all_${name}
        (channel Int32, day Date32, version Int64, import_id Int64,
         ${[...list.map((column) => column.join(' ')), ...indexesOf(name)].join(', ')})
      ENGINE = MergeTree ORDER BY (${order.join(', ')}) ${durable}`;
  });
}

/** Indexes of columns by which rows are looked up, whatever their order within a day. */
function indexesOf(name: string): string[] {
  const table = facts.find((fact) => fact.name === name);
  if (table === undefined) return [];
  const { replacement, key, identity, skipIndexes = [] } = table;
  const lookups = replacement === 'byDay' ? [] : [key[0]!, ...(identity?.slice(0, 1) ?? [])];
  return [
    ...lookups.map(
      (column) => `INDEX ${column}_known ${column} TYPE bloom_filter(0.001) GRANULARITY 1`,
    ),
    ...skipIndexes.map((column) => `INDEX ${column}_range ${column} TYPE minmax GRANULARITY 1`),
  ];
}

function tablesOfStaging(): string[] {
  const staged = facts.map(
    ({ name, columns, key }) =>
      `CREATE TABLE IF NOT EXISTS staged_${name}
         (batch Int64, staged_number Int64, staged_line Int64,
          ${Object.entries(columns)
            .map(([column, type]) => `${column} ${columnTypes[type]}`)
            .join(', ')},
          key_hash UInt128 DEFAULT ${hashOf(key)})
       ENGINE = MergeTree PARTITION BY batch ORDER BY staged_number`,
  );
  return [
    ...staged,
    `CREATE TABLE IF NOT EXISTS staged_duplicate (batch Int64, fact LowCardinality(String),
       number Int64, line Int64, kept_line Int64, key_hash UInt128)
     ENGINE = MergeTree PARTITION BY batch ORDER BY (fact, number)`,
    `CREATE TABLE IF NOT EXISTS staged_repeat (batch Int64, fact LowCardinality(String),
       number Int64, key_hash UInt128)
     ENGINE = MergeTree PARTITION BY batch ORDER BY (fact, number)`,
    `CREATE TABLE IF NOT EXISTS staged_match (batch Int64, fact LowCardinality(String),
       number Int64, day Date32, newer UInt8, key_hash UInt128, versions String)
     ENGINE = MergeTree PARTITION BY batch ORDER BY (fact, number)`,
    `CREATE TABLE IF NOT EXISTS staged_removal (batch Int64, fact LowCardinality(String),
       day Date32, partition_value String, by_unit UInt8, key_hash UInt128)
     ENGINE = MergeTree PARTITION BY batch ORDER BY (fact, day)`,
  ];
}

/** Compares keys by a 128-bit hash. */
export function hashOf(key: readonly string[]): string {
  return `reinterpretAsUInt128(sipHash128(${key.join(', ')}))`;
}

/** The columns of a table except the day, which has its own place in every table. */
export function undatedColumns(name: string): string[] {
  return columnsOf(name).filter((column) => column !== 'day');
}

/** The columns of a fact table or rollup. */
export function columnsOf(name: string): string[] {
  return Object.keys(factTables.find((table) => table.name === name)!.columns);
}
