/**
 * API keys: made, recognised and sealed with the secret of the installation. A key is a prefix that
 * names its environment, 32 random bytes and a checksum, so a mistyped key needs no look-up.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createHashing, createSeal, type Seal } from './secret.ts';

/** The environment that a key is for: `vit_live_...` or `vit_test_...`. */
export type KeyEnvironment = 'production' | 'staging';

const prefixes: Readonly<Record<KeyEnvironment, string>> = {
  production: 'vit_live_',
  staging: 'vit_test_',
};
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomBytesCount = 32;
// Digits in base 62 of 32 random bytes and of a checksum of 4 bytes.
const randomDigits = 43;
const checksumDigits = 6;
/** These belong to the checksum, not to the random part. */
const shownDigits = 4;
const shape = /^vit_(?:live|test)_[0-9A-Za-z]{49}$/;

/**
 * Makes a new key. The registry stores `lookup`, `hint` and `sealed`; `sealed` opens only with the
 * same secret and key id.
 */
export function mintKey(
  secret: string,
  keyId: string,
  environment: KeyEnvironment,
): { key: string; lookup: string; hint: string; sealed: string } {
  const body =
    prefixes[environment] +
    inBase62(BigInt(`0x${randomBytes(randomBytesCount).toString('hex')}`), randomDigits);
  const key = body + checksumOf(body);
  return {
    key,
    lookup: lookupOf(secret, key),
    hint: hintOf(key),
    sealed: sealOf(secret).close(key, keyId),
  };
}

/** Whether a text has the form and the checksum of a key. */
export function wellFormed(key: string): boolean {
  if (!shape.test(key)) return false;
  const body = key.slice(0, -checksumDigits);
  return timingSafeEqual(Buffer.from(key.slice(-checksumDigits)), Buffer.from(checksumOf(body)));
}

/** The end of a key, such as `...Vj6U`, by which its user recognises it. */
export function hintOf(key: string): string {
  return `...${key.slice(-shownDigits)}`;
}

/** The keyed hash under which the registry knows a key, 64 hexadecimal digits. */
export function lookupOf(secret: string, key: string): string {
  return createHashing(secret, 'api key look-up')(key);
}

/** Opens a sealed key. Throws when the secret or the key id differs or the copy was changed. */
export function unsealKey(secret: string, keyId: string, sealed: string): string {
  return sealOf(secret).open(sealed, keyId);
}

function sealOf(secret: string): Seal {
  return createSeal(secret, 'api key sealing');
}

function checksumOf(body: string): string {
  return inBase62(BigInt(crc32(body)), checksumDigits);
}

function inBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text;
  return text.padStart(digits, '0');
}
