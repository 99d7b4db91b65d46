import { owner, required, type TableBuilder } from '../columns.ts';

/** Creates the table of financial codes that organisations have named. */
export async function createNamedCodes({ schema, text, integer, create }: TableBuilder) {
  await create(
    schema
      .createTable('named_code')
      .addColumn('organisation_id', text, owner('organisation.organisation_id'))
      .addColumn('source', text, required)
      .addColumn('code', text, required)
      .addColumn('line', text, required)
      .addColumn('updated_at', integer, required)
      .addPrimaryKeyConstraint('named_code_pk', ['organisation_id', 'source', 'code']),
  );
}
