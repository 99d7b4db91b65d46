import { owner, primary, required, type TableBuilder } from '../columns.ts';

/** Creates the tables of the recipients of e-mails, and of the e-mails that count for limits. */
export async function createMail(builder: TableBuilder): Promise<void> {
  const { schema, text, integer, create, index } = builder;
  await create(
    schema
      .createTable('mail_recipient')
      .addColumn('recipient_id', text, primary)
      .addColumn('organisation_id', text, owner('organisation.organisation_id'))
      // In lower case.
      .addColumn('email', text, required)
      // When it was last asked to confirm.
      .addColumn('asked_at', integer)
      .addColumn('confirmed_at', integer)
      .addColumn('unsubscribed_at', integer)
      .addColumn('created_at', integer, required)
      .addUniqueConstraint('mail_recipient_email', ['organisation_id', 'email']),
  );
  await create(
    schema
      .createTable('mail_message')
      .addColumn('message_id', text, primary)
      .addColumn('organisation_id', text, owner('organisation.organisation_id'))
      .addColumn('recipient_id', text, owner('mail_recipient.recipient_id'))
      // The key, or the user of the console, whose e-mail it is.
      .addColumn('sender', text, required)
      // Null for a request to confirm.
      .addColumn('run_id', text)
      .addColumn('created_at', integer, required)
      // When the server took it.
      .addColumn('sent_at', integer)
      .addUniqueConstraint('mail_message_run', ['run_id', 'recipient_id']),
  );
  await index('mail_message', 'organisation', ['organisation_id', 'created_at']);
  await index('mail_message', 'recipient', ['recipient_id']);
  await index('mail_message', 'created', ['created_at']);
}
