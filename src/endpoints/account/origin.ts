/** Who may change something with the cookie of a session: only pages of this service. */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../contract/refusal.ts';

/**
 * Throws 403 where a call that may change something does not come from a page of this service. Browsers say so by Sec-Fetch-Site, which
 * no page can set; older ones by Origin alone.
 */
export function refuseForeign(
  method: string,
  headers: IncomingHttpHeaders,
  publicUrl: string,
): void {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? isOwnOrigin(headers, publicUrl) : site === 'same-origin';
  if (!isOwn) throw new Refusal(403, 'this can be done only from the pages of this service');
}

function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): boolean {
  const from = URL.parse(origin ?? '')?.host;
  return from !== undefined && from !== '' && (from === host || from === new URL(publicUrl).host);
}
