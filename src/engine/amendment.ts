/** Changes of existing facts that are not imports: how both engines find the affected facts. */
import { type Dependency, dependencies, factTable } from '../../schema/warehouse/tables.ts';
import { type Question, question } from './question.ts';
import type { Parameters } from './values.ts';

/**
 * A change of existing facts of one table. Its conditions and values are SQL in the words of
 * questions, and may read `parameters` and the channel.
 */
export type Amendment = {
  readonly table: string;
  readonly parameters: Parameters;
  /** The condition of the rows to remove. */
  readonly removed?: string;
  /** The condition of the rows whose columns get the values of `set`. */
  readonly changed?: string;
  readonly set?: Readonly<Record<string, string>>;
};

/** The condition of the rows that are removed or changed. */
function isAffected({ removed = 'false', changed = 'false' }: Amendment): string {
  return `channel = {channel:Int32} AND ((${removed}) OR (${changed}))`;
}

/** One row per day with affected rows; without a day in undated tables. */
export function affectedDays(amendment: Amendment): Question {
  const { table, removed = 'false' } = amendment;
  const { day } = factTable(table);
  return question(
    `affected days of ${table}`,
    `SELECT ${day === null ? '' : 'day, '}CAST(count(*) AS BIGINT) AS affected,
       CAST(sum(CASE WHEN ${removed} THEN 1 ELSE 0 END) AS BIGINT) AS removed
     FROM ${table} WHERE ${isAffected(amendment)}
     ${day === null ? 'HAVING count(*) > 0' : 'GROUP BY day'}`,
  );
}

/** One row per day of the events that depend on affected rows, such as unit costs. */
export function dependentDays(
  amendment: Amendment,
): readonly (readonly [dependency: Dependency, question: Question])[] {
  const { table } = amendment;
  return dependencies
    .filter((dependency) => dependency.table === table)
    .map((dependency) => {
      const { of, by, since } = dependency;
      const body = `SELECT DISTINCT event.day AS day FROM ${of} AS event
        JOIN (SELECT ${by}${since ? `, min(${since}) AS starting` : ''} FROM ${table}
          WHERE ${isAffected(amendment)} GROUP BY ${by}) AS amended ON event.${by} = amended.${by}
        WHERE event.channel = {channel:Int32}${since ? ' AND event.day >= amended.starting' : ''}`;
      return [dependency, question(`dependent days of ${table}`, body)] as const;
    });
}
