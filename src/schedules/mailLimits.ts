/** The limits of e-mails: by key, organisation and installation within a day. */
import { randomUUID } from 'node:crypto';
import type { Limits } from '../config.ts';
import { lockOrganisation, type MailMessageRecord, type Registry } from '../engine/registry.ts';

const millisecondsPerDay = 24 * 3_600_000;
/** The number of strangers whom an organisation may ask to confirm within a day. */
const confirmationsMax = 20;
/** How long e-mails are remembered. */
const rememberedMilliseconds = 30 * millisecondsPerDay;

/** The limits of one day. */
export type MailLimits = Pick<Limits, 'keyMails' | 'organisationMails' | 'mails'>;

/** An e-mail to count. */
export type NewMessage = Pick<
  MailMessageRecord,
  'organisationId' | 'recipientId' | 'sender' | 'runId'
>;

/** An e-mail that was counted, or why it may not be sent. */
export type Counted =
  | { readonly messageId: string; readonly isSent: boolean }
  | { readonly refusal: string };

/**
 * Counts an e-mail before it is sent. Attempts at the e-mail of a run to one recipient count once.
 * `now` is in epoch milliseconds.
 */
export function countMessage(
  { records, engine }: Registry,
  message: NewMessage,
  limits: MailLimits,
  now: number,
): Promise<Counted> {
  return records.transaction().execute(async (transaction) => {
    const { organisationId, recipientId, sender, runId } = message;
    await lockOrganisation(engine, transaction, organisationId);
    const known =
      runId === null
        ? undefined
        : await transaction
            .selectFrom('mailMessage')
            .select(['messageId', 'sentAt'])
            .where((row) => row.and({ runId, recipientId }))
            .executeTakeFirst();
    if (known !== undefined) return { messageId: known.messageId, isSent: known.sentAt !== null };
    const counts = await transaction
      .selectFrom('mailMessage')
      .select(({ fn, eb }) => [
        fn.countAll<number>().as('all'),
        fn
          .count<number>(eb.case().when('organisationId', '=', organisationId).then(1).end())
          .as('ofOrganisation'),
        fn.count<number>(eb.case().when('sender', '=', sender).then(1).end()).as('ofSender'),
        fn
          .count<number>(
            eb
              .case()
              .when(eb.and({ organisationId, runId: null }))
              .then(1)
              .end(),
          )
          .as('confirmations'),
      ])
      .where('createdAt', '>', now - millisecondsPerDay)
      .executeTakeFirstOrThrow();
    const refusal = refusalOf(counts, runId === null, limits);
    if (refusal !== undefined) return { refusal };
    const messageId = randomUUID();
    await transaction
      .insertInto('mailMessage')
      .values({ ...message, messageId, createdAt: now, sentAt: null })
      .execute();
    return { messageId, isSent: false };
  });
}

function refusalOf(
  counts: Readonly<Record<'all' | 'ofOrganisation' | 'ofSender' | 'confirmations', number>>,
  isConfirmation: boolean,
  { keyMails, organisationMails, mails }: MailLimits,
): string | undefined {
  if (Number(counts.ofSender) >= keyMails)
    return `its key or user has sent ${keyMails} e-mails within a day: download the file`;
  if (Number(counts.ofOrganisation) >= organisationMails)
    return `the organisation has sent ${organisationMails} e-mails within a day: download the file`;
  if (Number(counts.all) >= mails)
    return 'the service has sent all the e-mails of a day: download the file';
  if (isConfirmation && Number(counts.confirmations) >= confirmationsMax)
    return `the organisation has asked ${confirmationsMax} addresses to confirm within a day`;
  return undefined;
}

/** Notes that the server accepted an e-mail. */
export async function noteSent(
  { records }: Registry,
  messageId: string,
  now: number,
): Promise<void> {
  await records
    .updateTable('mailMessage')
    .set({ sentAt: now })
    .where('messageId', '=', messageId)
    .execute();
}

/** Deletes the records of e-mails more than 30 days old. `now` is in epoch milliseconds. */
export async function pruneMessages({ records }: Registry, now: number): Promise<void> {
  await records
    .deleteFrom('mailMessage')
    .where('createdAt', '<', now - rememberedMilliseconds)
    .execute();
}
