import { type Kysely, sql } from 'kysely';
import { type Engine, wordsOf } from './words.ts';

/** Tags, custom groups, campaign groups, the usage of keys, calls that are done only once, and the budgets of keys. */
export async function createAccess(store: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, whole, numbered, ended } = wordsOf(engine);
  const { schema } = store;

  await ended(
    schema
      .createTable('channel_tag')
      .addColumn('channel_number', whole, (column) =>
        column.notNull().references('channel.channel_number').onDelete('cascade'),
      )
      .addColumn('user_id', text, (column) =>
        column.references('user_account.user_id').onDelete('cascade'),
      )
      .addColumn('tag', text, (column) => column.notNull()),
  ).execute();
  // Two tags that are shared would not be equal by their user, which is null.
  await sql`CREATE UNIQUE INDEX channel_tag_once ON channel_tag (channel_number, tag, coalesce(user_id, ''))`.execute(
    store,
  );
  await schema.createIndex('channel_tag_user').on('channel_tag').column('user_id').execute();

  await ended(
    schema
      .createTable('custom_group')
      .addColumn('group_id', whole, numbered)
      .addColumn('channel_number', whole, (column) =>
        column.notNull().references('channel.channel_number').onDelete('cascade'),
      )
      .addColumn('group_name', text, (column) => column.notNull())
      .addColumn('kind', text, (column) =>
        column.notNull().check(sql`kind in ('products', 'brands')`),
      )
      .addColumn('created_at', whole, (column) => column.notNull())
      .addColumn('updated_at', whole, (column) => column.notNull()),
  ).execute();
  await schema
    .createIndex('custom_group_channel')
    .on('custom_group')
    .columns(['channel_number', 'group_name'])
    .execute();
  await ended(
    schema
      .createTable('custom_group_entry')
      .addColumn('entry_id', whole, numbered)
      .addColumn('group_id', whole, (column) =>
        column.notNull().references('custom_group.group_id').onDelete('cascade'),
      )
      .addColumn('entry', text, (column) => column.notNull())
      .addUniqueConstraint('custom_group_entry_once', ['group_id', 'entry']),
  ).execute();

  await ended(
    schema
      .createTable('campaign_group')
      .addColumn('campaign_group_id', text, (column) => column.primaryKey().notNull())
      .addColumn('organisation_id', text, (column) =>
        column.notNull().references('organisation.organisation_id').onDelete('cascade'),
      )
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('created_at', whole, (column) => column.notNull())
      .addColumn('updated_at', whole, (column) => column.notNull()),
  ).execute();
  await schema
    .createIndex('campaign_group_organisation')
    .on('campaign_group')
    .column('organisation_id')
    .execute();
  await ended(
    schema
      .createTable('campaign_group_campaign')
      .addColumn('campaign_group_id', text, (column) =>
        column.notNull().references('campaign_group.campaign_group_id').onDelete('cascade'),
      )
      .addColumn('campaign_id', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('campaign_group_campaign_key', ['campaign_group_id', 'campaign_id']),
  ).execute();

  await ended(
    schema
      .createTable('key_usage')
      .addColumn('key_id', text, (column) =>
        column.notNull().references('api_key.key_id').onDelete('cascade'),
      )
      .addColumn('day', whole, (column) => column.notNull())
      .addColumn('operation', text, (column) => column.notNull())
      .addColumn('requests', whole, (column) => column.notNull())
      .addColumn('refused', whole, (column) => column.notNull())
      .addColumn('limited', whole, (column) => column.notNull())
      .addColumn('failed', whole, (column) => column.notNull())
      .addPrimaryKeyConstraint('key_usage_key', ['key_id', 'day', 'operation']),
  ).execute();

  await ended(
    schema
      .createTable('idempotent_request')
      .addColumn('owner', text, (column) => column.notNull())
      .addColumn('call_key', text, (column) => column.notNull())
      .addColumn('fingerprint', text, (column) => column.notNull())
      .addColumn('attempt', text, (column) => column.notNull())
      .addColumn('answer', text)
      .addColumn('started_at', whole, (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotent_request_key', ['owner', 'call_key']),
  ).execute();
  await schema
    .createIndex('idempotent_request_started')
    .on('idempotent_request')
    .column('started_at')
    .execute();

  // Only where several nodes share a registry do they share budgets in it; the columns are those that the limiter's library expects.
  if (engine === 'postgres') {
    await sql`CREATE TABLE key_budget (key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`.execute(
      store,
    );
  }
}
