/** The records of one moment, read on a separate connection while others change them. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { RecordsSnapshot } from '../recordCopies.ts';
import type { Records } from '../registry.ts';

const rowsPerPortion = 1_000;

/** Reads one snapshot on a connection without time limits, then closes the connection. */
export async function readSnapshot<T>(
  store: Kysely<Records>,
  use: (snapshot: RecordsSnapshot) => Promise<T>,
): Promise<T> {
  try {
    return await store
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (records) => {
        // A snapshot begins with the first statement.
        await sql`SELECT 1`.execute(records);
        return await use({ records, rows: (table) => rowsOf(records, table) });
      });
  } finally {
    await store.destroy();
  }
}

async function* rowsOf(
  records: Transaction<Records>,
  table: keyof Records,
): AsyncGenerator<Record<string, unknown>[]> {
  await sql`DECLARE copied CURSOR FOR SELECT * FROM ${sql.table(table)}`.execute(records);
  for (;;) {
    const { rows } = await sql<
      Record<string, unknown>
    >`FETCH ${sql.lit(rowsPerPortion)} FROM copied`.execute(records);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`CLOSE copied`.execute(records);
}
