/** Protection against requests that pages of other sites have browsers send. */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../contract/refusal.ts';

/**
 * Throws 403 when a request that may change something does not come from a page of this service.
 * Browsers say so in Sec-Fetch-Site, which no page can set; older browsers only in Origin.
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

/**
 * Throws 403 when a browser sends a request from a page of another site. The Host of the request
 * proves nothing, because a site may give its name the address of this service (DNS rebinding).
 */
export function refuseForeignOrigin({ origin }: IncomingHttpHeaders, publicUrl: string): void {
  if (origin === undefined || URL.parse(origin)?.origin === new URL(publicUrl).origin) return;
  throw new Refusal(403, 'pages of other sites may not use this address');
}
