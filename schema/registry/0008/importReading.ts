import { required, type TableBuilder } from '../columns.ts';

/** Adds to imports the encoding of their document, and its rows that belong to other stores. */
export async function addImportReading(builder: TableBuilder): Promise<void> {
  const { schema, text, integer } = builder;
  // Nobody knows the encoding of earlier documents.
  await schema.alterTable('import').addColumn('encoding', text).execute();
  await schema
    .alterTable('import')
    .addColumn('other_stores', integer, (column) => required(column).defaultTo(0))
    .execute();
}
