import { type Kysely, sql } from 'kysely';
import { type Engine, wordsOf } from './words.ts';

/** Jobs that outlive the process that took them on, an operator's own financial codes, and what an import came to. */
export async function createJobs(store: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, whole, numbered, ended } = wordsOf(engine);
  const { schema } = store;

  await ended(
    schema
      .createTable('job')
      .addColumn('sequence', whole, numbered)
      .addColumn('job_id', text, (column) => column.notNull().unique())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('channel_number', whole, (column) =>
        column.notNull().references('channel.channel_number').onDelete('cascade'),
      )
      .addColumn('organisation_id', text, (column) =>
        column.notNull().references('organisation.organisation_id').onDelete('cascade'),
      )
      .addColumn('user_id', text, (column) =>
        column.references('user_account.user_id').onDelete('set null'),
      )
      .addColumn('state', text, (column) =>
        column.notNull().check(sql`state in ('waiting', 'running', 'done', 'failed')`),
      )
      .addColumn('payload', text, (column) => column.notNull())
      .addColumn('result', text)
      .addColumn('error', text)
      .addColumn('created_at', whole, (column) => column.notNull())
      .addColumn('started_at', whole)
      .addColumn('finished_at', whole)
      .addColumn('attempts', whole, (column) => column.notNull())
      .addColumn('worker', text)
      .addColumn('lease_until', whole, (column) => column.notNull()),
  ).execute();
  // Of all jobs ever, the few that are not over are looked for every few seconds.
  await sql`CREATE INDEX job_open ON job (kind, channel_number, sequence) WHERE state IN ('waiting', 'running')`.execute(
    store,
  );
  await schema.createIndex('job_channel').on('job').column('channel_number').execute();
  await schema.createIndex('job_organisation').on('job').column('organisation_id').execute();
  await schema.createIndex('job_user').on('job').column('user_id').execute();
  await schema.createIndex('job_finished').on('job').column('finished_at').execute();

  await ended(
    schema
      .createTable('finance_code')
      .addColumn('source', text, (column) => column.notNull())
      .addColumn('type', text, (column) => column.notNull())
      .addColumn('component', text, (column) => column.notNull())
      .addColumn('code', text, (column) => column.notNull())
      .addColumn('line', text, (column) => column.notNull())
      .addColumn('created_at', whole, (column) => column.notNull())
      .addColumn('updated_at', whole, (column) => column.notNull())
      .addPrimaryKeyConstraint('finance_code_key', ['source', 'type', 'component', 'code']),
  ).execute();

  await schema.alterTable('import').addColumn('summary', text).execute();
}
