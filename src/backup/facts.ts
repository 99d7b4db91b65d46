/** Reads the facts of one snapshot into the files of a backup or an export. */
import { type FactTable, facts } from '../../schema/warehouse/tables.ts';
import {
  copyQuestions,
  type FactsRange,
  type Place,
  rangeParameters,
  summedColumns,
  type WriteFile,
} from '../engine/copies.ts';
import type { Ask, Stream, Warehouse } from '../engine/warehouse.ts';
import type { Archive } from './archive.ts';
import type { FactsFile, Total } from './format.ts';

/** Longer than any backup takes. */
export const copyMilliseconds = 7 * 86_400_000;

const defaultRowsPerFile = 500_000;

/** The facts of one snapshot. */
export type FactsSnapshot = {
  readonly channels: readonly number[];
  readonly ask: Ask;
  readonly stream: Stream;
  readonly write: WriteFile;
};

/** Adds the files of all tables. */
export async function addFacts(
  archive: Archive,
  snapshot: FactsSnapshot,
  rowsPerFile = defaultRowsPerFile,
): Promise<FactsFile[]> {
  const files: FactsFile[] = [];
  for (const { name } of facts) {
    const { rows: question } = copyQuestions.get(name)!;
    let number = 0;
    for (const { rows, range } of await rangesOf(name, snapshot, rowsPerFile)) {
      number++;
      const path = `facts/${name}-${String(number).padStart(4, '0')}.parquet`;
      const parameters = rangeParameters(snapshot.channels, range);
      const file = await archive.add(path, (target) =>
        snapshot.write(question, parameters, target),
      );
      files.push({ ...file, range, rows });
    }
  }
  return files;
}

type CountedRange = { readonly range: FactsRange; readonly rows: number };

/** Divides the rows of a table into ranges, one for each file. */
async function rangesOf(
  table: string,
  { channels, stream }: Pick<FactsSnapshot, 'channels' | 'stream'>,
  rowsPerFile: number,
): Promise<CountedRange[]> {
  const ranges: CountedRange[] = [];
  let from: Place | undefined;
  let to: Place | undefined;
  let rows = 0;
  const end = () => {
    if (from && to) ranges.push({ range: { table, from, to }, rows });
    [from, rows] = [undefined, 0];
  };
  for await (const portion of stream(copyQuestions.get(table)!.counts, { channels }))
    for (const { channel, day = 0, row_count } of portion) {
      to = { channel, day };
      from ??= to;
      rows += row_count;
      if (rows >= rowsPerFile) end();
    }
  end();
  return ranges;
}

/** The totals of a table. */
export async function totalsOf(
  table: FactTable,
  { channels, ask }: Pick<FactsSnapshot, 'channels' | 'ask'>,
): Promise<Total[]> {
  const found = await ask(copyQuestions.get(table.name)!.totals, { channels });
  return found.map((row) => ({
    table: table.name,
    channel: row.channel,
    rows: row.row_count,
    sums: Object.fromEntries(
      summedColumns(table).map((column) => [column, String(row[column] ?? 0)]),
    ),
  }));
}

/** The totals of all tables of a warehouse, as of now. */
export async function totalsNow(
  warehouse: Pick<Warehouse, 'read'>,
  channels: readonly number[],
): Promise<Total[]> {
  return await warehouse.read(channels, { deadlineMilliseconds: copyMilliseconds }, async (ask) => {
    const totals: Total[] = [];
    for (const table of facts) totals.push(...(await totalsOf(table, { channels, ask })));
    return totals;
  });
}
