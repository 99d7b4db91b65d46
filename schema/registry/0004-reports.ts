import type { Kysely } from 'kysely';
import { type Engine, wordsOf } from './words.ts';

/** Reports that were asked for. */
export async function createReports(store: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, whole, ended } = wordsOf(engine);
  const { schema } = store;

  await ended(
    schema
      .createTable('report')
      .addColumn('report_id', text, (column) => column.primaryKey().notNull())
      .addColumn('job_id', text, (column) =>
        column.notNull().references('job.job_id').onDelete('cascade'),
      )
      .addColumn('user_id', text, (column) =>
        column.notNull().references('user_account.user_id').onDelete('cascade'),
      )
      .addColumn('report_type', text, (column) => column.notNull())
      .addColumn('asked', text, (column) => column.notNull())
      .addColumn('created_at', whole, (column) => column.notNull()),
  ).execute();
  await schema.createIndex('report_job').on('report').column('job_id').execute();
  await schema.createIndex('report_user').on('report').columns(['user_id', 'created_at']).execute();
}
