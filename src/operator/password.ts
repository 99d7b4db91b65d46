/** Passwords are kept as `scrypt$N$r$p$salt$hash`, salt and hash in base64url, so that the cost can rise later without a migration. */
import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const cost = { N: 32_768, r: 8, p: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Hashes a password under a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  // Twice what the derivation needs, which is 128 * N * r bytes.
  const hash = await derive(password.normalize('NFKC'), salt, hashBytes, { ...cost, maxmem: 256 * cost.N * cost.r });
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}
