/** Links by which users choose their password: issued by the operator, used once. */
import { randomUUID } from 'node:crypto';
import { hashPassword } from '../../access/passwords.ts';
import { Refusal } from '../../contract/refusal.ts';
import {
  type PasswordLinkRecord,
  type RecordsTransaction,
  type Registry,
  writeAudit,
} from '../../engine/registry.ts';
import { spendLink } from './attempts.ts';
import type { accountContracts as contracts } from './contracts.ts';
import { type AccountContext, type OpenHandler, seconds } from './handler.ts';
import { answerOf, beginSession, endSessions } from './sessions.ts';
import { createTokens } from './tokens.ts';

type Contracts = typeof contracts;

/** What a link is made of. Times are in epoch milliseconds. */
export type NewLink = Pick<PasswordLinkRecord, 'userId' | 'purpose' | 'createdAt' | 'expiresAt'>;

/** Makes the link of a user in place of one that is still out, and returns its token. */
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

/** Ends the link of a user, where one is out. */
export async function endLinks(transaction: RecordsTransaction, userId: string): Promise<void> {
  await transaction.deleteFrom('passwordLink').where('userId', '=', userId).execute();
}

/** Forgets links that have expired. `now` is in epoch milliseconds. */
export async function pruneLinks({ records }: Registry, now: number): Promise<void> {
  await records.deleteFrom('passwordLink').where('expiresAt', '<=', now).execute();
}

/** Reads what a link is for. */
export const readPasswordLink: OpenHandler<Contracts['readPasswordLink']> = async (
  { token },
  context,
) => {
  await spendLink(context);
  const { purpose, email, organisation, expiresAt } = await findLink(context, token);
  return { purpose, email, organisation, expiresAt: seconds(expiresAt) };
};

/** Takes the password that is chosen by a link, and signs in. Of two calls at the same moment one wins. */
export const usePasswordLink: OpenHandler<Contracts['usePasswordLink']> = async (
  { token, newPassword },
  context,
) => {
  await spendLink(context);
  const link = await findLink(context, token);
  const passwordHash = await hashPassword(newPassword);
  const { commit, now, visitor } = context;
  const { userId, purpose } = link;
  const begun = await commit(async (transaction) => {
    // The user goes first, as in every change of a password, so that two of them never wait for each other.
    await transaction
      .updateTable('userAccount')
      .set({ passwordHash })
      .where('userId', '=', userId)
      .execute();
    const { numDeletedRows } = await transaction
      .deleteFrom('passwordLink')
      .where('lookup', '=', link.lookup)
      .where('expiresAt', '>', now())
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw unknownLink();
    const sessions = await endSessions(transaction, userId);
    await writeAudit(transaction, now(), userId, {
      action: 'usePasswordLink',
      subject: userId,
      detail: { purpose, sessions },
    });
    return beginSession(transaction, context, userId);
  });
  visitor.keep(begun);
  return answerOf({ ...link, confirmedAt: now() });
};

async function findLink({ registry, linkTokens, now }: AccountContext, token: string) {
  const lookup = linkTokens.lookupOf(token);
  if (lookup === undefined) throw unknownLink();
  return registry.records
    .selectFrom('passwordLink')
    .innerJoin('userAccount', 'userAccount.userId', 'passwordLink.userId')
    .innerJoin('organisation', 'organisation.organisationId', 'userAccount.organisationId')
    .select([
      'passwordLink.lookup',
      'passwordLink.purpose',
      'passwordLink.expiresAt',
      'organisation.name as organisation',
    ])
    .select(['userAccount.userId', 'userAccount.email', 'userAccount.role'])
    .where('passwordLink.lookup', '=', lookup)
    .where('passwordLink.expiresAt', '>', now())
    .executeTakeFirstOrThrow(unknownLink);
}

function unknownLink(): Refusal {
  return new Refusal(404, 'this link was used already, has expired or was replaced by a newer one');
}
