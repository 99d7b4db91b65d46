import { oneOf, type TableBuilder } from '../columns.ts';

/** Adds the format of reports; earlier reports are CSV. */
export async function addReportFormats({ schema, text }: TableBuilder): Promise<void> {
  await schema
    .alterTable('report')
    .addColumn('format', text, (column) =>
      oneOf('format', 'csv', 'parquet')(column.defaultTo('csv')),
    )
    .execute();
}
