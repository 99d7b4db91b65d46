/** Pseudonyms of buyers: a keyed hash that identifies a customer, and the sealed e-mail address. */
import { createHmac } from 'node:crypto';
import { buyerEmailUse, createSeal, derivedKey } from '../../access/secret.ts';

const knownMax = 65_536;

/**
 * The hash and the seal with the service's secret. A blank address has the hash "". Sealed copies
 * open only with the same `bound`.
 */
export function makeHashes(
  secret: string,
  bound: string,
): {
  hashCustomer: (email: string) => string;
  seal: (email: string) => string;
} {
  const hashKey = customerHashKey(secret);
  const { close } = createSeal(secret, buyerEmailUse);
  const known = new Map<string, Pseudonyms>();
  let latest: Pseudonyms | undefined;
  // Many customers buy again, and both steps are the most expensive ones of reading an order. Equal
  // sealed copies reveal no more than the equal hashes beside them.
  const pseudonymsOf = (email: string): Pseudonyms => {
    if (latest?.email === email) return latest;
    latest = known.get(email);
    if (latest === undefined) {
      latest = { email, hash: hashOf(email), sealed: undefined };
      if (known.size >= knownMax) known.clear();
      known.set(email, latest);
    }
    return latest;
  };
  const hashOf = (email: string) => {
    const normal = email.trim().toLowerCase();
    return normal === ''
      ? ''
      : createHmac('sha256', hashKey).update(normal).digest('base64url').slice(0, 22);
  };
  return {
    hashCustomer: (email) => pseudonymsOf(email).hash,
    seal(email) {
      const pseudonyms = pseudonymsOf(email);
      pseudonyms.sealed ??= close(email, bound);
      return pseudonyms.sealed;
    },
  };
}

/** The key of customers' hashes, for an engine that makes the hashes itself. */
export function customerKey(secret: string): Uint8Array {
  return new Uint8Array(customerHashKey(secret).export());
}

function customerHashKey(secret: string) {
  return derivedKey(secret, 'customer hash');
}

/** The hash of an address, and its sealed copy once one has been made. */
type Pseudonyms = { readonly email: string; readonly hash: string; sealed: string | undefined };
