/** Turns a contract and its handler into a route. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Idempotency, plainCommit } from '../access/idempotency.ts';
import { type Check, type Checked, compileCheck, sayFailures } from '../contract/check.ts';
import type { Contract } from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import type { AnyEndpoint } from '../endpoints/handler.ts';
import type { Commit, Registry } from '../engine/registry.ts';
import type { Admission, Entrance } from './entrances.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation that a route serves. */
    operation?: string;
    /** False when pages of other sites must not read the answers. */
    cors?: false;
  }
}

/** The services that every route needs. */
export type RouteServices = {
  readonly registry: Registry;
  readonly idempotency: Idempotency;
};

/**
 * Adds the route of an endpoint. A request passes the entrance before its body is read, then the
 * check of the contract and of the channel, then the handler.
 */
export function addRoute(
  server: FastifyInstance,
  { contract, handler }: AnyEndpoint,
  entrance: Entrance,
  { registry, idempotency }: RouteServices,
): void {
  const { admit } = entrance;
  const check = compileCheck(contract);
  const commitPlainly = plainCommit(registry);
  const isSilent = (contract.answer as { type?: unknown }).type === 'void';
  const handle = handler as (input: unknown, context: object) => Promise<unknown>;

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (contract.personal === true) reply.header('cache-control', 'no-store');
    const checked = check.run({ path: request.params, query: request.query, body: request.body });
    const refused = refuseFailures(contract, check, checked, entrance, request);
    if (refused !== undefined) await refused;
    const { input } = checked;
    const run = (commit: Commit) => handle(input, entrance.contextOf(request, reply, commit));
    const answered =
      contract.idempotencyKey === true
        ? await runOnce(idempotency, entrance, request, reply, input, run)
        : await run(commitPlainly);
    if (isSilent) return reply.send();
    if (contract.streamedAnswer !== true) return answered;
    reply.type('application/json; charset=utf-8');
    return Readable.from(answered as AsyncIterable<string>);
  }

  server.route({
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation: contract.operation },
    ...(admit && {
      onRequest: admission((request, reply) => admit(request, reply, contract)),
    }),
    ...(!isSilent && { schema: { response: { 200: contract.answer } } }),
    handler: answer,
  });
}

/** Throws 400 with every failing rule, among them that of the channel; waits only for a look-up. */
function refuseFailures(
  contract: Contract,
  check: Check,
  { input, failures, isValid }: Checked,
  { findChannel }: Entrance,
  request: FastifyRequest,
): Promise<void> | undefined {
  const refuse = (unknownChannel: string | undefined) => {
    const order = Math.max(check.orderOf('channelId'), check.orderOf('merchantId')) + 0.5;
    const all =
      unknownChannel === undefined ? failures : [...failures, { order, text: unknownChannel }];
    if (all.length > 0) throw new Refusal(400, sayFailures(all));
    return undefined;
  };
  const isNamed =
    contract.channel === true &&
    findChannel !== undefined &&
    isValid('channelId') &&
    isValid('merchantId');
  if (!isNamed) return refuse(undefined);
  const found = findChannel(request, input.channelId as string, input.merchantId as string);
  return found instanceof Promise ? found.then(refuse) : refuse(found);
}

/** Runs a request that may carry an Idempotency-Key. */
async function runOnce(
  idempotency: Idempotency,
  { ownerOf }: Entrance,
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
  work: (commit: Commit) => Promise<unknown>,
): Promise<unknown> {
  const { method, url, headers } = request;
  const { answer, isReplayed } = await idempotency.run(
    { key: headers['idempotency-key'], owner: ownerOf(request), method, url, input },
    work,
  );
  if (isReplayed) reply.header('idempotency-replayed', 'true');
  return answer;
}

/** A hook that admits a request or throws; it waits only when there is something to wait for. */
export function admission(
  admit: (request: FastifyRequest, reply: FastifyReply) => ReturnType<Admission>,
): onRequestHookHandler {
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
