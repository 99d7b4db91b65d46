/** The second factor of a user: codes of an authenticator app (RFC 6238), and recovery codes. */
import { randomBytes } from 'node:crypto';
import { Refusal } from '../contract/refusal.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { RecordsTransaction, Registry } from '../engine/registry.ts';
import { consumeCode } from './attempts.ts';
import type { RefusedAttempt } from './refusedAttempts.ts';
import { createHashing, createSeal } from './secret.ts';

const issuer = 'Vitrine';
const secondsPerStep = 30;
/** Steps that the clock of a telephone may be off, either way. */
const stepsOff = 1;
const recoveryCodes = 10;
/** Letters of 118 bits in all, so that a hash without stretching protects them. */
const recoveryLetters = 24;
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

type Access = { readonly registry: Registry; readonly config: { readonly secret: string } };
type User = { readonly userId: string; readonly email: string };

/** A new secret for an authenticator app. */
export type Enrolment = { readonly secret: string; readonly address: string };

/** Makes a secret in place of one that was never confirmed. Throws 409 when the factor is on. */
export async function enrol(
  transaction: RecordsTransaction,
  secret: string,
  { userId, email }: User,
  now: number,
): Promise<Enrolment> {
  const { Secret } = await import('otpauth');
  const made = new Secret({ size: 20 });
  await transaction
    .deleteFrom('secondFactor')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .execute();
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('secondFactor')
    .values({
      userId,
      sealed: sealOf(secret).close(made.base32, userId),
      createdAt: now,
      confirmedAt: null,
      lastStep: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new Refusal(409, 'the second factor is on already');
  return { secret: made.base32, address: (await totpOf(made.base32, email)).toString() };
}

/** Turns the factor on by its first code, and returns recovery codes. Throws 403 for a wrong one. */
export async function confirmEnrolment(
  transaction: RecordsTransaction,
  secret: string,
  user: User,
  code: string,
  now: number,
): Promise<string[]> {
  const stored = await transaction
    .selectFrom('secondFactor')
    .select('sealed')
    .where('userId', '=', user.userId)
    .where('confirmedAt', 'is', null)
    .executeTakeFirst();
  if (stored === undefined) throw new Refusal(409, 'there is no second factor to confirm');
  const step = await stepOf(secret, user, stored.sealed, code, now);
  if (step === undefined) throw new Refusal(403, 'the code is wrong');
  await transaction
    .updateTable('secondFactor')
    .set({ confirmedAt: now, lastStep: step })
    .where('userId', '=', user.userId)
    .execute();
  return renewRecoveryCodes(transaction, secret, user.userId);
}

/** Makes recovery codes in place of any earlier ones. */
export async function renewRecoveryCodes(
  transaction: RecordsTransaction,
  secret: string,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, makeRecoveryCode);
  const lookupOf = recoveryLookup(secret, userId);
  await transaction.deleteFrom('recoveryCode').where('userId', '=', userId).execute();
  await transaction
    .insertInto('recoveryCode')
    .values(codes.map((code) => ({ lookup: lookupOf(code), userId })))
    .execute();
  return codes;
}

/** Turns the factor off; returns whether there was one. */
export async function removeSecondFactor(
  transaction: RecordsTransaction,
  userId: string,
): Promise<boolean> {
  await transaction.deleteFrom('recoveryCode').where('userId', '=', userId).execute();
  const { numDeletedRows } = await transaction
    .deleteFrom('secondFactor')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** When the factor was turned on, and how many recovery codes are left; undefined while it is off. */
export async function readSecondFactor({ registry }: Pick<Access, 'registry'>, userId: string) {
  const found = await registry.records
    .selectFrom('secondFactor')
    .select('confirmedAt')
    .select(({ selectFrom }) =>
      selectFrom('recoveryCode')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('recoveryCode.userId', '=', 'secondFactor.userId')
        .as('codesLeft'),
    )
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst();
  return found && { onSince: found.confirmedAt!, codesLeft: Number(found.codesLeft) };
}

/**
 * Checks the code of a user whose password or link was right, and returns whether the factor is on.
 * Every code works once. Throws 401, with `codeRequired`, for a code that is missing or wrong where
 * the factor is on.
 */
export async function requireCode(
  context: Access & {
    readonly budgets: Budgets;
    readonly now: () => number;
    readonly noteRefused: (attempt: Omit<RefusedAttempt, 'address'>) => void;
  },
  user: User,
  code: string | undefined,
): Promise<boolean> {
  const { registry, config, now, noteRefused } = context;
  const { userId } = user;
  const { records } = registry;
  const stored = await records
    .selectFrom('secondFactor')
    .select('sealed')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst();
  if (stored === undefined) return false;
  if (code === undefined) throw codeRefused('enter the code of your authenticator app');
  await consumeCode(context, userId);
  const step = await stepOf(config.secret, user, stored.sealed, code, now());
  const { changed } =
    step === undefined
      ? await useRecoveryCode(records, config.secret, userId, code)
      : await useStep(records, userId, step);
  if (changed) return true;
  noteRefused({ action: 'refuseSignIn', userId });
  throw codeRefused('the code is wrong or was used before');
}

type Store = Registry['records'];

async function useStep(records: Store, userId: string, lastStep: number) {
  const { numUpdatedRows } = await records
    .updateTable('secondFactor')
    .set({ lastStep })
    .where('userId', '=', userId)
    .where('lastStep', '<', lastStep)
    .executeTakeFirst();
  return { changed: numUpdatedRows > 0n };
}

async function useRecoveryCode(records: Store, secret: string, userId: string, code: string) {
  const { numDeletedRows } = await records
    .deleteFrom('recoveryCode')
    .where('lookup', '=', recoveryLookup(secret, userId)(code))
    .executeTakeFirst();
  return { changed: numDeletedRows > 0n };
}

/** The step of time that a code belongs to; undefined when it is wrong. */
async function stepOf(
  secret: string,
  { userId, email }: User,
  sealed: string,
  code: string,
  now: number,
): Promise<number | undefined> {
  const token = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const totp = await totpOf(sealOf(secret).open(sealed, userId), email);
  const delta = totp.validate({ token, timestamp: now, window: stepsOff });
  return delta === null ? undefined : Math.floor(now / 1000 / secondsPerStep) + delta;
}

async function totpOf(base32: string, label: string) {
  const { TOTP } = await import('otpauth');
  return new TOTP({ issuer, label, secret: base32, period: secondsPerStep });
}

function makeRecoveryCode(): string {
  // 248 is the largest multiple of 31 below 256, so every letter is equally likely.
  const letters: string[] = [];
  while (letters.length < recoveryLetters)
    for (const byte of randomBytes(recoveryLetters))
      if (byte < 248 && letters.length < recoveryLetters)
        letters.push(alphabet.charAt(byte % alphabet.length));
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

function recoveryLookup(secret: string, userId: string): (code: string) => string {
  const hashOf = createHashing(secret, 'recovery code look-up');
  return (code) => hashOf(`${userId}\n${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
}

function sealOf(secret: string) {
  return createSeal(secret, 'second factor sealing');
}

/** Refuses a user who must set up a second factor first. */
export function secondFactorMissing(): Refusal {
  const text = 'this service requires a second factor: set one up first';
  return new Refusal(403, text, {}, { secondFactorRequired: true });
}

function codeRefused(text: string): Refusal {
  return new Refusal(401, text, {}, { codeRequired: true });
}
