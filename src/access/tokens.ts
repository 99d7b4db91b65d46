/** Random tokens of sessions, links and operators; the registry stores only their keyed hashes. */
import { randomBytes } from 'node:crypto';
import { createHashing } from './secret.ts';

const tokenBytes = 32;

/** Makes and recognises tokens of one kind. */
export type Tokens = {
  /** A new token, and the hash that the registry stores. */
  readonly mint: () => { readonly token: string; readonly lookup: string };
  /** The hash of a token; undefined when the text does not have the form of one. */
  readonly lookupOf: (token: string) => string | undefined;
};

/**
 * Makes tokens that begin with `vit_`, as keys do, so that scanners for leaked secrets find them.
 */
export function createTokens(secret: string, kind: 'session' | 'link' | 'operator'): Tokens {
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
