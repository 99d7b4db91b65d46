/** Signed links of e-mails, by which their recipients confirm and unsubscribe without a key. */
import { timingSafeEqual } from 'node:crypto';
import { createHashing } from '../access/secret.ts';

/** The purposes of these links. */
export type MailPurpose = 'confirm' | 'unsubscribe';

/** How long a recipient may take to confirm. */
export const confirmMilliseconds = 7 * 24 * 3_600_000;

/** Makes links, and recognises its own. */
export type MailLinks = {
  readonly mint: (purpose: MailPurpose, recipientId: string) => string;
  /** The recipient of a token; undefined if the token is forged or has expired. */
  readonly recipientOf: (purpose: MailPurpose, token: string) => string | undefined;
};

/** The path of these links, as a pattern of its parts. */
export const mailLinkPattern = '/mail/:purpose/:token';

/**
 * Links under a public address. Links to unsubscribe never expire. `now` is in epoch milliseconds.
 */
export function createMailLinks(secret: string, publicUrl: string, now: () => number): MailLinks {
  const sign = createHashing(secret, 'link of an e-mail');
  const tokenOf = (purpose: MailPurpose, recipientId: string, until: string) =>
    [until, recipientId, sign([purpose, until, recipientId].join('\n'))].join('.');
  return {
    mint(purpose, recipientId) {
      const until = purpose === 'confirm' ? Math.floor((now() + confirmMilliseconds) / 1000) : 0;
      return `${publicUrl}/mail/${purpose}/${tokenOf(purpose, recipientId, String(until))}`;
    },
    recipientOf(purpose, token) {
      const [, until = '', recipientId = ''] = /^(\d{1,12})\.([\w-]{1,40})\./.exec(token) ?? [];
      const given = Buffer.from(token);
      const expected = Buffer.from(tokenOf(purpose, recipientId, until));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return until === '0' || Number(until) * 1000 > now() ? recipientId : undefined;
    },
  };
}
