import type { TableBuilder } from '../columns.ts';

/** Adds to imports the version of the reader that read their document. */
export async function addImportReadings({ schema, integer }: TableBuilder): Promise<void> {
  // Null for documents that earlier versions read.
  await schema.alterTable('import').addColumn('reading', integer).execute();
}
