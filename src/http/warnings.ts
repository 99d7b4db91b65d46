/** The header Vitrine-Warning: parts of an answer that are missing, and why. */
import type { FastifyReply } from 'fastify';
import type { MissingRate } from '../endpoints/handler.ts';

/** The most stores that the header names. */
const storesMax = 20;

/** Sets the header where stores lack rates: a list of structured field values (RFC 9651). */
export function setWarning(reply: FastifyReply, missing: readonly MissingRate[]): void {
  if (missing.length === 0) return;
  const members = missing
    .slice(0, storesMax)
    .map(({ store, currency }) => `no-exchange-rate;store=${textOf(store)};currency="${currency}"`);
  if (missing.length > storesMax) members.push(`and-more;stores=${missing.length - storesMax}`);
  reply.header('vitrine-warning', members.join(', '));
}

/** A string, or a display string where the text is not plain ASCII. */
function textOf(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  const escaped = [...Buffer.from(text)].map((byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x22
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).padStart(2, '0')}`,
  );
  return `%"${escaped.join('')}"`;
}
