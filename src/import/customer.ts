/** What is kept of a buyer: a keyed hash that tells customers apart, and the address itself only sealed. */
import { createHmac } from 'node:crypto';
import { buyerEmailUse, createSeal, derivedKey } from '../access/secret.ts';
import { normalEmail } from './datasets/datasets.ts';

const rememberedMax = 65_536;

/** The hash and the seal under the service's secret. */
export function makeHashes(secret: string): {
  hashCustomer: (emailCell: string) => string;
  seal: (text: string) => string;
} {
  const hashKey = derivedKey(secret, 'customer hash');
  const { close } = createSeal(secret, buyerEmailUse);
  // Repeat customers are common, and hashing is the dearest step of reading an order line.
  const remembered = new Map<string, string>();
  return {
    hashCustomer(emailCell) {
      let hash = remembered.get(emailCell);
      if (hash === undefined) {
        hash = createHmac('sha256', hashKey)
          .update(normalEmail(emailCell))
          .digest('base64url')
          .slice(0, 22);
        if (remembered.size >= rememberedMax) remembered.clear();
        remembered.set(emailCell, hash);
      }
      return hash;
    },
    seal: (text) => close(text),
  };
}
