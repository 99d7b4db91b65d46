/** The headers of all answers, and those that pages of other sites may read and send. */

import type { FastifyReply } from 'fastify';

/** Adds a header of the request to those by which the answer varies. */
export function varyBy(reply: FastifyReply, header: string): FastifyReply {
  const earlier = [reply.getHeader('vary') ?? []].flat();
  return reply.header('vary', [...earlier, header].join(', '));
}

/** Headers of answers that pages of other sites may read. */
export const exposedHeaders = [
  'x-request-id',
  'retry-after',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'idempotency-replayed',
  'preference-applied',
  'vitrine-ignored',
  'vitrine-warning',
  'vitrine-envelope',
  'deprecation',
  'sunset',
  'link',
  'content-disposition',
  'content-range',
  'accept-ranges',
];

/** Headers of requests that pages of other sites may send. */
export const allowedHeaders = [
  'content-type',
  'x-api-key',
  'authorization',
  'x-request-id',
  'idempotency-key',
  'prefer',
  'if-none-match',
];

/**
 * The headers of every answer. Answers are data, never pages: they load nothing, and nothing may
 * frame them; pages replace the policy. One object serves answers, and what is written on a bare
 * socket.
 */
export const answerHeaders = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // Pages of other sites may read the answers, as Access-Control-Allow-Origin says.
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
} as const;

/** Further headers of pages and what they are made of. */
export const pageHeaders = {
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // The account pages copy keys and commands.
  'permissions-policy':
    'camera=(), clipboard-write=(self), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;
