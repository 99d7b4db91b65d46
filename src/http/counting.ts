/** Counts the requests of API keys and of the console against their rate limits. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CountFailure } from '../access/attempts.ts';
import type { Callers } from '../access/callers.ts';
import type { Caller } from '../access/channels.ts';
import type { RateLimits } from '../access/rateLimits.ts';
import { Refusal } from '../contract/refusal.ts';

/** Counts a request for its key: sets the headers of rate limits, and throws to refuse it. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;

/** Counts a request of a caller: sets the headers of rate limits, and throws to refuse it. */
export async function countFor(
  caller: Caller,
  rateLimits: RateLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.caller = caller;
  const { headers, refusal, refund } = await rateLimits.consume(caller);
  request.refund = refund;
  reply.headers(headers);
  if (refusal !== undefined) throw refusal;
}

/** Counts requests against the rate limits of their keys, and wrong keys against their network. */
export function countRequests(
  callers: Callers,
  rateLimits: RateLimits,
  countFailure: CountFailure,
): CountRequest {
  return async (request, reply) => {
    const caller = await findCaller(callers, request, countFailure);
    await countFor(caller, rateLimits, request, reply);
    return caller;
  };
}

async function findCaller(
  callers: Callers,
  { headers, ip }: FastifyRequest,
  countFailure: CountFailure,
): Promise<Caller> {
  const key = headers['x-api-key'];
  try {
    return await callers.find(key, ip);
  } catch (error) {
    if (error instanceof Refusal && key !== undefined) await countFailure(ip);
    throw error;
  }
}

/**
 * Counts a request that no route takes, if it has a valid key; throws only if it is over a rate
 * limit.
 */
export function countKeyed(countRequest: CountRequest) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.headers['x-api-key'] === undefined) return;
    await countRequest(request, reply).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 429) throw error;
    });
  };
}
