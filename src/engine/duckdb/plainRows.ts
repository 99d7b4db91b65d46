/** Stages rows that DuckDB reads by itself: one statement reads, checks and types a portion. */
import { blobValue, type DuckDBConnection } from '@duckdb/node-api';
import { factTable } from '../../../schema/warehouse/tables.ts';
import type {
  ColumnSource,
  PlainCoverage,
  PlainField,
  PlainRows,
  PlainType,
} from '../plainRows.ts';
import { type OpenDatabase, sharedRows } from './database.ts';
import { count, days, rows } from './queries.ts';
import { columnTypes, dateOf, quoted } from './schema.ts';

/** Up to here a double represents six decimals of a product exactly. */
const weightedMax = 1e9;
/** The number of customers to remember, because hashing is the most expensive step. */
const customersMax = 200_000;
/** The number of bytes in a block of SHA-256. */
const hashBlockBytes = 64;

/**
 * Reads, checks and types the lines of a portion, and passes the table of rows to `stage`. Returns
 * undefined if any line is not a plain row. Several portions are read at the same time, each on its
 * own connection.
 */
export async function readPlain(
  { instance }: OpenDatabase,
  importId: number,
  portion: PlainRows,
  stage: (rows: string) => Promise<PlainCoverage>,
): Promise<PlainCoverage | undefined> {
  const rows = `${sharedRows}.plain_${importId}_${portion.firstLine}`;
  const connection = await instance.connect();
  try {
    const isPlain = await read(connection, portion, rows);
    return isPlain ? await stage(rows) : undefined;
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${rows}`).catch(() => undefined);
    connection.closeSync();
  }
}

async function read(
  connection: DuckDBConnection,
  portion: PlainRows,
  rows: string,
): Promise<boolean> {
  try {
    await connection.run(`CREATE TABLE ${rows} AS ${checkedRows(portion)}`);
    return (await count(connection, `FROM ${rows}`)) === portion.lines;
  } catch (error) {
    // Its message may repeat the row, so it is not passed on.
    if (isAboutCells(error)) return false;
    throw error;
  }
}

/** Stages the rows that `readPlain` has read. Returns their coverage. */
export async function stagePlain(
  connection: DuckDBConnection,
  portion: PlainRows,
  from: string,
): Promise<PlainCoverage> {
  const address = addressOf(portion);
  if (address) await hashCustomers(connection, portion, address, from);
  await connection.run(
    `INSERT INTO staged_${portion.table} SELECT number, number, ${columnsOf(portion)}
     FROM ${from} ${address ? `LEFT JOIN plain_customer ON address = ${address}` : ''}`,
  );
  return await coverageOf(connection, portion, from);
}

function isAboutCells(error: unknown): boolean {
  return error instanceof Error && /^(Invalid Input|Conversion) Error/.test(error.message);
}

/** Selects the typed fields of all lines. Fails at the first line that is not a plain row. */
function checkedRows(portion: PlainRows): string {
  const values = portion.fields.map((field) => `${typedValue(field)} AS ${valueName(field.name)}`);
  const number = `row_number + ${portion.firstLine - 1}`;
  const checks = checksOf(portion);
  const checked =
    checks.length === 0
      ? number
      : `CASE WHEN ${checks.join(' AND ')} THEN ${number} ELSE error('this is not a plain row') END`;
  return `SELECT ${checked} AS number, * EXCLUDE (row_number)
     FROM (SELECT row_number, ${values.join(', ')} FROM (${cellsOf(portion)}))`;
}

/** Selects the cells of each line, with the line's number. */
function cellsOf({ path, format, fields }: PlainRows): string {
  // In one thread, so that the lines stay in order.
  const lines = (delimiter: string, columns: Readonly<Record<string, string>>) =>
    `read_csv(${quoted(path)}, auto_detect = false, header = false, delim = ${quoted(delimiter)},
       quote = '', escape = '', new_line = '\\n', max_line_size = 1048576,
       buffer_size = 8388608, parallel = false, columns = {${Object.entries(columns)
         .map(([name, type]) => `${quoted(name)}: '${type}'`)
         .join(', ')}})`;
  if ('delimiter' in format)
    return `SELECT row_number() OVER () AS row_number, *
      FROM ${lines(
        format.delimiter,
        Object.fromEntries(fields.map(({ name, as }) => [cellName(name), cellTypes[as]])),
      )}`;
  // Cells in quotes stay texts, because they may be empty.
  const shape = fields.map(({ name, as, isNumber }) => {
    const type = isNumber ? cellTypes[as] : 'VARCHAR';
    return `"${name}":"${type}"`;
  });
  const cells = fields.map(({ name, as, isNumber }) => {
    const cell = `object."${name}"`;
    const typed = isNumber ? cell : `CAST(nullif(${cell}, '') AS ${cellTypes[as]})`;
    return `${typed} AS ${cellName(name)}`;
  });
  return `SELECT row_number, ${cells.join(', ')}
    FROM (SELECT row_number() OVER () AS row_number,
        from_json(line, ${quoted(`{${shape.join(',')}}`)}) AS object
      FROM ${lines('\u0001', { line: 'VARCHAR' })})`;
}

/** The conditions that the values of a plain row meet. */
function checksOf(portion: PlainRows): string[] {
  const { fields, columns, anyOf, dated, dateRange } = portion;
  const checks: string[] = [];
  const valuesOf = (names: readonly string[]) =>
    fields.filter(({ name }) => names.includes(name)).map(({ name }) => valueName(name));
  if (anyOf.length > 0) checks.push(`coalesce(NULL, ${valuesOf(anyOf).join(', ')}) IS NOT NULL`);
  for (const source of columns) {
    if (source.as !== 'weighted') continue;
    const factors = valuesOf([source.share, source.count]);
    if (factors.length > 1) checks.push(`coalesce(${factors.join(' * ')}, 0) <= ${weightedMax}`);
  }
  if (dateRange) {
    const { first, last } = dateRange;
    checks.push(`${valueName(dated)} BETWEEN ${dateOf(first)} AND ${dateOf(last)}`);
  }
  return checks;
}

/** DuckDB's types of plain cells. */
const cellTypes: Record<PlainType, string> = {
  text: 'VARCHAR',
  whole: 'BIGINT',
  decimal: 'DECIMAL(18,6)',
  date: 'DATE',
  instant: 'TIMESTAMP',
};

const cellName = (field: string) => `cell_${field}`;
const valueName = (field: string) => `value_${field}`;

/** The value of a field; NULL if it is missing. */
function typedValue({ name, as }: PlainField): string {
  return as === 'instant' ? `epoch_us(${cellName(name)}) // 1000000` : cellName(name);
}

/** The columns of the staged table, as values of the typed rows. */
function columnsOf(portion: PlainRows): string {
  const types = Object.values(factTable(portion.table).columns);
  return portion.columns
    .map((source, at) => `CAST(${columnOf(source, portion)} AS ${columnTypes[types[at]!]})`)
    .join(', ');
}

function columnOf(source: ColumnSource, { fields, missing, currency }: PlainRows): string {
  // A field that the document lacks is missing in every row.
  const given = (name: string) =>
    fields.some((field) => field.name === name) ? valueName(name) : 'NULL';
  switch (source.as) {
    case 'field':
    case 'since': {
      const value = missing[source.field] ?? 'NULL';
      const literal = typeof value === 'string' && value !== 'NULL' ? quoted(value) : value;
      return `coalesce(${given(source.field)}, ${literal})`;
    }
    case 'currency':
      return `coalesce(${given(source.field)}, ${quoted(currency)})`;
    case 'constant':
      return source.value === '' ? quoted('') : String(source.value);
    case 'utcDay':
      return `${dateOf(0)} + CAST(${given(source.field)} // 86400 AS INTEGER)`;
    case 'customer':
      return given(source.field) === 'NULL' ? "''" : "coalesce(customer, '')";
    case 'weighted':
      return `coalesce(${given(source.share)} * ${given(source.count)}, 0)`;
    case 'counted':
      return `CASE WHEN ${given(source.share)} IS NULL THEN 0
        ELSE coalesce(${given(source.count)}, 0) END`;
  }
}

/** The value of e-mail addresses, which are stored as hashes. */
function addressOf({ fields, columns }: PlainRows): string | undefined {
  const source = columns.find((column) => column.as === 'customer');
  const field = source && fields.find(({ name }) => name === source.field);
  return field && valueName(field.name);
}

/** Adds the customers of a portion to `plain_customer`: HMAC with SHA-256 as in RFC 2104. */
async function hashCustomers(
  connection: DuckDBConnection,
  portion: PlainRows,
  address: string,
  from: string,
): Promise<void> {
  await connection.run(
    'CREATE TEMPORARY TABLE IF NOT EXISTS plain_customer (address VARCHAR, customer VARCHAR)',
  );
  if ((await count(connection, 'FROM plain_customer')) > customersMax)
    await connection.run('DELETE FROM plain_customer');
  const padded = (pad: number) => {
    const block = new Uint8Array(hashBlockBytes).fill(pad);
    for (const [at, byte] of portion.customerKey.entries()) block[at] = byte ^ pad;
    return blobValue(block);
  };
  await connection.run(
    `INSERT INTO plain_customer
     SELECT address, left(translate(to_base64(unhex(sha256($outer ||
       unhex(sha256($inner || encode(lower(address))))))), '+/', '-_'), 22)
     FROM (SELECT DISTINCT ${address} AS address FROM ${from} WHERE ${address} IS NOT NULL)
     ANTI JOIN plain_customer USING (address)`,
    { outer: padded(0x5c), inner: padded(0x36) },
  );
}

async function coverageOf(
  connection: DuckDBConnection,
  { fields, dated }: PlainRows,
  from: string,
): Promise<PlainCoverage> {
  const value = valueName(dated);
  if (fields.find(({ name }) => name === dated)!.as === 'date')
    return { days: await days(connection, `SELECT DISTINCT ${value} AS day FROM ${from}`) };
  const [row] = await rows(
    connection,
    `SELECT min(${value}) AS first, max(${value}) AS last FROM ${from}`,
  );
  return { from: row!.first as number, to: row!.last as number };
}
