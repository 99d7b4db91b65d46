/** What is kept of a buyer: a keyed hash that tells customers apart, and the address itself only sealed. */
import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { normalEmail } from './datasets.ts';

const rememberedMax = 20_000;

/** The hash and the seal under the service's secret. */
export function makeHashes(secret: string): { hashCustomer: (emailCell: string) => string; seal: (text: string) => string } {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const hashKey = key('vitrine customer hash');
  const sealKey = key('vitrine buyer e-mail');
  // Repeat customers are common, and hashing is the dearest step of reading an order line.
  const remembered = new Map<string, string>();
  return {
    hashCustomer(emailCell) {
      const email = normalEmail(emailCell);
      let hash = remembered.get(email);
      if (hash === undefined) {
        hash = createHmac('sha256', hashKey).update(email).digest('base64url').slice(0, 22);
        if (remembered.size >= rememberedMax) remembered.clear();
        remembered.set(email, hash);
      }
      return hash;
    },
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
  };
}
