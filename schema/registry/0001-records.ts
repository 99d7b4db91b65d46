import { type Kysely, sql } from 'kysely';
import { type Engine, wordsOf } from './words.ts';

/** Organisations, users, keys, channels, imports and the audit trail. */
export async function createRecords(store: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, whole, numbered, ended } = wordsOf(engine);
  const { schema } = store;

  await ended(
    schema
      .createTable('organisation')
      .addColumn('organisation_id', text, (column) => column.primaryKey().notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('plan', text, (column) =>
        column.notNull().check(sql`plan in ('standard', 'enterprise')`),
      )
      .addColumn('api_access', whole, (column) => column.notNull().check(sql`api_access in (0, 1)`))
      .addColumn('search_query_performance', whole, (column) =>
        column.notNull().check(sql`search_query_performance in (0, 1)`),
      )
      .addColumn('search_query_product_max', whole, (column) => column.notNull())
      .addColumn('created_at', whole, (column) => column.notNull()),
  ).execute();

  await ended(
    schema
      .createTable('user_account')
      .addColumn('user_id', text, (column) => column.primaryKey().notNull())
      .addColumn('organisation_id', text, (column) =>
        column.notNull().references('organisation.organisation_id'),
      )
      .addColumn('email', text, (column) => column.notNull().unique())
      .addColumn('role', text, (column) =>
        column.notNull().check(sql`role in ('owner', 'administrator', 'member')`),
      )
      .addColumn('password_hash', text)
      .addColumn('restricted', whole, (column) => column.notNull().check(sql`restricted in (0, 1)`))
      .addColumn('created_at', whole, (column) => column.notNull()),
  ).execute();
  await schema
    .createIndex('user_account_organisation')
    .on('user_account')
    .column('organisation_id')
    .execute();

  await ended(
    schema
      .createTable('api_key')
      .addColumn('key_id', text, (column) => column.primaryKey().notNull())
      .addColumn('user_id', text, (column) => column.notNull().references('user_account.user_id'))
      .addColumn('lookup', text, (column) => column.notNull().unique())
      .addColumn('sealed', text, (column) => column.notNull())
      .addColumn('per_second', whole, (column) => column.notNull())
      .addColumn('burst', whole, (column) => column.notNull())
      .addColumn('per_day', whole, (column) => column.notNull())
      .addColumn('created_at', whole, (column) => column.notNull())
      .addColumn('last_used_at', whole)
      .addColumn('expires_at', whole)
      .addColumn('revoked_at', whole),
  ).execute();
  await schema.createIndex('api_key_user').on('api_key').column('user_id').execute();

  await ended(
    schema
      .createTable('channel')
      .addColumn('channel_number', whole, numbered)
      .addColumn('channel_id', text, (column) => column.notNull().unique())
      .addColumn('organisation_id', text, (column) =>
        column.notNull().references('organisation.organisation_id'),
      )
      .addColumn('merchant_id', text, (column) => column.notNull())
      .addColumn('marketplace', text, (column) => column.notNull())
      .addColumn('kind', text, (column) =>
        column.notNull().check(sql`kind in ('seller', 'vendor')`),
      )
      .addColumn('country_code', text, (column) => column.notNull())
      .addColumn('display_name', text, (column) => column.notNull())
      .addColumn('currency', text, (column) => column.notNull())
      .addColumn('timezone', text, (column) => column.notNull())
      .addColumn('has_advertising_connected', whole, (column) =>
        column.notNull().check(sql`has_advertising_connected in (0, 1)`),
      )
      .addColumn('lead_time_days', whole, (column) => column.notNull())
      .addColumn('safety_stock_days', whole, (column) => column.notNull())
      .addColumn('target_cover_days', whole, (column) => column.notNull())
      .addColumn('created_at', whole, (column) => column.notNull())
      .addColumn('updated_at', whole, (column) => column.notNull()),
  ).execute();
  await schema
    .createIndex('channel_organisation')
    .on('channel')
    .column('organisation_id')
    .execute();

  await ended(
    schema
      .createTable('channel_access')
      .addColumn('user_id', text, (column) =>
        column.notNull().references('user_account.user_id').onDelete('cascade'),
      )
      .addColumn('channel_number', whole, (column) =>
        column.notNull().references('channel.channel_number').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('channel_access_key', ['user_id', 'channel_number']),
  ).execute();
  await schema
    .createIndex('channel_access_channel')
    .on('channel_access')
    .column('channel_number')
    .execute();

  // Who deletes a channel deletes its facts, so the imports that brought them go as well.
  await ended(
    schema
      .createTable('import')
      .addColumn('import_id', whole, numbered)
      .addColumn('dataset', text, (column) => column.notNull())
      .addColumn('channel_number', whole, (column) =>
        column.references('channel.channel_number').onDelete('cascade'),
      )
      .addColumn('state', text, (column) =>
        column.notNull().check(sql`state in ('running', 'done', 'failed')`),
      )
      .addColumn('started_at', whole, (column) => column.notNull())
      .addColumn('finished_at', whole)
      .addColumn('rows_read', whole, (column) => column.notNull())
      .addColumn('rows_accepted', whole, (column) => column.notNull())
      .addColumn('rows_rejected', whole, (column) => column.notNull())
      .addColumn('first_date', text)
      .addColumn('last_date', text)
      .addColumn('rows_coarse', whole, (column) => column.notNull())
      .addColumn('error', text),
  ).execute();
  await schema
    .createIndex('import_channel_dataset')
    .on('import')
    .columns(['channel_number', 'dataset', 'import_id'])
    .execute();
  // The few imports that a killed process left running are looked for at every start.
  await schema
    .createIndex('import_running')
    .on('import')
    .column('import_id')
    .where(sql.ref('state'), '=', sql.lit('running'))
    .execute();

  await ended(
    schema
      .createTable('import_rejection')
      .addColumn('rejection_id', whole, numbered)
      .addColumn('import_id', whole, (column) =>
        column.notNull().references('import.import_id').onDelete('cascade'),
      )
      .addColumn('line', whole, (column) => column.notNull())
      .addColumn('reason', text, (column) => column.notNull()),
  ).execute();
  await schema
    .createIndex('import_rejection_import')
    .on('import_rejection')
    .columns(['import_id', 'line'])
    .execute();

  await ended(
    schema
      .createTable('audit_entry')
      .addColumn('audit_id', whole, numbered)
      .addColumn('at', whole, (column) => column.notNull())
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('action', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('detail', text, (column) => column.notNull()),
  ).execute();
  await schema.createIndex('audit_entry_at').on('audit_entry').column('at').execute();
  await schema.createIndex('audit_entry_subject').on('audit_entry').column('subject').execute();

  const refusals = engine === 'sqlite' ? refusalsOfSqlite : refusalsOfPostgres;
  for (const refusal of refusals) await sql.raw(refusal).execute(store);
}

const refusalsOfSqlite = [
  `CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry
     BEGIN SELECT RAISE(ABORT, 'audit entries are only ever added'); END`,
  `CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry
     BEGIN SELECT RAISE(ABORT, 'audit entries are only ever added'); END`,
  // A REPLACE fires no delete trigger on a connection without recursive triggers.
  `CREATE TRIGGER audit_entry_not_replaced BEFORE INSERT ON audit_entry
     WHEN EXISTS (SELECT 1 FROM audit_entry WHERE audit_id = NEW.audit_id)
     BEGIN SELECT RAISE(ABORT, 'audit entries are only ever added'); END`,
];

const refusalsOfPostgres = [
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'audit entries are only ever added'; END $$`,
  `CREATE TRIGGER audit_entry_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
];
