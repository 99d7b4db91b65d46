/** The entrance of the public operations, by an API key or by a session of the console. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOfSession } from '../access/callers.ts';
import { type Channel, type ChannelLookup, unreachableText } from '../access/channels.ts';
import { userPrefix } from '../access/idempotency.ts';
import type { RateLimits } from '../access/rateLimits.ts';
import { requireApi, requireRights, tellsBuyers } from '../access/rights.ts';
import { createSeal } from '../access/secret.ts';
import type { SignedIn } from '../access/sessions.ts';
import type { Limits } from '../config.ts';
import { isTagged } from '../contract/endpoint.ts';
import { buyersHeader } from '../contract/grants.ts';
import type { Context, ServiceConfig } from '../endpoints/handler.ts';
import type { Budgets } from '../engine/budgets.ts';
import { createMutex } from '../engine/mutex.ts';
import type { Registry } from '../engine/registry.ts';
import { Turn } from '../engine/turn.ts';
import type { CachedWarehouse } from '../engine/workingSet.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { ReportLinks } from '../report/reportLinks.ts';
import { createAnnouncer } from '../webhooks/announce.ts';
import { limitUnfinished } from './answers.ts';
import { type CountRequest, countFor } from './counting.ts';
import type { Admission, Entrance } from './entrance.ts';
import { varyBy } from './headers.ts';
import { setWarning } from './warnings.ts';

/** The deadline of a question. */
const questionMillisecondsMax = 20_000;

/** The services that handlers of public operations use. */
export type PublicServices = {
  readonly config: ServiceConfig;
  readonly registry: Registry;
  readonly warehouse: CachedWarehouse;
  readonly budgets: Budgets;
  readonly jobs: JobQueue;
  readonly reportLinks: ReportLinks;
  readonly channels: ChannelLookup;
  readonly limits: Limits;
  readonly countRequest: CountRequest;
  readonly rateLimits: RateLimits;
  readonly now: () => number;
};

/** The entrance of requests with an API key. */
export function keyEntrance(services: PublicServices): Entrance {
  return publicEntrance(services, async (request, reply, contract) => {
    // Answers are for this key; a browser may store one that it can check again by its tag.
    const caching = isTagged(contract) ? 'private, no-cache' : 'no-store';
    varyBy(reply.header('cache-control', caching), 'x-api-key');
    const caller = await services.countRequest(request, reply);
    requireApi(caller);
    requireRights(caller, contract);
    if (contract.personal === true && tellsBuyers(caller)) reply.header(buyersHeader, 'granted');
  });
}

/** Finds the signed-in user of a request, or rejects with the refusal. */
export type FindUser = (...request: Parameters<Admission>) => Promise<SignedIn>;

/** The entrance of the console: the session of a user reads what a key would get. */
export function consoleEntrance(services: PublicServices, findUser: FindUser): Entrance {
  return publicEntrance(services, async (request, reply, contract) => {
    const caller = await callerOfSession(
      services.registry,
      await findUser(request, reply, contract),
    );
    await countFor(caller, services.rateLimits, request, reply);
    requireRights(caller, contract);
  });
}

function publicEntrance(services: PublicServices, admitCaller: Admission): Entrance {
  const { config, registry, warehouse, budgets, jobs, reportLinks, channels, now } = services;
  const announcer = createAnnouncer(jobs, now, services.limits.organisationWaitingDeliveries);
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
      await admitCaller(request, reply, contract);
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
      request.isRefunded = true;
    },
    contextOf: (request, reply, commit, reads): Context<'key'> & { readonly channel: Channel } => ({
      caller: request.caller!,
      channels,
      quotas: services.limits,
      requestedAt: Math.floor(now() / 1000),
      now,
      warehouse,
      registry,
      commit: (work) => inTurn(request.caller!.organisationId, () => commit(work)),
      jobs,
      reportLinks,
      budgets,
      mailDomains: config.mailDomains,
      webhookNetworks: config.webhooks,
      announcer,
      seal: (use) => createSeal(config.secret, use),
      log: request.log,
      warn(warnings) {
        // A cached answer would lack the header.
        if (warnings.length > 0) reads?.noteUnknown();
        setWarning(reply, warnings);
      },
      channel: found.get(request)!,
      // Made when it is read: a handler that asks no question needs none.
      get limits() {
        const { organisationId, budget } = request.caller!;
        return {
          deadlineMilliseconds: questionMillisecondsMax,
          signal: disconnected(reply),
          requester: { organisationId, keyId: budget },
          turn: turnOf(request),
          ...(reads && { reads }),
        };
      },
    }),
  };
}

/** A signal that aborts when the client disconnects before its answer is written. */
export function disconnected(reply: FastifyReply): AbortSignal {
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
