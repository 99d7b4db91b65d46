/**
 * The few words of a table's definition that SQLite and PostgreSQL spell differently.
 */
import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type RawBuilder,
  sql,
} from 'kysely';

/** The stores that a registry may be. */
export type Engine = 'sqlite' | 'postgres';

/** What a migration says instead of an engine's own types. */
type Words = {
  /** Text that sorts and compares by its bytes. */
  readonly text: RawBuilder<unknown>;
  /** A whole number of 64 bits. */
  readonly whole: 'integer' | 'bigint';
  /** Makes a column the key, numbered by the store with numbers that are never used twice. */
  readonly numbered: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** Ends a table's definition. */
  readonly ended: <Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ) => CreateTableBuilder<Table, Column>;
};

/** The words of an engine. */
export function wordsOf(engine: Engine): Words {
  if (engine === 'sqlite') {
    return {
      text: sql`text`,
      whole: 'integer',
      numbered: (column) => column.primaryKey().autoIncrement(),
      // Without STRICT a column takes values of any type, which PostgreSQL would refuse.
      ended: (table) => table.modifyEnd(sql`strict`),
    };
  }
  return {
    // The collation of the server's locale would sort otherwise than SQLite.
    text: sql`text collate "C"`,
    whole: 'bigint',
    numbered: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
    ended: (table) => table,
  };
}
