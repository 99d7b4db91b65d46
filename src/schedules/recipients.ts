/** The recipients of e-mails: which addresses may get files, and what the recipients decided. */

import { randomUUID } from 'node:crypto';
import { readOne } from '../access/records.ts';
import type { RecipientState } from '../contract/schedules.ts';
import type { MailRecipientRecord, Registry } from '../engine/registry.ts';

/** An address as a schedule names it, and whether it may get files. */
export type Recipient = { readonly email: string; readonly state: RecipientState };

type Records = Registry['records'];

/** The addresses of an organisation's schedules with their states, in the given order. */
export async function recipientsOf(
  records: Records,
  organisationId: string,
  emails: readonly string[],
  domains: readonly string[],
): Promise<Recipient[]> {
  if (emails.length === 0) return [];
  const wanted = emails.map((email) => email.toLowerCase());
  const known = await records
    .selectFrom('mailRecipient')
    .select(['email', 'confirmedAt', 'unsubscribedAt'])
    .where('organisationId', '=', organisationId)
    .where('email', 'in', wanted)
    .execute();
  const users = await records
    .selectFrom('userAccount')
    .select('email')
    .where('organisationId', '=', organisationId)
    .where('email', 'in', wanted)
    .execute();
  const byEmail = new Map(known.map((one) => [one.email, one]));
  const members = new Set(users.map(({ email }) => email));
  const stateOf = (email: string): RecipientState => {
    const said = byEmail.get(email);
    if (said !== undefined && said.unsubscribedAt !== null) return 'unsubscribed';
    if (members.has(email)) return 'member';
    if (domains.includes(email.split('@').at(-1)!)) return 'allowed';
    return said !== undefined && said.confirmedAt !== null ? 'confirmed' : 'unconfirmed';
  };
  return emails.map((email) => ({ email, state: stateOf(email.toLowerCase()) }));
}

/** The record of an address, created if there is none. */
export async function openRecipient(
  records: Records,
  organisationId: string,
  email: string,
  now: number,
): Promise<MailRecipientRecord> {
  const address = email.toLowerCase();
  await records
    .insertInto('mailRecipient')
    .values({
      recipientId: randomUUID(),
      organisationId,
      email: address,
      createdAt: now,
      askedAt: null,
      confirmedAt: null,
      unsubscribedAt: null,
    })
    .onConflict((conflict) => conflict.columns(['organisationId', 'email']).doNothing())
    .execute();
  return readOne(records, 'mailRecipient', { organisationId, email: address });
}

/** A recipient's decisions, with the name of the organisation. */
export function findRecipient({ records }: Pick<Registry, 'records'>, recipientId: string) {
  return records
    .selectFrom('mailRecipient')
    .innerJoin('organisation', 'organisation.organisationId', 'mailRecipient.organisationId')
    .select(['organisation.name as organisation', 'mailRecipient.unsubscribedAt'])
    .where('mailRecipient.recipientId', '=', recipientId)
    .executeTakeFirst();
}

/** Records a recipient's decision. */
export async function changeRecipient(
  { records }: Pick<Registry, 'records'>,
  recipientId: string,
  changed: Partial<Pick<MailRecipientRecord, 'askedAt' | 'confirmedAt' | 'unsubscribedAt'>>,
): Promise<void> {
  await records
    .updateTable('mailRecipient')
    .set(changed)
    .where('recipientId', '=', recipientId)
    .execute();
}
