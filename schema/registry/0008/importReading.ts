import { required, type TableBuilder } from '../columns.ts';

/** Adds to imports the encoding of their document, and the count of rows of other stores. */
export async function addImportReading(builder: TableBuilder): Promise<void> {
  const { schema, text, integer } = builder;
  // Null for earlier documents, whose encoding is unknown.
  await schema.alterTable('import').addColumn('encoding', text).execute();
  await schema
    .alterTable('import')
    .addColumn('other_stores', integer, (column) => required(column).defaultTo(0))
    .execute();
}
