/** The records of one moment, read on a separate connection while others change them. */
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, type SqliteDialect } from 'kysely';
import type { RecordsSnapshot } from '../recordCopies.ts';
import type { Records } from '../registry.ts';

const rowsPerPortion = 1_000;

/** Reads one snapshot of the file. */
export async function readSnapshot<T>(
  file: string,
  dialectOf: (database: DatabaseSync) => SqliteDialect,
  use: (snapshot: RecordsSnapshot) => Promise<T>,
): Promise<T> {
  const database = new DatabaseSync(file, { readOnly: true });
  const records = new Kysely<Records>({
    dialect: dialectOf(database),
    plugins: [new CamelCasePlugin()],
  });
  try {
    // A snapshot begins with the first row that is read.
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    return await use({ records, rows: (table) => rowsOf(records, table) });
  } finally {
    await records.destroy();
    if (database.isOpen) database.close();
  }
}

async function* rowsOf(
  records: Kysely<Records>,
  table: keyof Records,
): AsyncGenerator<Record<string, unknown>[]> {
  let portion: Record<string, unknown>[] = [];
  for await (const row of records.selectFrom(table).selectAll().stream()) {
    portion.push(row);
    if (portion.length < rowsPerPortion) continue;
    yield portion;
    portion = [];
    await setImmediate();
  }
  if (portion.length > 0) yield portion;
}
