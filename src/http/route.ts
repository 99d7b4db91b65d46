/** Turns a contract and its handler into a route. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Idempotency, keyFailure, plainCommit } from '../access/idempotency.ts';
import {
  type Check,
  type Checked,
  compileCheck,
  type Failure,
  sayFailures,
} from '../contract/check.ts';
import { type Deprecation, deprecationHeaders } from '../contract/deprecation.ts';
import {
  type Contract,
  isTagged,
  type RuleFailures,
  type RuleFields,
} from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import type { AnyEndpoint, Context, RecordRule } from '../endpoints/handler.ts';
import type { Commit, Registry } from '../engine/registry.ts';
import type { Reads } from '../engine/stamps.ts';
import { type CachedAnswers, sendTagged, taggedAnswer } from './cachedAnswers.ts';
import { csvAnswers, csvType, type WriteCsv } from './csvAnswers.ts';
import { encodingFor } from './encodings.ts';
import type { Admission, Entrance } from './entrance.ts';

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
  readonly cachedAnswers: CachedAnswers;
};

type AnyRecordsOf = (input: unknown, context: Context<'key'>) => Promise<unknown>;

/**
 * Adds the route of an endpoint. A request passes the entrance before its body is read, then the
 * rules of the contract, the look-up of the channel and the rules that need records, then the
 * handler.
 */
export function addRoute(
  server: FastifyInstance,
  { contract, handler, recordRules = [], recordsOf }: AnyEndpoint,
  entrance: Entrance,
  { registry, idempotency, cachedAnswers }: RouteServices,
): void {
  const check = compileCheck(contract);
  const checkRecords = recordsCheck(check, recordRules as readonly AnyRecordRule[]);
  const commitPlainly = plainCommit(registry);
  const isSilent = (contract.answer as { type?: unknown }).type === 'void';
  const csvFor = csvAnswers(contract);
  const handle = handler as (input: unknown, context: object) => Promise<unknown>;

  function headerFailures({ headers }: FastifyRequest): Failure[] {
    if (contract.idempotencyKey !== true) return [];
    return check.place({ at: '' }, keyFailure(headers['idempotency-key']));
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const checked = checkFields(contract, check, request, reply);
    const writeCsv = csvFor?.(request, reply);
    const finding = channelFailures(contract, check, checked, entrance, request);
    const unreachable = finding instanceof Promise ? await finding : finding;
    const failures = [...headerFailures(request), ...checked.failures, ...unreachable];
    const { input } = checked;
    if (failures.length > 0) {
      const hasChannel = unreachable.length === 0 && checked.canCheck(channelRule);
      const contextOf = () => entrance.contextOf(request, reply, commitPlainly);
      const more = await checkRecords(input, contextOf, (rule) => {
        const isUnknown = contract.channel === true && !hasChannel && readsChannel(rule);
        return checked.canCheck(rule) && !isUnknown;
      });
      throw new Refusal(400, sayFailures([...failures, ...more]));
    }
    const run = async (commit: Commit, reads?: Reads) => {
      const context = entrance.contextOf(request, reply, commit, reads);
      const checking = refuseBroken(checkRecords, checked, context);
      if (checking instanceof Promise) await checking;
      return handle(input, context);
    };
    if (contract.cacheable === true) {
      const context = entrance.contextOf(request, reply, commitPlainly) as Context<'key'>;
      const records = await (recordsOf as AnyRecordsOf | undefined)?.(input, context);
      const encoding = writeCsv ? undefined : encodingFor(request.headers['accept-encoding']);
      const from = { operation: contract.operation, input, context, records, encoding };
      const compute = (reads: Reads) => run(commitPlainly, reads);
      const answer = await cachedAnswers.answer(from, reply, compute);
      return sendTagged(request, reply, answer, entrance, writeCsv);
    }
    const answered =
      contract.idempotencyKey === true
        ? await runOnce(idempotency, entrance, request, reply, input, run)
        : await run(commitPlainly);
    if (isSilent) return reply.send();
    if (isTagged(contract))
      return sendTagged(request, reply, taggedAnswer(reply, answered), entrance, writeCsv);
    return untagged(contract, reply, input, answered, writeCsv);
  }

  server.route({
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation: contract.operation },
    onRequest: hooksOf(contract, entrance),
    ...(!isSilent && { schema: { response: { 200: contract.answer } } }),
    handler: (request, reply) => answer(request, reply).finally(() => entrance.finish?.(request)),
  });
}

/** The hooks that run before the body of a request is read. */
function hooksOf(contract: Contract, { admit }: Entrance): onRequestHookHandler[] {
  return [
    ...(contract.deprecated ? [announceEnd(contract.deprecated)] : []),
    ...(admit ? [admission((request, reply) => admit(request, reply, contract))] : []),
  ];
}

/** A hook by which all answers say when their operation was deprecated and when it ends. */
function announceEnd(deprecated: Deprecation): onRequestHookHandler {
  const headers = deprecationHeaders(deprecated);
  return (_request, reply, done) => {
    reply.headers(headers);
    done();
  };
}

/** An answer without an entity tag, as it is sent. */
function untagged(
  contract: Contract,
  reply: FastifyReply,
  input: Readonly<Record<string, unknown>>,
  answer: unknown,
  writeCsv: WriteCsv | undefined,
): unknown {
  if (writeCsv !== undefined)
    return reply.type(csvType).send(writeCsv(reply, reply.serialize(answer) as string));
  if (contract.streamedAnswer !== true) return answer;
  return streamed(contract, reply, input, answer as AsyncIterable<string | Uint8Array>);
}

/** Answers a stream, whose type may depend on the field `format` of the input. */
function streamed(
  { streamedTypes }: Contract,
  reply: FastifyReply,
  { format }: Readonly<Record<string, unknown>>,
  answer: AsyncIterable<string | Uint8Array>,
): Readable {
  const types: Contract['streamedTypes'] = streamedTypes ?? { json: 'application/json' };
  const type = types[String(format)] ?? Object.values(types)[0]!;
  reply.type(type === 'application/x-tar' ? type : `${type}; charset=utf-8`);
  return Readable.from(answer);
}

/**
 * Checks the fields of a request. Unknown ones are named in a header of the answer, or refused: on
 * the operator's interface, and where the client asks for it by `Prefer: handling=strict`.
 */
function checkFields(
  { access, stream }: Contract,
  check: Check,
  { params: path, query, body: sent, headers }: FastifyRequest,
  reply: FastifyReply,
): Checked {
  const isRequested = prefersStrict(headers.prefer);
  if (isRequested) reply.header('preference-applied', 'handling=strict');
  const body = stream === undefined ? sent : undefined;
  const checked = check.run({ path, query, body }, isRequested || access === 'operator');
  if (checked.ignored.length > 0) reply.header('vitrine-ignored', checked.ignored.join(', '));
  return checked;
}

/** Whether the first `handling` of a header `Prefer` (RFC 7240) is strict. */
function prefersStrict(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  const preference = /(?:^|,)\s*handling\s*=\s*"?(\w+)"?\s*(?=[,;]|$)/i.exec(String(header));
  return preference?.[1]?.toLowerCase() === 'strict';
}

/** Looks up the channel of a request; waits only if there is something to wait for. */
function channelFailures(
  contract: Contract,
  check: Check,
  { input, canCheck }: Checked,
  { findChannel }: Entrance,
  request: FastifyRequest,
): Failure[] | Promise<Failure[]> {
  if (contract.channel !== true || findChannel === undefined || !canCheck(channelRule)) return [];
  const found = findChannel(request, input.channelId as string, input.merchantId as string);
  const failuresOf = (text: string | undefined) => check.place(channelRule, text);
  return found instanceof Promise ? found.then(failuresOf) : failuresOf(found);
}

const channelRule = { at: 'merchantId', reads: ['channelId'] };

function readsChannel({ at, reads = [] }: RuleFields): boolean {
  return [at, ...reads].some((path) => path === 'channelId' || path === 'merchantId');
}

type AnyRecordRule = RecordRule<unknown, object>;

/** Makes the check of the rules that need records; it waits only if one of them does. */
function recordsCheck(check: Check, rules: readonly AnyRecordRule[]) {
  return (
    input: unknown,
    contextOf: () => object,
    canCheck: (rule: AnyRecordRule) => boolean,
  ): Failure[] | Promise<Failure[]> => {
    const checkable = rules.filter(canCheck);
    if (checkable.length === 0) return [];
    const context = contextOf();
    const results = checkable.map((rule) => rule.check(input, context));
    const place = (found: readonly RuleFailures[]) =>
      checkable.flatMap((rule, index) => check.place(rule, found[index]));
    return results.some((one) => one instanceof Promise)
      ? Promise.all(results).then(place)
      : place(results as RuleFailures[]);
  };
}

/** Refuses a request that breaks rules which need records; waits only if one of them does. */
function refuseBroken(
  checkRecords: ReturnType<typeof recordsCheck>,
  { input, canCheck }: Checked,
  context: object,
): void | Promise<void> {
  const check = (isHandled: boolean) =>
    checkRecords(
      input,
      () => context,
      (rule) => (rule.isHandled === true) === isHandled && canCheck(rule),
    );
  const refuse = async (broken: readonly Failure[]) => {
    throw new Refusal(400, sayFailures([...broken, ...(await check(true))]));
  };
  const found = check(false);
  if (found instanceof Promise)
    return found.then((broken) => (broken.length > 0 ? refuse(broken) : undefined));
  return found.length > 0 ? refuse(found) : undefined;
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
  const { method, url, headers, caller } = request;
  const header = headers['idempotency-key'] as string | undefined;
  // A small key never gets the answer to another key of its user, which may hold more.
  const named = header && caller?.rights.isSmall ? `${caller.keyId} ${header}` : header;
  const { answer, isReplayed } = await idempotency.run(
    {
      key: named,
      owner: ownerOf(request),
      method,
      url,
      input,
    },
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
