/** The HTTP server. */

import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { type CountFailure, countFailures } from '../access/attempts.ts';
import { type Callers, createCallers } from '../access/callers.ts';
import { createChannelLookup } from '../access/channels.ts';
import { createIdempotency } from '../access/idempotency.ts';
import { refuseForeign } from '../access/origin.ts';
import { createRateLimits, type RateLimits } from '../access/rateLimits.ts';
import { createRefusedAttempts, type RefusedAttempts } from '../access/refusedAttempts.ts';
import { createHashing } from '../access/secret.ts';
import { sessionPrefix } from '../access/sessions.ts';
import { createUsage, type Usage } from '../access/usage.ts';
import { defaultLimits, type Limits } from '../config.ts';
import type { Contract } from '../contract/endpoint.ts';
import { operatorIntroduction, publicIntroduction } from '../contract/introductions.ts';
import { describeContracts } from '../contract/openapi.ts';
import { Refusal } from '../contract/refusal.ts';
import { readExampleAnswers } from '../endpoints/exampleAnswers.ts';
import type { AnyEndpoint, ServiceConfig } from '../endpoints/handler.ts';
import type { Budgets } from '../engine/budgets.ts';
import { type Clock, systemClock } from '../engine/clock.ts';
import type { Registry } from '../engine/registry.ts';
import { openSegments } from '../engine/segments/router.ts';
import { countStoreError } from '../engine/storeErrors.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import { cached, WorkingSet } from '../engine/workingSet.ts';
import type { FileStore } from '../files/store.ts';
import type { Importer } from '../import/importer.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { type Meter, silentMeter } from '../observation/meter.ts';
import { silentTracer, type Tracer } from '../observation/tracer.ts';
import { createReportLinks } from '../report/reportLinks.ts';
import { createMailLinks } from '../schedules/mailLinks.ts';
import { boundAnswers } from './answers.ts';
import { answerWriter } from './answerWriter.ts';
import { addAssistant } from './assistant.ts';
import { acceptJson, acceptStreams, accountBodyBytesMax, bodyBytesMax } from './bodies.ts';
import { type AnswerBroken, brokenRequestAnswer } from './brokenRequests.ts';
import { CachedAnswers } from './cachedAnswers.ts';
import { closeInTime } from './closing.ts';
import { Connections } from './connections.ts';
import { type CountRequest, countKeyed, countRequests } from './counting.ts';
import { addDescription } from './descriptions.ts';
import { addDownloads } from './downloads.ts';
import { packedBytesMin } from './encodings.ts';
import type { Entrance } from './entrance.ts';
import { createEntrances } from './entrances.ts';
import { answerToError, errorBody, loggedError, shownReason } from './errors.ts';
import { allowedHeaders, answerHeaders, exposedHeaders } from './headers.ts';
import { addHealth } from './health.ts';
import { requireOneHost } from './hosts.ts';
import { makeListener } from './listener.ts';
import type { LogSink } from './log.ts';
import { addMailPages } from './mailPages.ts';
import { createMeasure, type Measure, traceRequests } from './measuring.ts';
import { addOperatorListener } from './operatorListener.ts';
import { addPages } from './pages.ts';
import { Readiness } from './readiness.ts';
import { requestIds } from './requestIds.ts';
import { addRoute, admission, type RouteServices } from './route.ts';
import { scheduledApi } from './scheduled.ts';
import { takeTurns } from './strangers.ts';
import { collectPaths, refuseUnrouted } from './unrouted.ts';

const pathParameterLengthMax = 300;
const bytesPerMegabyte = 1_000_000;
/** The parts that a server is built from. */
export type ServerDependencies = {
  readonly config: ServiceConfig;
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  /** Counts the requests of keys against their rate limits. */
  readonly budgets: Budgets;
  readonly importer: Importer;
  readonly jobs: JobQueue;
  /** Holds the files of reports. */
  readonly files: FileStore;
  readonly endpoints: readonly AnyEndpoint[];
  /** The clock, in epoch milliseconds; that of the system by default. */
  readonly now?: () => number;
  /** Calls back after a time; the timers of the system by default. */
  readonly after?: Clock['after'];
  readonly limits?: Limits;
  /** Aborted when the service begins to stop; never by default. */
  readonly stopping?: AbortSignal;
  readonly log?: LogSink;
  /** Counts what happens; nothing by default. */
  readonly meter?: Meter;
  /** Gets a span of each request; none by default. */
  readonly tracer?: Tracer;
  /** Whether published exchange rates are there, without which the service is not ready. */
  readonly hasRates?: () => Promise<boolean>;
};

/** Builds the server; it answers `inject` at once. The stores stay open when it closes. */
export async function buildServer(dependencies: ServerDependencies): Promise<FastifyInstance> {
  const { config, registry, warehouse, budgets } = dependencies;
  const { now = systemClock.now, after = systemClock.after, limits = defaultLimits } = dependencies;
  const answerBroken = brokenRequestAnswer(config.origins === undefined);
  const connections = new Connections(limits, config.trustedProxies, answerBroken, after);
  const { meter = silentMeter } = dependencies;
  const measure = createMeasure(meter);
  const server = Fastify(serverOptions(dependencies, connections, measure, answerBroken));
  meter.gauge('vitrine_http_connections', () => [[{}, connections.count]]);
  server.decorateRequest('caller', null);
  server.decorateRequest('refund', null);
  server.decorateRequest('isRefunded', false);
  server.decorateRequest('reason', null);
  traceRequests(server, dependencies.tracer ?? silentTracer);
  server.addHook('onRequest', (request, reply, done) => {
    measure(request, reply);
    reply.headers(answerHeaders).header('x-request-id', request.id);
    done();
  });
  takeTurns(server);
  boundAnswers(server, limits.answerMegabytes * bytesPerMegabyte);
  const usage = createUsage(registry, { now, after }, (error) =>
    server.log.error({ error }, 'the usage of keys could not be written'),
  );
  const refusedAttempts = createRefusedAttempts(registry, { now, after }, (error) =>
    server.log.error({ error }, 'refused attempts could not be written'),
  );
  server.addHook('onClose', () => Promise.all([usage.close(), refusedAttempts.close()]));
  noteAnswers(server, usage);
  server.setErrorHandler((error, request, reply) => {
    countStoreError(meter, error);
    return sendError(error, request, reply);
  });
  acceptJson(server, limits.bodyMegabytes * bytesPerMegabyte);
  const methodsByPath = collectPaths(server);
  await addPlugins(server, config);
  requireOneHost(server);
  // After the plugins, whose headers belong on its answers too.
  const callers = createCallers(registry, config.secret, now);
  const rateLimits = createRateLimits(budgets, usage.usedOn, now);
  const hashOf = createHashing(config.secret, 'attempts');
  const countFailure = countFailures({ budgets, hashOf }, now);
  const countRequest = countRequests(callers, rateLimits, countFailure);
  server.decorate('askAs', scheduledApi(server, callers, registry, now));
  const isHidden = addOperatorListener(server, connections);
  refuseUnrouted(server, methodsByPath, countKeyed(countRequest), isHidden);
  closeInTime(server, connections, after);
  const { hasRates, stopping = new AbortController().signal } = dependencies;
  stopping.addEventListener('abort', () => connections.drain());
  const parts = {
    registry,
    warehouse,
    dataFolder: config.dataFolder,
    freeMegabytes: limits.freeMegabytes,
    stopping,
    after,
    log: server.log,
    ...(hasRates && { hasRates }),
  };
  addHealth(server, new Readiness(parts, meter));
  const made = { usage, refusedAttempts, callers, rateLimits, countRequest, countFailure };
  await addRoutes(server, { ...dependencies, now, after, limits, connections, meter, ...made });
  addPages(server, dependencies.config.publicUrl);
  await server.ready();
  return server;
}

function serverOptions(
  { config, log }: ServerDependencies,
  connections: Connections,
  measure: Measure,
  clientErrorHandler: AnswerBroken,
): FastifyServerOptions {
  return {
    bodyLimit: bodyBytesMax,
    serverFactory: makeListener(connections),
    routerOptions: { maxParamLength: pathParameterLengthMax },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Only these proxies are believed when they name the address of a client.
    trustProxy: config.trustedProxies.length > 0 && [...config.trustedProxies],
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestIds(config),
    logger: {
      level: log?.level ?? 'info',
      ...(log?.stream && { stream: log.stream }),
      // Addresses, headers and bodies of requests are never logged.
      serializers: {
        req: () => ({}),
        res: () => ({}),
        err: (error) => ({ ...loggedError(error) }),
        error: (error) => loggedError(error),
      },
    },
    // Hooks do not run for these.
    frameworkErrors: (error, request, reply) => {
      measure(request, reply);
      reply.headers(answerHeaders).header('x-request-id', request.id);
      if (config.origins === undefined) reply.header('access-control-allow-origin', '*');
      return sendError(error, request, reply);
    },
    clientErrorHandler,
    // Contracts have their own check, so the schema compilers of the framework need not be loaded.
    schemaController: {
      compilersFactory: {
        buildValidator: () => refuseToValidate,
        buildSerializer: () => answerWriter,
      },
    },
  };
}

/** The key of a request; undefined for one without a key, such as one of the console. */
function keyOf({ caller }: FastifyRequest): string | undefined {
  return caller?.keyId.startsWith(sessionPrefix) ? undefined : caller?.keyId;
}

/** Logs each answer, and counts it for its key. */
function noteAnswers(server: FastifyInstance, usage: Usage): void {
  server.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply);
    const { operation } = request.routeOptions.config;
    // A request for an answer that the client already has does not count for the day.
    const keyId = keyOf(request);
    if (keyId !== undefined && operation !== undefined && !request.isRefunded) {
      usage.note({
        keyId,
        operation,
        status: reply.statusCode,
        reason: request.reason,
        milliseconds: reply.elapsedTime,
        requestId: request.id,
      });
    }
    done();
  });
}

async function addPlugins(server: FastifyInstance, { origins }: ServiceConfig): Promise<void> {
  await server.register(cors, {
    origin: origins === undefined ? '*' : [...origins],
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders,
    exposedHeaders,
    maxAge: 86_400,
  });
  // Bodies are never decompressed here: imports decompress theirs with their own limits.
  await server.register(compress, {
    encodings: ['gzip'],
    threshold: packedBytesMin,
    globalDecompression: false,
  });
}

/** The dependencies of the routes: those of the server, and more. */
type RouteDependencies = ServerDependencies & {
  readonly now: () => number;
  readonly after: Clock['after'];
  readonly limits: Limits;
  readonly meter: Meter;
  readonly connections: Connections;
  readonly usage: Usage;
  readonly refusedAttempts: RefusedAttempts;
  readonly callers: Callers;
  readonly rateLimits: RateLimits;
  readonly countRequest: CountRequest;
  readonly countFailure: CountFailure;
};

/** Adds the routes of all endpoints, their descriptions and the downloads of reports. */
async function addRoutes(server: FastifyInstance, dependencies: RouteDependencies): Promise<void> {
  const { config, registry, warehouse, budgets, jobs, files } = dependencies;
  const { endpoints, connections, limits, now, meter } = dependencies;
  const contractsOf = (access: Contract['access']) =>
    endpoints.map(({ contract }) => contract).filter((contract) => contract.access === access);
  addDescription(server, '/openapi.json', config, () =>
    describeContracts(contractsOf('key'), publicIntroduction, readExampleAnswers()),
  );
  addDescription(server, '/operator/openapi.json', config, () =>
    describeContracts(contractsOf('operator'), operatorIntroduction),
  );
  const memoryMax = (limits.workingSetMegabytes * bytesPerMegabyte) / 2;
  const workingSet = new WorkingSet(memoryMax, meter);
  const segments = openSegments(config.dataFolder, limits.segmentsMegabytes, memoryMax, meter);
  server.addHook('onClose', () => segments.settle());
  const reportLinks = createReportLinks(config.secret, config.publicUrl, now);
  const entrances = createEntrances({
    ...dependencies,
    warehouse: cached(warehouse, workingSet, segments),
    reportLinks,
    channels: createChannelLookup(registry, now),
    contracts: contractsOf('key'),
  });
  const services = {
    registry,
    idempotency: createIdempotency(registry, config.secret, now, limits.organisationAnswers),
    cachedAnswers: new CachedAnswers(warehouse, workingSet),
    pace: connections.pace.bind(connections),
  };
  const isOfAccount = ({ contract }: AnyEndpoint) =>
    contract.access === 'session' || contract.access === 'open';
  const { publicUrl } = config;
  addAssistant(server, { entrance: entrances.key, publicUrl, now, after: dependencies.after });
  for (const endpoint of endpoints.filter((one) => !isOfAccount(one)))
    await addEndpoint(server, endpoint, entrances[endpoint.contract.access], services);
  await server.register(async (own) => {
    await protectAccount(own, config);
    for (const endpoint of endpoints.filter(isOfAccount))
      await addEndpoint(own, endpoint, entrances[endpoint.contract.access], services);
    await own.register(
      async (data) => {
        data.addHook('onRoute', (route) => {
          route.bodyLimit = bodyBytesMax;
        });
        for (const endpoint of endpoints.filter(({ contract }) => contract.access === 'key'))
          addRoute(data, endpoint, entrances.console, services);
      },
      { prefix: '/account/data' },
    );
  });
  const links = createMailLinks(config.secret, publicUrl, now);
  await addMailPages(server, { registry, links, now });
  addDownloads(server, { registry, jobs, files, budgets, reportLinks, limits, now });
}

/** Adds the route of an endpoint; one with a streamed body gets its own parser of bodies. */
async function addEndpoint(
  server: FastifyInstance,
  endpoint: AnyEndpoint,
  entrance: Entrance,
  services: RouteServices & { readonly pace: Connections['pace'] },
): Promise<void> {
  if (endpoint.contract.stream === undefined) return addRoute(server, endpoint, entrance, services);
  await server.register(async (own) => {
    acceptStreams(own, services.pace);
    addRoute(own, endpoint, entrance, services);
  });
}

/** Protects the interface of the account pages, which only these pages may use. */
async function protectAccount(
  server: FastifyInstance,
  { publicUrl }: ServiceConfig,
): Promise<void> {
  await server.register(cookie);
  server.addHook('onRoute', (route) => {
    route.config = { ...route.config, cors: false };
    route.bodyLimit = accountBodyBytesMax;
  });
  server.addHook(
    'onRequest',
    admission((request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' });
      refuseForeign(request.method, request.headers, publicUrl);
    }),
  );
  server.options('/account/*', () => {
    throw new Refusal(404, 'there is nothing at this path');
  });
}

function refuseToValidate(): never {
  throw new Error('requests are checked against their contracts, not by the server');
}

/** Logs the pattern of the route instead of the path, because paths and queries may name people. */
function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? '',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      keyId: keyOf(request),
    },
    'answered',
  );
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, text, headers, detail, isOurs } = answerToError(error);
  const { headers: sent, params, query, body } = request;
  if (request.caller !== null) request.reason = shownReason(text, [params, query, body]);
  if (isOurs)
    request.log.error({ error: loggedError(error, [sent, params, query, body]) }, 'failed');
  return reply
    .code(status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ ...detail, ...errorBody(text) }));
}
