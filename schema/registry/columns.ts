/** The parts of table definitions, in the spelling of SQLite or PostgreSQL. */
import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  type SchemaModule,
  sql,
} from 'kysely';

/** The constraints of a column. */
export type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

/** The engines of the registry. */
export type Engine = 'sqlite' | 'postgres';

/** The tools with which a migration builds tables. */
export type TableBuilder = {
  readonly engine: Engine;
  readonly store: Kysely<unknown>;
  readonly schema: SchemaModule;
  /** Text that sorts and compares by its bytes. */
  readonly text: RawBuilder<unknown>;
  /** A 64-bit integer. */
  readonly integer: 'integer' | 'bigint';
  /** Makes a column the primary key. The store numbers its rows and never reuses a number. */
  readonly numbered: Column;
  /** Creates a table. */
  readonly create: (table: CreateTableBuilder<string, string>) => Promise<void>;
  /** Creates an index named `TABLE_NAME`. */
  readonly index: (table: string, name: string, columns: readonly string[]) => Promise<void>;
};

/** The table builder of an engine. */
export function tableBuilder(store: Kysely<unknown>, engine: Engine): TableBuilder {
  const { schema } = store;
  const isSqlite = engine === 'sqlite';
  return {
    engine,
    store,
    schema,
    // PostgreSQL's default collation sorts differently from SQLite.
    text: isSqlite ? sql`text` : sql`text collate "C"`,
    integer: isSqlite ? 'integer' : 'bigint',
    numbered: (column) =>
      isSqlite
        ? column.primaryKey().autoIncrement()
        : column.primaryKey().generatedAlwaysAsIdentity(),
    // Without STRICT, SQLite accepts values that PostgreSQL refuses.
    create: (table) => (isSqlite ? table.modifyEnd(sql`strict`) : table).execute(),
    index: (table, name, columns) =>
      schema
        .createIndex(`${table}_${name}`)
        .on(table)
        .columns([...columns])
        .execute(),
  };
}

/** A column that is never null. */
export const required: Column = (column) => column.notNull();

/** A primary key that the program chooses. */
export const primary: Column = (column) => column.primaryKey().notNull();

/** A required column whose values are unique. */
export const unique: Column = (column) => column.notNull().unique();

/** A required column that holds one of the values. */
export function oneOf(column: string, ...values: readonly string[]): Column {
  const list = sql.join(values.map((value) => sql.lit(value)));
  return (builder) => builder.notNull().check(sql`${sql.ref(column)} in (${list})`);
}

/** A required column that holds 0 or 1. */
export function flag(column: string): Column {
  return (builder) => builder.notNull().check(sql`${sql.ref(column)} in (0, 1)`);
}

/** A required reference to a row that cannot be deleted while it is referenced. */
export function reference(target: string): Column {
  return (column) => column.notNull().references(target);
}

/** A required reference to the row that owns this one; both are deleted together. */
export function owner(target: string): Column {
  return (column) => column.notNull().references(target).onDelete('cascade');
}
