import { oneOf, owner, primary, required, type TableBuilder } from '../columns.ts';

/** Creates the tables of schedules and of their runs. */
export async function createSchedules(builder: TableBuilder): Promise<void> {
  const { schema, text, integer, create, index } = builder;
  await create(
    schema
      .createTable('schedule')
      .addColumn('schedule_id', text, primary)
      .addColumn('organisation_id', text, owner('organisation.organisation_id'))
      // A schedule reads as its user, so it is deleted with the user.
      .addColumn('user_id', text, owner('user_account.user_id'))
      // The key that created it; null for the console.
      .addColumn('key_id', text)
      .addColumn('name', text, required)
      .addColumn('cron', text, required)
      .addColumn('timezone', text, required)
      .addColumn('operation', text, required)
      .addColumn('parameters', text, required)
      .addColumn('period', text)
      .addColumn('emails', text, required)
      .addColumn('state', text, oneOf('state', 'enabled', 'paused', 'disabled'))
      .addColumn('reason', text)
      .addColumn('next_at', integer)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required),
  );
  await index('schedule', 'organisation', ['organisation_id', 'created_at']);
  await index('schedule', 'user', ['user_id']);
  await index('schedule', 'due', ['state', 'next_at']);
  await create(
    schema
      .createTable('schedule_run')
      // Also the identifier of its job.
      .addColumn('run_id', text, primary)
      .addColumn('schedule_id', text, owner('schedule.schedule_id'))
      .addColumn('due_at', integer, required)
      .addColumn('state', text, oneOf('state', 'waiting', 'running', 'done', 'failed'))
      .addColumn('report_id', text)
      .addColumn('stored_as', text)
      .addColumn('file_name', text)
      .addColumn('error', text)
      // Why its file could not be sent by e-mail; null if nothing failed.
      .addColumn('mail_error', text)
      .addColumn('mailed_at', integer)
      .addColumn('created_at', integer, required)
      .addColumn('finished_at', integer)
      .addUniqueConstraint('schedule_run_due', ['schedule_id', 'due_at']),
  );
  await index('schedule_run', 'created', ['created_at']);
}
