/** Pseudonyms of buyers: a keyed hash that identifies a customer, and the sealed e-mail address. */
import { createHmac } from 'node:crypto';
import { buyerEmailUse, createSeal, derivedKey } from '../../access/secret.ts';

const knownMax = 65_536;

/** The hash and the seal with the service's secret. A blank address has the hash "". */
export function makeHashes(secret: string): {
  hashCustomer: (email: string) => string;
  seal: (text: string) => string;
} {
  const hashKey = derivedKey(secret, 'customer hash');
  const { close } = createSeal(secret, buyerEmailUse);
  // Many customers buy again, and hashing is the most expensive step of reading an order line.
  const known = new Map<string, string>();
  return {
    hashCustomer(email) {
      let hash = known.get(email);
      if (hash === undefined) {
        const normal = email.trim().toLowerCase();
        hash =
          normal === ''
            ? ''
            : createHmac('sha256', hashKey).update(normal).digest('base64url').slice(0, 22);
        if (known.size >= knownMax) known.clear();
        known.set(email, hash);
      }
      return hash;
    },
    seal: (text) => close(text),
  };
}
