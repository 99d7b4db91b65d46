import { oneOf, owner, primary, required, type TableBuilder } from '../columns.ts';

/** Creates the tables of webhooks, of their deliveries, and of the alerts about channels. */
export async function createWebhooks(builder: TableBuilder): Promise<void> {
  const { schema, text, integer, create, index } = builder;
  await create(
    schema
      .createTable('webhook')
      .addColumn('webhook_id', text, primary)
      .addColumn('organisation_id', text, owner('organisation.organisation_id'))
      // A webhook hears only of channels that its user reaches, so it is deleted with the user.
      .addColumn('user_id', text, owner('user_account.user_id'))
      .addColumn('url', text, required)
      .addColumn('description', text, required)
      .addColumn('events', text, required)
      .addColumn('sealed', text, required)
      .addColumn('previous_sealed', text)
      .addColumn('previous_until', integer)
      .addColumn('state', text, oneOf('state', 'enabled', 'paused', 'disabled'))
      .addColumn('reason', text)
      .addColumn('failing_since', integer)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required),
  );
  await index('webhook', 'organisation', ['organisation_id', 'created_at']);
  await index('webhook', 'user', ['user_id']);
  await create(
    schema
      .createTable('webhook_delivery')
      .addColumn('delivery_id', text, primary)
      .addColumn('webhook_id', text, owner('webhook.webhook_id'))
      .addColumn('channel_number', integer, owner('channel.channel_number'))
      .addColumn('message_id', text, required)
      .addColumn('event', text, required)
      .addColumn('body', text, required)
      .addColumn('state', text, oneOf('state', 'waiting', 'delivered', 'failed', 'dropped'))
      .addColumn('attempts', integer, required)
      .addColumn('next_at', integer)
      .addColumn('status', integer)
      .addColumn('error', text)
      .addColumn('created_at', integer, required)
      .addColumn('finished_at', integer),
  );
  await index('webhook_delivery', 'webhook', ['webhook_id', 'created_at']);
  await index('webhook_delivery', 'channel', ['channel_number']);
  await index('webhook_delivery', 'created', ['created_at']);
  await create(
    schema
      .createTable('channel_alert')
      .addColumn('channel_number', integer, owner('channel.channel_number'))
      .addColumn('event', text, required)
      .addColumn('subject', text, required)
      .addColumn('created_at', integer, required)
      .addPrimaryKeyConstraint('channel_alert_key', ['channel_number', 'event', 'subject']),
  );
}
