/** Exports the facts of a channel as Parquet files, one for each table. */
import { type FactTable, facts } from '../../schema/warehouse/tables.ts';
import { type Question, questionFile } from '../engine/question.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import { Archive } from './archive.ts';
import { copyMilliseconds } from './facts.ts';
import { type BackupFile, sourceOf } from './format.ts';

/** The last file, which makes an export complete. */
export const exportListName = 'export.json';

/** An exported file. */
export type ExportedFile = BackupFile & { readonly table: string; readonly rows: number };

/** The list of the files of an export. */
export type ExportList = { readonly channelId: string; readonly files: readonly ExportedFile[] };

/** Columns that only this installation can use: sealed values, and earlier versions by import. */
const ownColumns: readonly string[] = ['sealed_email', 'versions'];

/** The columns of a table that are exported. */
export function exportedColumns({ columns }: Pick<FactTable, 'columns'>): string[] {
  return Object.keys(columns).filter((column) => !ownColumns.includes(column));
}

type ExportQuestions = {
  readonly table: FactTable;
  readonly count: Question<{ row_count: number }>;
  readonly rows: Question;
};

const questions: readonly ExportQuestions[] = facts.map((table) => ({
  table,
  count: questionFile(import.meta.url, 'rowCount.sql', { table: table.name }),
  rows: questionFile(import.meta.url, 'exportedRows.sql', {
    table: table.name,
    columns: exportedColumns(table),
  }),
}));

/** The bytes of an export as a tar file. */
export function exportChannel(
  warehouse: Warehouse,
  { channelId, channelNumber }: { readonly channelId: string; readonly channelNumber: number },
): AsyncGenerator<Uint8Array> {
  const channels = [channelNumber];
  const limits = { deadlineMilliseconds: copyMilliseconds };
  return Archive.bytes(warehouse.stagingFolder, (archive) =>
    warehouse.read(channels, limits, async (ask, _, write) => {
      const files: ExportedFile[] = [];
      for (const { table, count, rows: question } of questions) {
        const [found] = await ask(count, { channels });
        if (found!.row_count === 0) continue;
        const file = await archive.add(`${table.name}.parquet`, (target) =>
          write(question, { channels }, target),
        );
        files.push({ ...file, table: table.name, rows: found!.row_count });
      }
      const list: ExportList = { channelId, files };
      await archive.send(exportListName, sourceOf(`${JSON.stringify(list, null, 2)}\n`));
    }),
  );
}
