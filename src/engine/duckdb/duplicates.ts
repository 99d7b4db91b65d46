/** Finds the staged rows that repeat others: by their key, or by the figures of their product. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { FactTable } from '../../../schema/warehouse/tables.ts';
import { count } from './queries.ts';

/** The duplicates and repeats of an import batch. A condition without any is 'true' or 'false'. */
export class Duplicates {
  readonly #connection: DuckDBConnection;
  readonly #run: (sql: string) => Promise<void>;
  readonly #unique = new Map<string, string>();
  readonly #repeated = new Map<string, string>();

  /** `run` runs a statement that holds something of every staged row in memory. */
  constructor(connection: DuckDBConnection, run: (sql: string) => Promise<void>) {
    this.#connection = connection;
    this.#run = run;
  }

  /** The condition that a staged row is not a duplicate. */
  isUnique(name: string): string {
    return this.#unique.get(name) ?? 'true';
  }

  /** The condition that a staged row repeats the figures of an earlier one. */
  isRepeat(name: string): string {
    return this.#repeated.get(name) ?? 'false';
  }

  /**
   * Finds the duplicates and repeats of a table once all its rows are staged. Returns whether it
   * has duplicates; `duplicate_NAME` lists them.
   */
  async find(table: FactTable): Promise<boolean> {
    const { name } = table;
    if (!this.#unique.has(name)) {
      const candidates = await this.#candidates(table);
      const hasDuplicates =
        candidates !== undefined && (await this.#findDuplicates(table, candidates));
      this.#unique.set(name, hasDuplicates ? `NOT ${among(`duplicate_${name}`)}` : 'true');
      const hasRepeats = candidates !== undefined && (await this.#findRepeats(table, candidates));
      this.#repeated.set(name, hasRepeats ? among(`repeat_${name}`) : 'false');
    }
    return this.isUnique(name) !== 'true';
  }

  /** A FROM clause of possible duplicates or repeats; undefined if there are none. */
  async #candidates({ name, key, repeats }: FactTable): Promise<string | undefined> {
    if (!repeats) return `staged_${name}`;
    // Rows of one key, and rows of the same figures, are equal in these columns.
    const columns = key.filter((column) => repeats.of.includes(column)).join(', ');
    const alike = `hash(${columns},
      CASE WHEN ${repeats.of[0]} = '' THEN hash(${key.join(', ')}) END)`;
    const found = await this.#create(
      `alike_${name}`,
      `SELECT ${alike} AS alike FROM staged_${name} GROUP BY 1 HAVING count(*) > 1`,
    );
    return found
      ? `(SELECT * FROM staged_${name} WHERE ${alike} IN (SELECT alike FROM alike_${name}))`
      : undefined;
  }

  /** Hashes show at little cost that there are no duplicates, which is the usual case. */
  #findDuplicates(
    { name, key, replacement, columns }: FactTable,
    candidates: string,
  ): Promise<boolean> {
    const latest = `${'updated_at' in columns ? 'updated_at DESC, ' : ''}staged_number DESC`;
    const order = replacement === 'byDay' ? 'staged_number' : latest;
    const keys = key.join(', ');
    const sameKey = `OVER (PARTITION BY ${keys} ORDER BY ${order})`;
    return this.#create(
      `duplicate_${name}`,
      `WITH repeated AS (SELECT hash(${keys}) AS key_hash FROM ${candidates}
           GROUP BY 1 HAVING count(*) > 1),
         candidates AS (SELECT staged_number, staged_line,
             first_value(staged_number) ${sameKey} AS counting,
             first_value(staged_line) ${sameKey} AS kept_line
           FROM ${candidates} WHERE hash(${keys}) IN (SELECT key_hash FROM repeated))
       SELECT staged_number AS number, staged_line AS line, kept_line
       FROM candidates WHERE staged_number <> counting`,
    );
  }

  async #findRepeats({ name, repeats }: FactTable, candidates: string): Promise<boolean> {
    if (!repeats) return false;
    const columns = repeats.of.join(', ');
    const unique = `FROM ${candidates}
      WHERE ${repeats.of[0]} <> '' AND ${this.isUnique(name)}`;
    return await this.#create(
      `repeat_${name}`,
      `WITH repeated AS (SELECT hash(${columns}) AS columns_hash ${unique}
           GROUP BY 1 HAVING count(*) > 1),
         candidates AS (SELECT staged_number,
             first_value(staged_number) OVER (PARTITION BY ${columns} ORDER BY staged_number)
               AS first_number
           ${unique} AND hash(${columns}) IN (SELECT columns_hash FROM repeated))
       SELECT staged_number AS number FROM candidates WHERE staged_number <> first_number`,
    );
  }

  /** Creates a temporary table. Returns whether it has rows. */
  async #create(name: string, selection: string): Promise<boolean> {
    await this.#run(`CREATE TEMPORARY TABLE ${name} AS ${selection}`);
    return (await count(this.#connection, `FROM ${name}`)) > 0;
  }
}

function among(name: string): string {
  return `(staged_number IN (SELECT number FROM ${name}))`;
}
