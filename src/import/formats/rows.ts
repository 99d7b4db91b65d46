/** Reads rows of a dataset: NDJSON or CSV. */
import { DocumentRefused } from '../refused.ts';
import { type RowReader, shownName } from '../rows.ts';
import type { ImportSession } from '../session.ts';
import { readLines, readRecords } from './text.ts';

const unknownNamesMax = 5;

/** Reads one JSON object per line. */
export async function readNdjson(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  dataset: string,
): Promise<void> {
  if (dataset === 'orders') {
    await readLines(session, bytes, (text, line) => {
      const row = objectOf(session, text, line);
      if (row) session.orders.order(row, line, { lenient: false });
    });
    await session.orders.flushAll();
    return;
  }
  const reader = session.rows(dataset);
  const plain = session.plainRows(dataset, reader);
  let begun = false;
  const onLine = (text: string, line: number) => {
    const row = objectOf(session, text, line);
    if (row) reader.object(row, line, text);
    if (row && !begun) plain?.takeObject(row, text);
    begun = true;
  };
  await readLines(session, bytes, onLine, plain);
}

function objectOf(
  session: ImportSession,
  text: string,
  line: number,
): Record<string, unknown> | undefined {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    session.reject(line, 'is not JSON');
    return undefined;
  }
  if (typeof row === 'object' && row !== null && !Array.isArray(row))
    return row as Record<string, unknown>;
  session.reject(line, 'is not a JSON object');
  return undefined;
}

/** Reads delimited text whose header has the names of the dataset's fields. */
export async function readCsv(
  session: ImportSession,
  bytes: AsyncIterable<Buffer>,
  dataset: string,
): Promise<void> {
  const reader = session.rows(dataset);
  let indexes: readonly number[] = [];
  await readRecords(session, bytes, {
    header(names) {
      indexes = fieldIndexes(names, reader);
    },
    record(cells, line) {
      const values: unknown[] = [];
      for (let column = 0; column < cells.length; column++)
        values[indexes[column]!] = cells[column];
      reader.values(values, line);
    },
    plain: session.plainRows(dataset, reader),
  });
}

/** The index of each column's field. */
function fieldIndexes(header: readonly string[], reader: RowReader): readonly number[] {
  const indexes = header.map((name) => reader.indexOf(name.trim()));
  const unknown = header.filter((_, column) => indexes[column] === undefined);
  if (unknown.length > 0) {
    const names = unknown.slice(0, unknownNamesMax).map(shownName).join(', ');
    throw new DocumentRefused(
      `the header has unknown ${unknown.length > 1 ? 'columns' : 'column'} ${names}; the dataset has ${reader.names}`,
    );
  }
  if (new Set(indexes).size < indexes.length)
    throw new DocumentRefused('the header names a column twice');
  const missing = reader.required.filter((name) => !indexes.includes(reader.indexOf(name)));
  if (missing.length > 0)
    throw new DocumentRefused(`the header lacks ${missing.join(', ')}: add what every row needs`);
  return indexes as number[];
}
