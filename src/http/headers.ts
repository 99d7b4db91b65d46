/** The headers of all answers, and those that pages of other sites may read and send. */
import type { FastifyHelmetOptions } from '@fastify/helmet';

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
 * Answers are data, never pages: they load nothing, and nothing may frame them. Written out because
 * helmet would assemble the same text for each answer; headers that concern only pages are off for
 * the same reason.
 */
export const contentPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The options of the other headers that protect answers. */
export const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: false,
  // Pages of other sites may read the answers, as Access-Control-Allow-Origin says.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};
