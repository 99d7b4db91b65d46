/** Links by which users choose a password: operators and administrators issue them, each for once. */
import { randomUUID } from 'node:crypto';
import { Refusal } from '../contract/refusal.ts';
import type { PasswordLinkRecord, RecordsTransaction, Registry } from '../engine/registry.ts';
import { createTokens, type Tokens } from './tokens.ts';

/** A link before it has a token. Times are in epoch milliseconds. */
export type NewLink = Pick<PasswordLinkRecord, 'userId' | 'purpose' | 'createdAt' | 'expiresAt'>;

/** Makes a link in place of any earlier one of the user, and returns its token. */
export async function issueLink(
  transaction: RecordsTransaction,
  secret: string,
  link: NewLink,
): Promise<string> {
  const { token, lookup } = createTokens(secret, 'link').mint();
  const made = { ...link, linkId: randomUUID(), lookup };
  await transaction
    .insertInto('passwordLink')
    .values(made)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(made))
    .execute();
  return token;
}

/** The link with a token. Browsers never send the part after #, so no log on the way holds it. */
export function linkAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/console/password#${token}`;
}

/** Finds a link by its token, with its user. Throws 404 when it does not exist or has expired. */
export async function findLink(
  {
    registry,
    linkTokens,
    now,
  }: {
    readonly registry: Registry;
    readonly linkTokens: Tokens;
    readonly now: () => number;
  },
  token: string,
) {
  const lookup = linkTokens.lookupOf(token);
  if (lookup === undefined) throw unusableLink();
  return registry.records
    .selectFrom('passwordLink')
    .innerJoin('userAccount', 'userAccount.userId', 'passwordLink.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select(['passwordLink.lookup', 'passwordLink.purpose', 'passwordLink.expiresAt'])
    .select('organisation.name as organisation')
    .select(['userAccount.userId', 'userAccount.email'])
    .select(['userAccount.name', 'userAccount.role'])
    .where('passwordLink.lookup', '=', lookup)
    .where('passwordLink.expiresAt', '>', now())
    .executeTakeFirstOrThrow(unusableLink);
}

/** Uses up a link. Of two requests at the same time one gets 404. */
export async function consumeLink(
  transaction: RecordsTransaction,
  lookup: string,
  now: number,
): Promise<void> {
  const { numDeletedRows } = await transaction
    .deleteFrom('passwordLink')
    .where('lookup', '=', lookup)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw unusableLink();
}

/** Ends the link of a user, if there is one. */
export async function endLinks(transaction: RecordsTransaction, userId: string): Promise<void> {
  await transaction.deleteFrom('passwordLink').where('userId', '=', userId).execute();
}

/** Deletes expired links. `now` is in epoch milliseconds. */
export async function pruneLinks({ records }: Registry, now: number): Promise<void> {
  await records.deleteFrom('passwordLink').where('expiresAt', '<=', now).execute();
}

function unusableLink(): Refusal {
  return new Refusal(404, 'this link was used already, has expired or was replaced by a newer one');
}
