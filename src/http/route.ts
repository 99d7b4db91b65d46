/** Turns a contract and what answers it into a route. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Callers, requireGrant } from '../access/callers.ts';
import {
  type Caller,
  type Channel,
  type ChannelLookup,
  unreachableText,
} from '../access/channels.ts';
import { type Idempotency, plainCommit } from '../access/idempotency.ts';
import type { RateLimits } from '../access/rateLimits.ts';
import type { Seal } from '../access/secret.ts';
import { dayNumber } from '../calendar/period.ts';
import { knownZone } from '../calendar/zone.ts';
import {
  type Checked,
  compileCheck,
  type Failure,
  type Formats,
  sayFailures,
} from '../contract/check.ts';
import type { Contract } from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Endpoint } from '../endpoints/handler.ts';
import type { Commit, Registry } from '../engine/registry.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { ReportLinks } from '../report/reportLinks.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, in the routes of the public interface; null before the key has been checked. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The operation that a route serves. */
    operation?: string;
    /** False where pages of other services may not read the answers. */
    cors?: false;
  }
}

/** How long a question of an endpoint may take. */
const questionMillisecondsMax = 20_000;

const formats: Formats = { timezone: knownZone, date: isDate };

function isDate(text: string): boolean {
  try {
    dayNumber(text);
    return true;
  } catch {
    return false;
  }
}

/** Lets in, or throws or rejects to refuse. */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** How an operation is served: who is let in before the body is read, and what answers. */
export type Operation = {
  readonly contract: Contract;
  readonly admit?: Admission;
  readonly answer: (
    checked: Checked,
    request: FastifyRequest,
    reply: FastifyReply,
    commit: Commit,
  ) => Promise<unknown>;
  /** Failures that a check of the request's fields cannot find; they are listed with the others. */
  readonly examine?: (
    checked: Checked,
    request: FastifyRequest,
    orderOf: (path: string) => number,
  ) => Promise<Failure[]> | Failure[];
  /** Whose calls those with an Idempotency-Key are. */
  readonly ownerOf: (request: FastifyRequest) => string;
};

/** Adds the route of an operation. */
export function addOperation(
  server: FastifyInstance,
  { contract, admit, answer, examine, ownerOf }: Operation,
  { registry, once }: Pick<PublicContext, 'registry' | 'once'>,
): void {
  const check = compileCheck(contract, formats);
  const commitPlainly = plainCommit(registry);
  const isSilent = (contract.answer as { type?: unknown }).type === 'void';
  server.route({
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation: contract.operation },
    ...(admit && { onRequest: admission(admit) }),
    ...(!isSilent && { schema: { response: { 200: contract.answer } } }),
    async handler(request, reply) {
      if (contract.personal === true) reply.header('cache-control', 'no-store');
      const checked = check.run({ path: request.params, query: request.query, body: request.body });
      const failures =
        examine === undefined
          ? checked.failures
          : joined(checked, examine(checked, request, check.orderOf));
      const all = failures instanceof Promise ? await failures : failures;
      if (all.length > 0) throw new Refusal(400, sayFailures(all));
      const run = (commit: Commit) => answer(checked, request, reply, commit);
      const given = await (contract.idempotencyKey === true
        ? once.run(request, reply, ownerOf(request), checked.input, run)
        : run(commitPlainly));
      return isSilent ? reply.send() : given;
    },
  });
}

function joined(
  checked: Checked,
  found: Promise<Failure[]> | Failure[],
): readonly Failure[] | Promise<readonly Failure[]> {
  if (found instanceof Promise) return found.then((more) => [...checked.failures, ...more]);
  return found.length === 0 ? checked.failures : [...checked.failures, ...found];
}

/** A hook that lets in or refuses by throwing, and waits only where there is something to wait for. */
export function admission(admit: Admission): onRequestHookHandler {
  return (request, reply, done) => {
    try {
      const waiting = admit(request, reply);
      if (waiting instanceof Promise) waiting.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  };
}

/** What the routes of the public interface work with. */
export type PublicContext = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly jobs: JobQueue;
  readonly reportLinks: ReportLinks;
  readonly callers: Callers;
  readonly scope: ChannelLookup;
  readonly limits: RateLimits;
  readonly once: Idempotency;
  readonly seal: (use: string) => Seal;
  /** In epoch milliseconds. */
  readonly now: () => number;
};

/** Adds the route of an endpoint: the key, its budget, the grants, the rules, the channel, the handler, in this order. */
export function addEndpoint(
  server: FastifyInstance,
  { contract, handler }: Endpoint,
  context: PublicContext,
): void {
  const { registry, warehouse, jobs, reportLinks, callers, scope, limits, seal, now } = context;
  const reached = new WeakMap<FastifyRequest, Channel>();

  async function enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await callers.find(request.headers['x-api-key']);
    request.caller = caller;
    const { headers, refusal } = await limits.consume(caller);
    reply.headers(headers);
    if (refusal !== undefined) throw refusal;
    requireGrant(caller, contract);
  }

  function unreachable(orderOf: (path: string) => number): Failure[] {
    return [
      { order: Math.max(orderOf('channelId'), orderOf('merchantId')) + 0.5, text: unreachableText },
    ];
  }

  const operation: Operation = {
    contract,
    admit: enter,
    ownerOf: (request) => `user:${request.caller!.userId}`,
    ...(contract.channel === true && {
      examine({ input: asked, isValid }, request, orderOf) {
        if (!isValid('channelId') || !isValid('merchantId')) return [];
        const take = (channel: Channel | undefined) => {
          if (channel === undefined) return unreachable(orderOf);
          reached.set(request, channel);
          return [];
        };
        const found = scope.find(
          request.caller!,
          asked.channelId as string,
          asked.merchantId as string,
        );
        return found instanceof Promise ? found.then(take) : take(found);
      },
    }),
    answer: ({ input: asked }, request, reply, commit) =>
      handler(asked as never, {
        caller: request.caller!,
        now: Math.floor(now() / 1000),
        warehouse,
        registry,
        commit,
        jobs,
        reportLinks,
        seal,
        log: request.log,
        channel: reached.get(request)!,
        // Made only when it is asked for: a handler that asks no question needs none.
        get limits() {
          return { deadlineMilliseconds: questionMillisecondsMax, signal: leaving(reply) };
        },
      }),
  };
  addOperation(server, operation, context);
}

const signals = new WeakMap<FastifyReply, AbortSignal>();

/** The signal that is aborted when the client leaves before its answer has been written. */
export function leaving(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply);
  if (known !== undefined) return known;
  const controller = new AbortController();
  signals.set(reply, controller.signal);
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
