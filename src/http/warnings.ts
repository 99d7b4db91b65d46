/** The header Vitrine-Warning: parts of an answer that are missing or hold a tax, and why. */
import type { FastifyReply } from 'fastify';
import type { Warning } from '../endpoints/handler.ts';

/** The most stores that the header names. */
const storesMax = 20;

/** Sets the header: a list of structured field values (RFC 9651). */
export function setWarning(reply: FastifyReply, warnings: readonly Warning[]): void {
  if (warnings.length === 0) return;
  const members = warnings.slice(0, storesMax).map(memberOf);
  if (warnings.length > storesMax) members.push(`and-more;stores=${warnings.length - storesMax}`);
  reply.header('vitrine-warning', members.join(', '));
}

function memberOf(warning: Warning): string {
  const store = `store=${textOf(warning.store)}`;
  return 'currency' in warning
    ? `no-exchange-rate;${store};currency="${warning.currency}"`
    : `${warning.code};${store}`;
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
