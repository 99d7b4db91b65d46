/** The temporary tables of staged rows, and the files that they are loaded from. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type ColumnType, factTable } from '../../../schema/warehouse/tables.ts';
import { columnList, columnTypes, quoted } from './schema.ts';

/** Creates the table of the staged rows of a table. */
export async function createStaged(connection: DuckDBConnection, name: string): Promise<void> {
  await connection.run(
    `CREATE TEMPORARY TABLE staged_${name} (staged_number BIGINT NOT NULL,
       staged_line BIGINT NOT NULL, ${columnList(factTable(name).columns)})`,
  );
}

/** Loads a file of checked rows. */
export async function stageFile(
  connection: DuckDBConnection,
  name: string,
  file: string,
): Promise<void> {
  const types = Object.entries<ColumnType>({
    staged_number: 'Int64',
    staged_line: 'Int64',
    ...factTable(name).columns,
  }).map(([column, type]) => `'${column}': '${columnTypes[type]}'`);
  await connection.run(
    `INSERT INTO staged_${name} SELECT * FROM read_csv(${quoted(file)}, auto_detect = false,
       header = false, delim = ',', quote = '''', escape = '''', nullstr = '\\N',
       allow_quoted_nulls = false, new_line = '\\n', max_line_size = 4194304,
       buffer_size = 8388608, columns = {${types.join(', ')}})`,
  );
}
