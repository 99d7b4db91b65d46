import type { TableBuilder } from '../columns.ts';

/** Adds to imports the identity of their document, and the dates that it covers in each table. */
export async function addImportDocuments(builder: TableBuilder): Promise<void> {
  const { schema, text, integer, index } = builder;
  // Null for earlier imports, whose values are unknown.
  for (const [column, type] of [
    ['document_hash', text],
    ['document_bytes', integer],
    ['media_type', text],
    ['file_name', text],
    ['coverage', text],
  ] as const)
    await schema.alterTable('import').addColumn(column, type).execute();
  await index('import', 'channel_dates', ['channel_number', 'last_date', 'first_date']);
}
