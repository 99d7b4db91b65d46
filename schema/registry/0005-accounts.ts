import { type Kysely, sql } from 'kysely';
import { type Engine, wordsOf } from './words.ts';

/** Who is signed in to the account pages, links by which passwords are chosen, and the last requests of keys. */
export async function createAccounts(store: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, whole, numbered, ended } = wordsOf(engine);
  const { schema } = store;

  await ended(
    schema
      .createTable('session')
      .addColumn('session_id', text, (column) => column.primaryKey().notNull())
      .addColumn('user_id', text, (column) =>
        column.notNull().references('user_account.user_id').onDelete('cascade'),
      )
      .addColumn('lookup', text, (column) => column.notNull().unique())
      .addColumn('browser', text, (column) => column.notNull())
      .addColumn('created_at', whole, (column) => column.notNull())
      .addColumn('last_seen_at', whole, (column) => column.notNull())
      .addColumn('confirmed_at', whole, (column) => column.notNull()),
  ).execute();
  await schema.createIndex('session_user').on('session').column('user_id').execute();

  await ended(
    schema
      .createTable('password_link')
      .addColumn('link_id', text, (column) => column.primaryKey().notNull())
      .addColumn('user_id', text, (column) =>
        column.notNull().unique().references('user_account.user_id').onDelete('cascade'),
      )
      .addColumn('lookup', text, (column) => column.notNull().unique())
      .addColumn('purpose', text, (column) =>
        column.notNull().check(sql`purpose in ('invitation', 'reset')`),
      )
      .addColumn('created_at', whole, (column) => column.notNull())
      .addColumn('expires_at', whole, (column) => column.notNull()),
  ).execute();

  await ended(
    schema
      .createTable('recent_request')
      .addColumn('request_number', whole, numbered)
      .addColumn('key_id', text, (column) =>
        column.notNull().references('api_key.key_id').onDelete('cascade'),
      )
      .addColumn('at', whole, (column) => column.notNull())
      .addColumn('operation', text, (column) => column.notNull())
      .addColumn('status', whole, (column) => column.notNull())
      .addColumn('microseconds', whole, (column) => column.notNull())
      .addColumn('request_id', text, (column) => column.notNull()),
  ).execute();
  await schema
    .createIndex('recent_request_key')
    .on('recent_request')
    .columns(['key_id', 'request_number'])
    .execute();
}
