import { sql } from 'kysely';
import {
  flag,
  oneOf,
  owner,
  primary,
  reference,
  required,
  type TableBuilder,
  unique,
} from '../columns.ts';

/** Creates the tables of channels, and of their tags and groups. */
export async function createChannels(builder: TableBuilder): Promise<void> {
  await createChannel(builder);
  await createTags(builder);
  await createCustomGroups(builder);
  await createCampaignGroups(builder);
}

async function createChannel({ schema, text, integer, ...build }: TableBuilder): Promise<void> {
  const { create, index } = build;
  await create(
    schema
      .createTable('channel')
      // The program draws it at random: a restored registry never assigns a number again.
      .addColumn('channel_number', integer, primary)
      .addColumn('channel_id', text, unique)
      .addColumn('organisation_id', text, reference('organisation.organisation_id'))
      .addColumn('merchant_id', text, required)
      .addColumn('marketplace', text, required)
      .addColumn('kind', text, oneOf('kind', 'seller', 'vendor'))
      .addColumn('country_code', text, required)
      .addColumn('display_name', text, required)
      .addColumn('currency', text, required)
      .addColumn('timezone', text, required)
      .addColumn('has_advertising_connected', integer, flag('has_advertising_connected'))
      .addColumn('lead_time_days', integer, required)
      .addColumn('safety_stock_days', integer, required)
      .addColumn('target_cover_days', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required),
  );
  await index('channel', 'organisation', ['organisation_id']);
  await create(
    schema
      .createTable('channel_access')
      .addColumn('user_id', text, owner('user_account.user_id'))
      .addColumn('channel_number', integer, owner('channel.channel_number'))
      .addPrimaryKeyConstraint('channel_access_key', ['user_id', 'channel_number']),
  );
  await index('channel_access', 'channel', ['channel_number']);
}

async function createTags({ schema, store, text, integer, ...build }: TableBuilder): Promise<void> {
  const { create, index } = build;
  await create(
    schema
      .createTable('channel_tag')
      .addColumn('channel_number', integer, owner('channel.channel_number'))
      .addColumn('user_id', text, (column) =>
        column.references('user_account.user_id').onDelete('cascade'),
      )
      .addColumn('tag', text, required),
  );
  // A unique constraint would treat the null users of two shared tags as different.
  const shared = sql`CREATE UNIQUE INDEX channel_tag_once
    ON channel_tag (channel_number, tag, coalesce(user_id, ''))`;
  await shared.execute(store);
  await index('channel_tag', 'user', ['user_id']);
}

async function createCustomGroups({
  schema,
  text,
  integer,
  ...build
}: TableBuilder): Promise<void> {
  const { create, index, numbered } = build;
  await create(
    schema
      .createTable('custom_group')
      .addColumn('group_id', integer, numbered)
      .addColumn('channel_number', integer, owner('channel.channel_number'))
      .addColumn('group_name', text, required)
      .addColumn('kind', text, oneOf('kind', 'products', 'brands'))
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required),
  );
  await index('custom_group', 'channel', ['channel_number', 'group_name']);
  await create(
    schema
      .createTable('custom_group_entry')
      .addColumn('entry_id', integer, numbered)
      .addColumn('group_id', integer, owner('custom_group.group_id'))
      .addColumn('entry', text, required)
      .addUniqueConstraint('custom_group_entry_once', ['group_id', 'entry']),
  );
}

async function createCampaignGroups({
  schema,
  text,
  integer,
  ...build
}: TableBuilder): Promise<void> {
  const { create, index } = build;
  await create(
    schema
      .createTable('campaign_group')
      .addColumn('campaign_group_id', text, primary)
      .addColumn('organisation_id', text, owner('organisation.organisation_id'))
      .addColumn('name', text, required)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required),
  );
  await index('campaign_group', 'organisation', ['organisation_id']);
  await create(
    schema
      .createTable('campaign_group_campaign')
      .addColumn('campaign_group_id', text, owner('campaign_group.campaign_group_id'))
      .addColumn('campaign_id', text, required)
      .addPrimaryKeyConstraint('campaign_group_campaign_key', ['campaign_group_id', 'campaign_id']),
  );
}
