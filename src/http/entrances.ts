/**
 * Who is admitted to an operation, and what its handler works with, by the access of its contract.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CountFailure } from '../access/attempts.ts';
import { type Callers, requireGrant } from '../access/callers.ts';
import {
  type Caller,
  type Channel,
  type ChannelLookup,
  unreachableText,
} from '../access/channels.ts';
import { createDevices } from '../access/devices.ts';
import { userPrefix } from '../access/idempotency.ts';
import { createOperators, type Operator, requireScope } from '../access/operators.ts';
import type { Allowance, RateLimits } from '../access/rateLimits.ts';
import type { RefusedAttempts } from '../access/refusedAttempts.ts';
import { createHashing, createSeal } from '../access/secret.ts';
import { findSession, type SignedIn } from '../access/sessions.ts';
import { createTokens } from '../access/tokens.ts';
import type { Usage } from '../access/usage.ts';
import type { Limits } from '../config.ts';
import { type Access, type Contract, isTagged } from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Context, ServiceConfig, Upload } from '../endpoints/handler.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Clock } from '../engine/clock.ts';
import { createMutex } from '../engine/mutex.ts';
import type { Commit, Registry } from '../engine/registry.ts';
import type { Reads } from '../engine/stamps.ts';
import { Turn } from '../engine/turn.ts';
import type { CachedWarehouse } from '../engine/workingSet.ts';
import type { FileStore } from '../files/store.ts';
import type { Importer } from '../import/importer.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { ReportLinks } from '../report/reportLinks.ts';
import { limitUnfinished } from './answers.ts';
import { uploadOf } from './bodies.ts';
import { createVisitors } from './visitors.ts';
import { setWarning } from './warnings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller behind the API key; null before the key was checked and for other requests. */
    caller: Caller | null;
    /** Gives the request back to the day's budget of its key; null before it was counted. */
    refund: Allowance['refund'] | null;
    /** Why a request with a key was refused or failed, as its user may see it later. */
    reason: string | null;
  }
}

/** The deadline of a question. */
const questionMillisecondsMax = 20_000;

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
  /** Gives a request back to the day's budget of its key. */
  readonly refund?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Finds the channel of a request for its context; returns the failure when there is none. */
  readonly findChannel?: (
    request: FastifyRequest,
    channelId: string,
    merchantId: string,
  ) => string | undefined | Promise<string | undefined>;
};

/** The services that handlers are given. */
export type EntranceServices = {
  readonly config: ServiceConfig;
  readonly registry: Registry;
  readonly warehouse: CachedWarehouse;
  readonly budgets: Budgets;
  readonly importer: Importer;
  readonly files: FileStore;
  readonly jobs: JobQueue;
  readonly reportLinks: ReportLinks;
  readonly usage: Usage;
  readonly callers: Callers;
  readonly channels: ChannelLookup;
  readonly countRequest: CountRequest;
  readonly refusedAttempts: RefusedAttempts;
  readonly countFailure: CountFailure;
  readonly limits: Limits;
  /** The operations that API keys may call. */
  readonly contracts: readonly Contract[];
  readonly now: () => number;
  readonly after: Clock['after'];
};

/** Counts a request for its key: sets the headers of rate limits, and throws to refuse it. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;

/** Counts requests against the rate limits of their keys, and wrong keys against their network. */
export function countRequests(
  callers: Callers,
  rateLimits: RateLimits,
  countFailure: CountFailure,
): CountRequest {
  return async (request, reply) => {
    const caller = await findCaller(callers, request, countFailure);
    request.caller = caller;
    const { headers, refusal, refund } = await rateLimits.consume(caller);
    request.refund = refund;
    reply.headers(headers);
    if (refusal !== undefined) throw refusal;
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
    return await callers.find(key);
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

/** Makes the entrance of each access. */
export function createEntrances(services: EntranceServices): Readonly<Record<Access, Entrance>> {
  return {
    key: keyEntrance(services),
    operator: operatorEntrance(services),
    ...accountEntrances(services),
  };
}

function keyEntrance(services: EntranceServices): Entrance {
  const { config, registry, warehouse, jobs, reportLinks, channels, countRequest, now } = services;
  const seal = (use: string) => createSeal(config.secret, use);
  const found = new WeakMap<FastifyRequest, Channel>();
  // Changes of an organisation wait for one another, so they never hold all connections.
  const inTurn = createMutex();
  const turns = new WeakMap<FastifyRequest, Turn>();
  const turnOf = (request: FastifyRequest) => {
    const turn = turns.get(request) ?? new Turn();
    turns.set(request, turn);
    return turn;
  };
  const takeUnfinished = limitUnfinished(services.limits.keyRequests);
  return {
    async admit(request, reply, contract) {
      // Answers are for this key; a browser may keep one that it can ask for again by its tag.
      const caching = isTagged(contract) ? 'private, no-cache' : 'no-store';
      reply.headers({ 'cache-control': caching, vary: 'x-api-key' });
      requireGrant(await countRequest(request, reply), contract);
      takeUnfinished(request, reply);
    },
    ownerOf: (request) => userPrefix + request.caller!.userId,
    findChannel(request, channelId, merchantId) {
      const take = (channel: Channel | undefined) => {
        if (channel === undefined) return unreachableText;
        found.set(request, channel);
        return undefined;
      };
      const channel = channels.find(request.caller!, channelId, merchantId);
      return channel instanceof Promise ? channel.then(take) : take(channel);
    },
    finish: (request) => turns.get(request)?.end(),
    async refund(request, reply) {
      reply.headers(await request.refund!());
    },
    contextOf: (request, reply, commit, reads): Context<'key'> & { readonly channel: Channel } => ({
      caller: request.caller!,
      quotas: services.limits,
      requestedAt: Math.floor(now() / 1000),
      now,
      warehouse,
      registry,
      commit: (work) => inTurn(request.caller!.organisationId, () => commit(work)),
      jobs,
      reportLinks,
      seal,
      log: request.log,
      warn(missing) {
        // A kept answer would come without its header.
        if (missing.length > 0) reads?.noteUnknown();
        setWarning(reply, missing);
      },
      channel: found.get(request)!,
      // Made when it is read: a handler that asks no question needs none.
      get limits() {
        const { organisationId, keyId } = request.caller!;
        return {
          deadlineMilliseconds: questionMillisecondsMax,
          signal: disconnected(reply),
          requester: { organisationId, keyId },
          turn: turnOf(request),
          ...(reads && { reads }),
        };
      },
    }),
  };
}

function operatorEntrance(services: EntranceServices): Entrance {
  const { config, registry, warehouse, budgets, importer, usage, callers, channels } = services;
  const { files, refusedAttempts, countFailure, now, after } = services;
  const operators = createOperators(registry, config.secret, config.operatorTokens, now);
  const found = new WeakMap<FastifyRequest, Operator>();
  const find = async (header: string | undefined) => operators.find(header);
  const invalidate = () => {
    callers.invalidate();
    channels.invalidate();
  };
  return {
    async admit(request, reply, contract) {
      reply.header('cache-control', 'no-store');
      const { authorization } = request.headers;
      const operator = await find(authorization).catch(async (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        refusedAttempts.note({ action: 'refuseOperator', address: request.ip });
        if (authorization !== undefined) await countFailure(request.ip);
        throw error;
      });
      requireScope(operator, contract);
      found.set(request, operator);
    },
    ownerOf: (request) => found.get(request)!.actor,
    contextOf: (request, _reply, commit): Context<'operator'> & { readonly upload: Upload } => ({
      actor: found.get(request)!.actor,
      config,
      registry,
      warehouse,
      budgets,
      importer,
      files,
      usage,
      refusedAttempts,
      commit,
      invalidate,
      now,
      after,
      log: request.log,
      get upload() {
        return uploadOf(request);
      },
    }),
  };
}

/** The entrances of the account pages. No operation of theirs takes an Idempotency-Key. */
function accountEntrances(services: EntranceServices): Record<'open' | 'session', Entrance> {
  const { config, registry, budgets, usage, refusedAttempts, contracts, countFailure, now } =
    services;
  const sessions = {
    sessionTokens: createTokens(config.secret, 'session'),
    sessionDays: services.limits,
  };
  const linkTokens = createTokens(config.secret, 'link');
  const devices = createDevices(config.secret);
  const hashOf = createHashing(config.secret, 'attempts');
  const visitorOf = createVisitors(config.publicUrl, services.limits.sessionDays);
  const signedIn = new WeakMap<FastifyRequest, SignedIn>();
  const ownerOf = () => 'account';
  const openContext = (
    request: FastifyRequest,
    reply: FastifyReply,
    commit: Commit,
  ): Context<'open'> => ({
    config,
    registry,
    budgets,
    usage,
    contracts,
    ...sessions,
    linkTokens,
    devices,
    noteRefused: (attempt) => refusedAttempts.note({ ...attempt, address: request.ip }),
    hashOf,
    commit,
    now,
    log: request.log,
    visitor: visitorOf(request, reply),
    countFailure: () => countFailure(request.ip),
  });
  return {
    open: { ownerOf, contextOf: openContext },
    session: {
      ownerOf,
      async admit(request, reply) {
        const visitor = visitorOf(request, reply);
        const found = await findSession({ ...sessions, registry, visitor, now });
        if (found === undefined) throw new Refusal(401, 'sign in first');
        signedIn.set(request, found);
      },
      contextOf(request, reply, commit): Context<'session'> {
        const user = signedIn.get(request)!;
        return { ...openContext(request, reply, commit), signedIn: user, actor: user.userId };
      },
    },
  };
}

/** A signal that aborts when the client disconnects before its answer is written. */
function disconnected(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply);
  if (known !== undefined) return known;
  const controller = new AbortController();
  signals.set(reply, controller.signal);
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

const signals = new WeakMap<FastifyReply, AbortSignal>();
