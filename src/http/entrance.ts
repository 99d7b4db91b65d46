/** The way in to operations: who is admitted, and what a handler works with. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/channels.ts';
import type { Allowance } from '../access/rateLimits.ts';
import type { Contract } from '../contract/endpoint.ts';
import type { Commit } from '../engine/registry.ts';
import type { Reads } from '../engine/stamps.ts';
import type { AskAs } from '../schedules/work.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Asks the public API as the user of a schedule. */
    askAs: AskAs;
  }
  interface FastifyRequest {
    /** The caller behind the API key; null before the key was checked and for other requests. */
    caller: Caller | null;
    /** Refunds the request to the day's budget of its key; null before it was counted. */
    refund: Allowance['refund'] | null;
    /** Whether the request was refunded, so that it costs its key nothing. */
    isRefunded: boolean;
    /** Why a request with a key was refused or failed, as its user may see it later. */
    reason: string | null;
  }
}

/** Admits a request before its body is read, or throws or rejects to refuse it. */
export type Admission = (
  request: FastifyRequest,
  reply: FastifyReply,
  contract: Contract,
) => void | Promise<void>;

/** The way in to operations of one access. */
export type Entrance = {
  readonly admit?: Admission;
  /** The owner of the Idempotency-Keys of a request. */
  readonly ownerOf: (request: FastifyRequest) => string;
  readonly contextOf: (
    request: FastifyRequest,
    reply: FastifyReply,
    commit: Commit,
    reads?: Reads,
  ) => object;
  /** Called when the answer is written, or the request has failed. */
  readonly finish?: (request: FastifyRequest) => void;
  /** Refunds a request to the day's budget of its key. */
  readonly refund?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Finds the channel of a request for its context; returns the failure when there is none. */
  readonly findChannel?: (
    request: FastifyRequest,
    channelId: string,
    merchantId: string,
  ) => string | undefined | Promise<string | undefined>;
};
