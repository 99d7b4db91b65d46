import { sql } from 'kysely';
import { flag, oneOf, owner, type TableBuilder } from '../columns.ts';

/** Adds what bounds a key: its grants, channels, addresses and origin. Adds the role viewer. */
export async function addSmallKeys({
  schema,
  text,
  integer,
  store,
  ...build
}: TableBuilder): Promise<void> {
  const { create, index } = build;
  const keys = schema.alterTable('api_key');
  // Null allows everything, as for existing keys.
  await keys.addColumn('grants', text).execute();
  await keys.addColumn('addresses', text).execute();
  await keys
    .addColumn('restricted', integer, (column) => flag('restricted')(column.defaultTo(0)))
    .execute();
  // Keys are deleted only with their user, and so is every key made from them.
  await keys.addColumn('made_from', text).execute();
  await index('api_key', 'made_from', ['made_from']);
  await create(
    schema
      .createTable('key_channel')
      .addColumn('key_id', text, owner('api_key.key_id'))
      .addColumn('channel_number', integer, owner('channel.channel_number'))
      .addPrimaryKeyConstraint('key_channel_key', ['key_id', 'channel_number']),
  );
  await index('key_channel', 'channel', ['channel_number']);
  await addViewers({ schema, text, store });
}

/** Replaces the column of roles, because SQLite cannot change the check of a column. */
async function addViewers({
  schema,
  text,
  store,
}: Pick<TableBuilder, 'schema' | 'text' | 'store'>): Promise<void> {
  const users = schema.alterTable('user_account');
  await users.renameColumn('role', 'former_role').execute();
  const roles = oneOf('role', 'owner', 'administrator', 'member', 'viewer');
  await users.addColumn('role', text, (column) => roles(column.defaultTo('member'))).execute();
  await sql`UPDATE user_account SET role = former_role`.execute(store);
  await users.dropColumn('former_role').execute();
}
