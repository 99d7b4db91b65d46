/** The ids of requests. */
import { randomUUID } from 'node:crypto';
import type { ServiceConfig } from '../endpoints/handler.ts';

/**
 * Adopts the client's own request id if it is well formed and not a secret; otherwise makes one.
 */
export function requestIds({
  operatorTokens,
  secret,
}: ServiceConfig): (request: { headers: NodeJS.Dict<string | string[]> }) => string {
  return ({ headers: { 'x-request-id': sent } }) => {
    const isId = typeof sent === 'string' && /^[A-Za-z0-9_.-]{8,64}$/.test(sent);
    const isSecret =
      isId && [...operatorTokens, secret, 'vit_'].some((text) => sent.includes(text));
    return isId && !isSecret ? sent : randomUUID();
  };
}
