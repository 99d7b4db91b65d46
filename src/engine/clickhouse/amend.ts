/** Changes existing facts as the channel's next version. */
import { type Dependency, factTable } from '../../../schema/warehouse/tables.ts';
import { type Amendment, affectedDays, dependentDays } from '../amendment.ts';
import { type Question, question } from '../question.ts';
import type { Row } from '../warehouse.ts';
import { type Change, type ChangeOf, computeRollups, makeChange } from './changes.ts';
import type { Client } from './client.ts';
import { undatedColumns } from './schema.ts';
import { withVisible } from './snapshot.ts';
import { dateOf, literalText } from './vocabulary.ts';

/** The day of all rows of undated tables. */
const undatedDay = 0;

/**
 * Makes the changes, which become visible together; returns the number of removed rows per table.
 */
export async function amendFacts(
  client: Client,
  of: ChangeOf,
  amendments: readonly Amendment[],
  timezone: string,
): Promise<Record<string, number>> {
  const rowsRemoved: Record<string, number> = {};
  await makeChange(client, of, async (change) => {
    const byTable = new Map<string, readonly number[]>();
    const byDependency = new Map<Dependency, readonly number[]>();
    for (const amendment of amendments) {
      const { table } = amendment;
      const ask = (body: Question) => client.rows(textOf(body, amendment, change));
      for (const [dependency, body] of dependentDays(amendment))
        byDependency.set(dependency, daysOf(await ask(body)));
      const affected = await ask(affectedDays(amendment));
      rowsRemoved[table] = affected.reduce((sum, row) => sum + (row.removed as number), 0);
      if (affected.length === 0) continue;
      const days = factTable(table).day === null ? [undatedDay] : daysOf(affected);
      byTable.set(table, days);
      await rewrite(client, change, amendment, days);
    }
    await computeRollups(client, change, timezone, { byTable, byDependency });
  });
  return rowsRemoved;
}

/** Writes the remaining rows of those days, with their new values. */
async function rewrite(
  client: Client,
  change: Change,
  amendment: Amendment,
  days: readonly number[],
): Promise<void> {
  const { table, removed = 'false', changed = 'false', set = {} } = amendment;
  const { channel, version } = change;
  const isDated = factTable(table).day !== null;
  const values = undatedColumns(table).map((column) =>
    set[column] === undefined
      ? column
      : `CASE WHEN ${changed} THEN ${set[column]} ELSE ${column} END`,
  );
  const ofDays = isDated ? `AND day IN (${days.map(dateOf).join(', ')})` : '';
  const body = question(
    `remaining rows of ${table}`,
    `SELECT toInt32(${channel}), ${isDated ? 'day' : dateOf(undatedDay)}, toInt64(${version}),
       import_id, ${values.join(', ')}
     FROM ${table} WHERE channel = {channel:Int32} ${ofDays} AND NOT (${removed})`,
  );
  await client.run(
    `INSERT INTO all_${table} (channel, day, version, import_id,
       ${undatedColumns(table).join(', ')}) ${textOf(body, amendment, change)}`,
  );
}

/** The text of a question about the facts before the change. */
function textOf({ sql }: Question, { parameters }: Amendment, { channel, before }: Change): string {
  return withVisible(literalText(sql, { ...parameters, channel }), before);
}

function daysOf(rows: readonly Row[]): number[] {
  return rows.map((row) => row.day as number);
}
