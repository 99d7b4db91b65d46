import { sql } from 'kysely';
import { oneOf, owner, primary, required, type TableBuilder } from '../columns.ts';

/** Creates the tables of imports, their rejected rows and the financial codes of operators. */
export async function createImports(builder: TableBuilder): Promise<void> {
  const { schema, text, integer, create, index, numbered } = builder;
  // At most one row: the warehouse of this registry has the same identifier.
  await create(
    schema
      .createTable('installation')
      .addColumn('row_number', integer, (column) =>
        primary(column).check(sql`${sql.ref('row_number')} = 1`),
      )
      .addColumn('installation_id', text, required),
  );
  // Deleting a channel deletes its facts, so the imports that brought them go as well.
  await create(
    schema
      .createTable('import')
      .addColumn('import_id', integer, numbered)
      .addColumn('dataset', text, required)
      .addColumn('channel_number', integer, (column) =>
        column.references('channel.channel_number').onDelete('cascade'),
      )
      .addColumn('state', text, oneOf('state', 'running', 'done', 'failed', 'undone'))
      .addColumn('started_at', integer, required)
      .addColumn('finished_at', integer)
      .addColumn('rows_read', integer, required)
      .addColumn('rows_accepted', integer, required)
      .addColumn('rows_rejected', integer, required)
      .addColumn('first_date', text)
      .addColumn('last_date', text)
      .addColumn('rows_coarse', integer, required)
      .addColumn('rows_merged', integer, required)
      .addColumn('rows_skipped', integer, required)
      .addColumn('rounded', integer, required)
      .addColumn('error', text)
      .addColumn('summary', text),
  );
  await index('import', 'channel_dataset', ['channel_number', 'dataset', 'import_id']);
  // Every start looks for the few imports that a killed process left running.
  await schema
    .createIndex('import_running')
    .on('import')
    .column('import_id')
    .where(sql.ref('state'), '=', sql.lit('running'))
    .execute();
  await create(
    schema
      .createTable('import_rejection')
      .addColumn('rejection_id', integer, numbered)
      .addColumn('import_id', integer, owner('import.import_id'))
      .addColumn('line', integer, required)
      .addColumn('reason', text, required),
  );
  await index('import_rejection', 'import', ['import_id', 'line']);
  await create(
    schema
      .createTable('finance_code')
      .addColumn('source', text, required)
      .addColumn('type', text, required)
      .addColumn('component', text, required)
      .addColumn('code', text, required)
      .addColumn('line', text, required)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required)
      .addPrimaryKeyConstraint('finance_code_key', ['source', 'type', 'component', 'code']),
  );
}
