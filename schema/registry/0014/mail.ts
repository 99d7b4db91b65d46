import { owner, primary, required, type TableBuilder } from '../columns.ts';

/** Creates the tables of e-mail recipients, and of the e-mails that count towards limits. */
export async function createMail(builder: TableBuilder): Promise<void> {
  const { schema, text, integer, create, index } = builder;
  await create(
    schema
      .createTable('mail_recipient')
      .addColumn('recipient_id', text, primary)
      .addColumn('organisation_id', text, owner('organisation.organisation_id'))
      // In lower case.
      .addColumn('email', text, required)
      // When the last request to confirm was sent.
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
      // The key that sends the e-mail, or the user of the console.
      .addColumn('sender', text, required)
      // Null for a request to confirm.
      .addColumn('run_id', text)
      .addColumn('created_at', integer, required)
      // When the mail server accepted it.
      .addColumn('sent_at', integer)
      .addUniqueConstraint('mail_message_run', ['run_id', 'recipient_id']),
  );
  await index('mail_message', 'organisation', ['organisation_id', 'created_at']);
  await index('mail_message', 'recipient', ['recipient_id']);
  await index('mail_message', 'created', ['created_at']);
}
