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
  // Many customers buy again, and both are the most expensive steps of reading an order. Equal
  // sealed copies reveal no more than the equal hashes beside them.
  const hashOf = remembering((email) => {
    const normal = email.trim().toLowerCase();
    return normal === ''
      ? ''
      : createHmac('sha256', hashKey).update(normal).digest('base64url').slice(0, 22);
  });
  return { hashCustomer: hashOf, seal: remembering((text) => close(text)) };
}

/** The same function, which remembers its latest results. */
function remembering(compute: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      result = compute(text);
      if (known.size >= knownMax) known.clear();
      known.set(text, result);
    }
    return result;
  };
}
