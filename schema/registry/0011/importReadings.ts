import type { TableBuilder } from '../columns.ts';

/** Adds to imports the version in which their document was read. */
export async function addImportReadings({ schema, integer }: TableBuilder): Promise<void> {
  // Null for documents that earlier versions read.
  await schema.alterTable('import').addColumn('reading', integer).execute();
}
