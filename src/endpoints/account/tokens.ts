/** Tokens of sessions and links: random, and known to the registry by a keyed hash alone. */
import { randomBytes } from 'node:crypto';
import { createHashing } from '../../access/secret.ts';

const tokenBytes = 32;

/** Makes tokens of one kind and recognises them. */
export type Tokens = {
  /** A new token, and what the registry keeps of it. */
  readonly mint: () => { readonly token: string; readonly lookup: string };
  /** What the registry knows a token by; undefined where it has not the form of one. */
  readonly lookupOf: (token: string) => string | undefined;
};

/** Makes tokens that begin with `vit_`, like keys, so that whoever looks for secrets that have got out finds them. */
export function createTokens(secret: string, kind: 'session' | 'link'): Tokens {
  const hashOf = createHashing(secret, `${kind} look-up`);
  const prefix = `vit_${kind}_`;
  const shape = new RegExp(`^${prefix}[\\w-]{43}$`);
  return {
    mint() {
      const token = prefix + randomBytes(tokenBytes).toString('base64url');
      return { token, lookup: hashOf(token) };
    },
    lookupOf: (token) => (shape.test(token) ? hashOf(token) : undefined),
  };
}
