import { sql } from 'kysely';
import { owner, required, type TableBuilder } from '../columns.ts';

/** Adds the subjects of runs and deliveries, so that these can be withdrawn. */
export async function addWithdrawals(builder: TableBuilder): Promise<void> {
  const { schema, store, text, integer, create, index } = builder;
  await create(
    schema
      .createTable('schedule_run_channel')
      .addColumn('run_id', text, owner('schedule_run.run_id'))
      // No reference: without the row, others could read what the file says of a deleted channel.
      .addColumn('channel_number', integer, required)
      .addPrimaryKeyConstraint('schedule_run_channel_key', ['run_id', 'channel_number']),
  );
  await index('schedule_run_channel', 'channel', ['channel_number']);
  // The channels of earlier files are unknown: any channel of the organisation is possible.
  await sql`INSERT INTO schedule_run_channel (run_id, channel_number)
    SELECT schedule_run.run_id, channel.channel_number FROM schedule_run
    JOIN schedule ON schedule.schedule_id = schedule_run.schedule_id
    JOIN channel ON channel.organisation_id = schedule.organisation_id
    WHERE schedule_run.stored_as IS NOT NULL`.execute(store);
  // The key that created it; null for the console, and for records of earlier versions.
  await schema.alterTable('webhook').addColumn('key_id', text).execute();
  // The numbers of the further channels, as JSON; null if there are none.
  await schema.alterTable('webhook_delivery').addColumn('also', text).execute();
  // The only user with restricted channels who may hear of it; null for all.
  await schema.alterTable('webhook_delivery').addColumn('of_user', text).execute();
}
