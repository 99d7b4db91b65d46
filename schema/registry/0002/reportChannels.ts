import { owner, required, type TableBuilder } from '../columns.ts';

/** Creates the table of a report's channels other than the channel of its job. */
export async function createReportChannels(builder: TableBuilder): Promise<void> {
  const { schema, text, integer, create, index } = builder;
  await create(
    schema
      .createTable('report_channel')
      .addColumn('job_id', text, owner('job.job_id'))
      // No reference: without the row, others could read what it says about a deleted channel.
      .addColumn('channel_number', integer, required)
      .addPrimaryKeyConstraint('report_channel_key', ['job_id', 'channel_number']),
  );
  await index('report_channel', 'channel', ['channel_number']);
}
