/** Keyed hashes and sealed copies, made with the secret of the installation. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** The seal for the e-mail addresses of buyers. */
export const buyerEmailUse = 'buyer e-mail';

const sealVersion = 'v1.';
const nonceBytes = 12;
const noncesAtOnce = 256;
const tagBytes = 16;

/** Seals texts (AES-256-GCM) and opens them. A copy opens only with the same `bound`. */
export type Seal = {
  readonly close: (text: string, bound?: string) => string;
  /** Throws when the secret, the use or `bound` differs, or the copy was changed. */
  readonly open: (sealed: string, bound?: string) => string;
};

/** Derives a key for one use, so that a leaked key reveals nothing about the others. */
export function derivedKey(secret: string, use: string): KeyObject {
  if (secret === '') throw new Error('the secret is empty');
  // A key object: converting bytes for each hash would cost several times the hash itself.
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `vitrine ${use}`, 32)));
}

/** Makes keyed hashes of texts for one use, 64 hexadecimal digits each. */
export function createHashing(secret: string, use: string): (text: string) => string {
  const key = derivedKey(secret, use);
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

/** Makes the seal for one use. */
export function createSeal(secret: string, use: string): Seal {
  const key = derivedKey(secret, use);
  let nonces = Buffer.alloc(0);
  return {
    close(text, bound = '') {
      // Getting many nonces at once takes a tenth of the time.
      if (nonces.length === 0) nonces = randomBytes(nonceBytes * noncesAtOnce);
      const nonce = nonces.subarray(0, nonceBytes);
      nonces = nonces.subarray(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      // Nothing bound is the default.
      if (bound !== '') cipher.setAAD(Buffer.from(bound));
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
