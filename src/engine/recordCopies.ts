/** Copies of records, which leave one registry and enter another one of either engine. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Records } from './records.ts';

/** The name of a table of records. */
export type RecordTable = keyof Records;

/** The records of one moment. */
export type RecordsSnapshot = {
  readonly records: Kysely<Records>;
  /** The rows of a table in portions, none of them empty. */
  rows<T extends RecordTable>(table: T): AsyncIterable<Record<string, unknown>[]>;
};

/** The tables, each after those that it refers to, with the column that its store numbers. */
export const recordTables: Readonly<Record<RecordTable, string | null>> = {
  installation: null,
  installationKey: null,
  operator: null,
  organisation: null,
  userAccount: null,
  apiKey: null,
  keyUsage: null,
  recentRequest: 'request_number',
  session: null,
  passwordLink: null,
  secondFactor: null,
  recoveryCode: null,
  channel: null,
  channelAccess: null,
  keyChannel: null,
  channelTag: null,
  taxRate: null,
  customGroup: 'group_id',
  customGroupEntry: 'entry_id',
  campaignGroup: null,
  campaignGroupCampaign: null,
  import: 'import_id',
  importRejection: 'rejection_id',
  financeCode: null,
  namedCode: null,
  job: 'sequence',
  report: null,
  reportChannel: null,
  webhook: null,
  webhookDelivery: null,
  schedule: null,
  scheduleRun: null,
  scheduleRunChannel: null,
  mailRecipient: null,
  mailMessage: null,
  channelAlert: null,
  idempotentRequest: null,
  auditEntry: 'audit_id',
};

/** The names of all tables, in an order in which they can be filled. */
export const recordTableNames = Object.keys(recordTables) as RecordTable[];

/** The tables whose rows the store numbers. */
export const numberedTables: readonly RecordTable[] = recordTableNames.filter(
  (table) => recordTables[table] !== null,
);

/** The name of a table in the stores. */
export function storedName(table: RecordTable): string {
  return table.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** PostgreSQL takes at most 65,535 parameters, SQLite fewer. */
const parametersMax = 30_000;

/** Inserts copied rows of a table under their original numbers. */
export async function insertCopies(
  engine: 'sqlite' | 'postgres',
  transaction: Transaction<Records>,
  table: RecordTable,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const rowsAtOnce = Math.floor(parametersMax / Math.max(1, columns.length));
  const withNumbers = engine === 'postgres' ? sql`OVERRIDING SYSTEM VALUE` : sql``;
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const values = rows
      .slice(first, first + rowsAtOnce)
      .map((row) => sql`(${sql.join(columns.map((column) => sql`${row[column]}`))})`);
    await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
      ${withNumbers} VALUES ${sql.join(values)}`.execute(transaction);
  }
}
