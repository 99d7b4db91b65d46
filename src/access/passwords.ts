/**
 * Passwords are kept as Argon2id in PHC strings, so that the cost can rise later without a migration. Hashes of before,
 * `scrypt$N$r$p$salt$hash`, are still verified.
 */
import { argon2, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../contract/refusal.ts';

/** What a derivation costs: memory in KiB, passes over it, and lanes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;
/** Derivations at once: each holds 19 MiB and a thread that the stores also work with. */
const derivationsMax = 2;
/** Who comes when so many wait already is sent away, rather than kept longer than anybody would wait. */
const waitingMax = 64;

type Cost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

/** What a comparison came to. */
export type Verdict = {
  readonly matches: boolean;
  /** Whether it matches a hash that was made in another way than hashes are made now. */
  readonly isOutdated: boolean;
};

/** Hashes a password under a salt of its own. Throws 503 where too many wait for theirs. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await deriveArgon2(password, salt, hashBytes, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/**
 * Compares a password with a hash that was kept. Null, for nobody or for somebody without a password, never matches and takes as long as
 * a hash would. Throws 503 where too many wait for theirs.
 */
export async function verifyPassword(password: string, kept: string | null): Promise<Verdict> {
  if (kept === null) {
    await deriveArgon2(password, Buffer.alloc(saltBytes), hashBytes, cost);
    return { matches: false, isOutdated: false };
  }
  const [scheme, N, r, p, oldSalt, oldHash] = kept.split('$');
  if (scheme === 'scrypt') {
    const expected = Buffer.from(oldHash!, 'base64url');
    const found = await deriveScrypt(
      password,
      Buffer.from(oldSalt!, 'base64url'),
      expected.length,
      { N: +N!, r: +r!, p: +p! },
    );
    return { matches: timingSafeEqual(found, expected), isOutdated: true };
  }
  const [, memory, passes, parallelism, salt, hash] = phc.exec(kept) ?? [];
  if (hash === undefined) throw new Error('a password is kept in a form that is not known');
  const used: Cost = { memory: +memory!, passes: +passes!, parallelism: +parallelism! };
  const expected = Buffer.from(hash, 'base64');
  const found = await deriveArgon2(password, Buffer.from(salt!, 'base64'), expected.length, used);
  const isOutdated =
    used.memory !== cost.memory ||
    used.passes !== cost.passes ||
    used.parallelism !== cost.parallelism;
  return { matches: timingSafeEqual(found, expected), isOutdated };
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function deriveArgon2(
  password: string,
  nonce: Buffer,
  tagLength: number,
  { memory, passes, parallelism }: Cost,
): Promise<Buffer> {
  const message = normalised(password);
  return derive((done) =>
    argon2('argon2id', { message, nonce, tagLength, memory, passes, parallelism }, done),
  );
}

function deriveScrypt(
  password: string,
  salt: Buffer,
  length: number,
  { N, r, p }: { N: number; r: number; p: number },
): Promise<Buffer> {
  // Twice what the derivation needs, which is 128 * N * r bytes.
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return derive((done) => scrypt(normalised(password), salt, length, options, done));
}

/** The same letters are the same password, whichever keyboard they come from. */
function normalised(password: string): string {
  return password.normalize('NFKC');
}

let running = 0;
const waiting: (() => void)[] = [];

/** Derives in turn with all others. */
async function derive(
  begin: (done: (error: Error | null, derived: Buffer) => void) => void,
): Promise<Buffer> {
  if (running < derivationsMax) running += 1;
  else {
    if (waiting.length >= waitingMax) {
      throw new Refusal(
        503,
        'too many passwords are being checked at the moment: try again in 5 s',
        { 'retry-after': '5' },
      );
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await new Promise((resolve, reject) =>
      begin((error, derived) => (error ? reject(error) : resolve(derived))),
    );
  } finally {
    // Who waits next takes the place of this one.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
