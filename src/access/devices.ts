/** Browsers that a user has signed in with, which others cannot lock out. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createHashing } from './secret.ts';

const idBytes = 16;

/** Makes and recognises the tokens of browsers; the registry stores none of them. */
export type Devices = {
  /** A token for a browser that has just signed in. */
  readonly mint: (email: string) => string;
  /** The public part of a token that was minted for the account; undefined for any other. */
  readonly idOf: (token: string | undefined, email: string) => string | undefined;
};

/** Makes the tokens of browsers. */
export function createDevices(secret: string): Devices {
  const sign = createHashing(secret, 'device');
  const tokenOf = (id: string, email: string) => `${id}.${sign(`${id}\n${email}`)}`;
  return {
    mint: (email) => tokenOf(randomBytes(idBytes).toString('base64url'), email),
    idOf(token = '', email) {
      const [, id] = /^([\w-]{22})\.[\da-f]{64}$/.exec(token) ?? [];
      if (id === undefined) return undefined;
      const isOurs = timingSafeEqual(Buffer.from(token), Buffer.from(tokenOf(id, email)));
      return isOurs ? id : undefined;
    },
  };
}
