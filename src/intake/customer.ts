/** What is kept of a buyer: a keyed hash that tells customers apart, and the address itself only sealed. */
import { createCipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { normalEmail } from './datasets.ts';

const rememberedMax = 65_536;

/** The hash and the seal under the service's secret. */
export function makeHashes(secret: string): { hashCustomer: (emailCell: string) => string; seal: (text: string) => string } {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  // Made once: a key given as bytes is turned into this for every hash, at seven times the cost of the hash itself.
  const hashKey = createSecretKey(key('vitrine customer hash'));
  const sealKey = key('vitrine buyer e-mail');
  // Repeat customers are common, and hashing is the dearest step of reading an order line.
  const remembered = new Map<string, string>();
  return {
    hashCustomer(emailCell) {
      let hash = remembered.get(emailCell);
      if (hash === undefined) {
        hash = createHmac('sha256', hashKey).update(normalEmail(emailCell)).digest('base64url').slice(0, 22);
        if (remembered.size >= rememberedMax) remembered.clear();
        remembered.set(emailCell, hash);
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
