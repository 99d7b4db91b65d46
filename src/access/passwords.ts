/**
 * Passwords, stored as Argon2id hashes in PHC strings, so that the cost can rise without a
 * migration.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import pLimit from 'p-limit';
import { Refusal } from '../contract/refusal.ts';

/** The cost of a derivation: memory in KiB, passes over it, and lanes. */
export type PasswordCost = {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
};

const usualCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;
/** Concurrent derivations: each takes 19 MiB and one of the threads that the stores share. */
const derivationsMax = 2;
/** A further request is refused while this many wait. */
const waitingMax = 64;
const retrySeconds = 5;

/** The result of a comparison. */
export type Verdict = {
  readonly matches: boolean;
  /** Whether the hash was made at a cost other than today's. */
  readonly isOutdated: boolean;
};

/** Hashes a password with a new salt. Throws 503 when too many derivations wait. */
export async function hashPassword(password: string, cost = usualCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, hashBytes, cost);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/**
 * Compares a password with a stored hash. A null hash (unknown user, or user without a password)
 * never matches and takes as long as a real one. Throws 503 when too many derivations wait.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  cost = usualCost,
): Promise<Verdict> {
  if (stored === null) {
    await derive(password, Buffer.alloc(saltBytes), hashBytes, cost);
    return { matches: false, isOutdated: false };
  }
  const [, memory, passes, parallelism, salt, hash] = phc.exec(stored) ?? [];
  if (hash === undefined) throw new Error('the stored password hash has an unknown format');
  const used: PasswordCost = { memory: +memory!, passes: +passes!, parallelism: +parallelism! };
  const expected = Buffer.from(hash, 'base64');
  const found = await derive(password, Buffer.from(salt!, 'base64'), expected.length, used);
  const isOutdated =
    used.memory !== cost.memory ||
    used.passes !== cost.passes ||
    used.parallelism !== cost.parallelism;
  return { matches: timingSafeEqual(found, expected), isOutdated };
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '');
}

const limit = pLimit(derivationsMax);

function derive(
  password: string,
  nonce: Buffer,
  tagLength: number,
  used: PasswordCost,
): Promise<Buffer> {
  if (limit.pendingCount >= waitingMax) {
    throw new Refusal(
      503,
      `too many passwords are being checked at the moment: try again in ${retrySeconds} s`,
      { 'retry-after': String(retrySeconds) },
    );
  }
  // NFKC makes the same letters the same password, whichever keyboard typed them.
  const message = password.normalize('NFKC');
  return limit(
    () =>
      new Promise((resolve, reject) => {
        argon2('argon2id', { message, nonce, tagLength, ...used }, (error, derived) =>
          error ? reject(error) : resolve(derived),
        );
      }),
  );
}
