import { sql } from 'kysely';
import {
  type Column,
  oneOf,
  owner,
  primary,
  required,
  type TableBuilder,
  unique,
} from '../columns.ts';

/** The user who requested it. The result belongs to the organisation and outlives the user. */
const creator: Column = (column) => column.references('user_account.user_id').onDelete('set null');

/** Creates the tables of jobs and of report requests. */
export async function createJobs(builder: TableBuilder): Promise<void> {
  const { schema, store, text, integer, create, index, numbered } = builder;
  await create(
    schema
      .createTable('job')
      .addColumn('sequence', integer, numbered)
      .addColumn('job_id', text, unique)
      .addColumn('kind', text, required)
      .addColumn('channel_number', integer, owner('channel.channel_number'))
      .addColumn('organisation_id', text, owner('organisation.organisation_id'))
      .addColumn('user_id', text, creator)
      .addColumn('state', text, oneOf('state', 'waiting', 'running', 'done', 'failed'))
      .addColumn('payload', text, required)
      .addColumn('result', text)
      .addColumn('error', text)
      .addColumn('created_at', integer, required)
      .addColumn('started_at', integer)
      .addColumn('finished_at', integer)
      .addColumn('attempts', integer, required)
      .addColumn('worker', text)
      .addColumn('lease_until', integer, required),
  );
  // Every few seconds, workers look for the few unfinished jobs among all jobs.
  const open = sql`CREATE INDEX job_open ON job (kind, channel_number, sequence)
    WHERE state IN ('waiting', 'running')`;
  await open.execute(store);
  await index('job', 'channel', ['channel_number']);
  await index('job', 'organisation', ['organisation_id']);
  await index('job', 'user', ['user_id']);
  await index('job', 'finished', ['finished_at']);
  await create(
    schema
      .createTable('report')
      .addColumn('report_id', text, primary)
      .addColumn('job_id', text, owner('job.job_id'))
      .addColumn('user_id', text, creator)
      .addColumn('report_type', text, required)
      .addColumn('options', text, required)
      .addColumn('created_at', integer, required),
  );
  await index('report', 'job', ['job_id']);
  await index('report', 'user', ['user_id', 'created_at']);
}

/** Creates the tables of idempotent requests and of rate limits. */
export async function createRequests(builder: TableBuilder): Promise<void> {
  const { schema, store, engine, text, integer, create, index } = builder;
  await create(
    schema
      .createTable('idempotent_request')
      .addColumn('owner', text, required)
      .addColumn('key_hash', text, required)
      .addColumn('fingerprint', text, required)
      .addColumn('attempt', text, required)
      .addColumn('answer', text)
      .addColumn('started_at', integer, required)
      .addPrimaryKeyConstraint('idempotent_request_key', ['owner', 'key_hash']),
  );
  await index('idempotent_request', 'started', ['started_at']);
  if (engine === 'sqlite') return;
  // Nodes share the budgets of keys here; rate-limiter-flexible prescribes the columns.
  const budgets = sql`CREATE TABLE key_budget
    (key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`;
  await budgets.execute(store);
}
