/** What is made with the installation's secret: hashes that only it can make, and copies that only it can open. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** The use of the seal that buyers' e-mail addresses are kept under. */
export const buyerEmailUse = 'buyer e-mail';

const sealVersion = 'v1.';
const nonceBytes = 12;
const tagBytes = 16;

/** Seals texts (AES-256-GCM) and opens them again. `bound` is what a copy belongs to: it opens for nothing else. */
export type Seal = {
  readonly close: (text: string, bound?: string) => string;
  /** Throws where the secret, the use or what it is bound to is another one, or the copy was changed. */
  readonly open: (sealed: string, bound?: string) => string;
};

/** One secret, a key of its own for each use: what leaks of one says nothing of the other. */
export function derivedKey(secret: string, use: string): KeyObject {
  if (secret === '') throw new Error('the secret is empty');
  // Made once into this form: a key given as bytes is turned into it for every hash, at several times the cost of the hash itself.
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `vitrine ${use}`, 32)));
}

/** Makes hashes of texts under a key of its own, 64 hexadecimal digits each. */
export function createHashing(secret: string, use: string): (text: string) => string {
  const key = derivedKey(secret, use);
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

/** Makes the seal of one use. */
export function createSeal(secret: string, use: string): Seal {
  const key = derivedKey(secret, use);
  return {
    close(text, bound = '') {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(bound));
      return (
        sealVersion +
        Buffer.concat([
          nonce,
          cipher.update(text, 'utf8'),
          cipher.final(),
          cipher.getAuthTag(),
        ]).toString('base64url')
      );
    },
    open(sealed, bound = '') {
      const bytes = Buffer.from(sealed.slice(sealVersion.length), 'base64url');
      if (!sealed.startsWith(sealVersion) || bytes.length < nonceBytes + tagBytes)
        throw new Error('not a sealed copy');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(bound));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      try {
        return (
          decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') +
          decipher.final('utf8')
        );
      } catch (error) {
        throw new Error(
          'the sealed copy does not open: another secret, another owner or a changed copy',
          { cause: error },
        );
      }
    },
  };
}
