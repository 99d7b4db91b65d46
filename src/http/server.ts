/** The HTTP server, apart from listening. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import writerOf from 'fast-json-stringify';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { createCallers } from '../access/callers.ts';
import { createChannelLookup } from '../access/channels.ts';
import { createIdempotency, type Idempotency } from '../access/idempotency.ts';
import { createRateLimits } from '../access/rateLimits.ts';
import { createSeal } from '../access/secret.ts';
import { createUsage, type Usage } from '../access/usage.ts';
import type { Config } from '../config.ts';
import type { Contract } from '../contract/endpoint.ts';
import { describeContracts, publicIntroduction } from '../contract/openapi.ts';
import { readExampleAnswers } from '../endpoints/exampleAnswers.ts';
import type { Endpoint } from '../endpoints/handler.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Registry } from '../engine/registry.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import type { FileStore } from '../files/store.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { createReportLinks } from '../report/reportLinks.ts';
import { addDownloads } from './downloads.ts';
import { answerToError, errorBody, loggedError } from './errors.ts';
import { addPages } from './pages.ts';
import { addEndpoint } from './route.ts';

/** The largest body of the public interface. */
export const bodyBytesMax = 1_048_576;

// Importing it would load all that it offers, clients among it, at every start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

const pathParameterLengthMax = 300;
const readyMilliseconds = 2_000;
const idleCheckMilliseconds = 50;
// Smaller answers fit into a few packets and are not worth the work.
const compressedBytesMin = 2_048;
// What pages of others may read of an answer besides its body: ids and budgets, and of a file of a report its name and its parts.
const exposedHeaders = [
  'x-request-id',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'idempotency-replayed',
  'content-disposition',
  'content-range',
  'accept-ranges',
];

// Answers are data and never pages: nothing may be loaded by them, nothing may frame them. Written out because helmet would put the
// same text together for every answer; what speaks of documents alone is left out for the same reason.
const contentPolicy = "default-src 'none'; frame-ancestors 'none'";
const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: false,
  // Pages of others may read the answers, as Access-Control-Allow-Origin says.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** What the server is built from. */
export type Parts = {
  readonly config: Pick<
    Config,
    | 'secret'
    | 'environment'
    | 'operatorToken'
    | 'publicUrl'
    | 'contact'
    | 'trustedProxies'
    | 'host'
    | 'dataFolder'
  >;
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  /** Where the requests of keys are counted against their limits. */
  readonly budgets: Budgets;
  /** Where endpoints add what takes longer than an answer may. */
  readonly jobs: JobQueue;
  /** Where the files of reports lie. */
  readonly files: FileStore;
  readonly endpoints: readonly Endpoint[];
  /** Adds the operator's routes, within a server of their own whose hooks and parsers concern nobody else. */
  readonly operator?: (server: FastifyInstance, context: OperatorParts) => void;
  /** Adds what the account pages ask for, within a server of their own as well. */
  readonly account?: (server: FastifyInstance, context: AccountParts) => Promise<void>;
  /** In epoch milliseconds; the clock of the system by default. */
  readonly now?: () => number;
  /** Where the log goes and how much of it; standard output and `info` by default. */
  readonly log?: { readonly level?: string; readonly stream?: { write(line: string): void } };
};

/** What the operator's routes work with. */
export type OperatorParts = Pick<Parts, 'config' | 'registry' | 'warehouse' | 'budgets'> & {
  readonly now: () => number;
  readonly once: Idempotency;
  /** Writes what has been counted of the use of keys, so that it can be read. */
  readonly writeUsage: () => Promise<void>;
  /** Makes this node forget callers and channels that it remembers; to be called after every change of a record. */
  readonly forget: () => void;
};

/** What the routes of the account pages work with. */
export type AccountParts = Pick<Parts, 'config' | 'registry' | 'budgets'> & {
  readonly now: () => number;
  readonly once: Idempotency;
  readonly usage: Pick<Usage, 'write' | 'usedOn'>;
  /** The operations of the public interface, whose use is shown. */
  readonly contracts: readonly Contract[];
};

/** Builds the server; it answers `inject` at once and listens when it is told to. The stores stay open when it closes. */
export async function buildServer(parts: Parts): Promise<FastifyInstance> {
  const { config, registry, warehouse, budgets, jobs, files, now = Date.now } = parts;
  const server = Fastify({
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: pathParameterLengthMax },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Nobody else is believed whom a request comes from.
    trustProxy: config.trustedProxies.length > 0 && [...config.trustedProxies],
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestIds(config),
    logger: {
      level: parts.log?.level ?? 'info',
      ...(parts.log?.stream && { stream: parts.log.stream }),
      // Only what is named here is ever written of a request; addresses, headers and bodies are not.
      serializers: { req: () => ({}), res: () => ({}), err: (error) => loggedError(error) },
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'x-request-id': request.id, 'access-control-allow-origin': '*' });
      return sendError(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
    // Contracts are checked by a check of their own; what would compile schemas by default need not be loaded.
    schemaController: {
      compilersFactory: {
        buildValidator: () => refuseToValidate,
        buildSerializer: () => lazyWriter,
      },
    },
  });
  server.decorateRequest('caller', null);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('content-security-policy', contentPolicy);
    done();
  });
  const usage = createUsage(registry, now, (error) =>
    server.log.error({ error: loggedError(error) }, 'the usage of keys could not be written'),
  );
  server.addHook('onClose', () => usage.close());
  server.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply);
    const { operation } = request.routeOptions.config;
    if (request.caller !== null && operation !== undefined) {
      const { keyId } = request.caller;
      usage.note({
        keyId,
        operation,
        status: reply.statusCode,
        milliseconds: reply.elapsedTime,
        requestId: request.id,
      });
    }
    done();
  });
  server.setErrorHandler(sendError);
  readJsonOnly(server);
  const methodsByPath = collectPaths(server);

  await server.register(cors, {
    origin: '*',
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'content-type',
      'x-api-key',
      'authorization',
      'x-request-id',
      'idempotency-key',
    ],
    exposedHeaders,
    maxAge: 86_400,
  });
  await server.register(helmet, securityHeaders);
  // Bodies are never unpacked here: imports unpack theirs with their own limits.
  await server.register(compress, {
    encodings: ['gzip'],
    threshold: compressedBytesMin,
    globalDecompression: false,
  });
  // After the others, whose headers belong on its answers too.
  refuseUnrouted(server, methodsByPath);

  const callers = createCallers(registry, config.secret, now);
  const scope = createChannelLookup(registry, now);
  const limits = createRateLimits(budgets, usage.usedOn, now);
  const once = createIdempotency(registry, config.secret, now);
  closeIdleWhileClosing(server);

  addHealth(server, registry, warehouse);
  const contracts = parts.endpoints.map((endpoint) => endpoint.contract);
  addDescription(server, '/openapi.json', () => ({
    ...describeContracts(contracts, publicIntroduction, readExampleAnswers()),
    servers: [{ url: config.publicUrl }],
  }));
  const reportLinks = createReportLinks(config.secret, config.publicUrl, now);
  const seal = (use: string) => createSeal(config.secret, use);
  const context = {
    registry,
    warehouse,
    jobs,
    reportLinks,
    callers,
    scope,
    limits,
    once,
    seal,
    now,
  };
  for (const endpoint of parts.endpoints) addEndpoint(server, endpoint, context);
  addDownloads(server, { registry, jobs, files, budgets, reportLinks });
  addPages(server);
  const { operator, account } = parts;
  if (account !== undefined) {
    await server.register((own) =>
      account(own, { config, registry, budgets, now, once, usage, contracts }),
    );
  }
  if (operator !== undefined) {
    const forget = () => {
      callers.invalidate();
      scope.invalidate();
    };
    await server.register(async (own) =>
      operator(own, {
        config,
        registry,
        warehouse,
        budgets,
        now,
        once,
        writeUsage: usage.write,
        forget,
      }),
    );
  }
  await server.ready();
  return server;
}

/** A writer is made when its operation first answers: making all of them would take a good part of a start. */
function lazyWriter({ schema }: { schema?: unknown }): (answer: unknown) => string {
  let write: ((answer: unknown) => string) | undefined;
  return (answer) => {
    write ??= writerOf(schema as Parameters<typeof writerOf>[0]);
    return write(answer);
  };
}

function refuseToValidate(): never {
  throw new Error('requests are checked against their contracts, not by the server');
}

/** A connection whose last answer goes out after the closing has begun would else be kept for its client until that leaves. */
function closeIdleWhileClosing(server: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined;
  server.addHook('preClose', (done) => {
    timer = setInterval(() => server.server.closeIdleConnections(), idleCheckMilliseconds);
    done();
  });
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer);
    done();
  });
}

/** Serves a description, which is written when it is first asked for. */
export function addDescription(
  server: FastifyInstance,
  path: string,
  describe: () => object,
): void {
  let text: string | undefined;
  server.get(path, (_request, reply) => {
    text ??= JSON.stringify(describe());
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

/** Takes the client's own id over where it is one, and none of what must not be written down. */
function requestIds({
  operatorToken,
  secret,
}: Parts['config']): (request: { headers: NodeJS.Dict<string | string[]> }) => string {
  return ({ headers: { 'x-request-id': given } }) => {
    const isId = typeof given === 'string' && /^[A-Za-z0-9_.-]{8,64}$/.test(given);
    const isSecret = isId && [operatorToken, secret, 'vit_'].some((text) => given.includes(text));
    return isId && !isSecret ? given : randomUUID();
  };
}

/** One line per answer, with the route's pattern instead of the path, because paths and queries may name people. */
function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? '',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.caller && { keyId: request.caller.keyId }),
    },
    'answered',
  );
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, text, headers, isOurs } = answerToError(error);
  if (isOurs) {
    const { headers: sent, params, query, body } = request;
    request.log.error({ error: loggedError(error, [sent, params, query, body]) }, 'failed');
  }
  return reply
    .code(status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(text)));
}

/** Answers what is no HTTP, on the bare socket because there is no request yet. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 431
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 408
        : 400;
  const body = JSON.stringify(errorBody('the request cannot be read'));
  const headers = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'access-control-allow-origin: *',
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ];
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`,
  );
}

function readJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      done(null, JSON.parse(body as string));
    } catch {
      // The parser's own words repeat parts of the body.
      done(
        Object.assign(new Error('the body is not valid JSON'), {
          code: 'BODY_NOT_JSON',
          statusCode: 400,
        }),
      );
    }
  });
}

function addHealth(server: FastifyInstance, registry: Registry, warehouse: Warehouse): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const silent = (
      await Promise.all([answers('registry', registry), answers('warehouse', warehouse)])
    ).filter((name) => name !== undefined);
    if (silent.length === 0) return { status: 'ok' };
    return reply.code(503).send(errorBody(`no answer from: ${silent.join(', ')}`));
  });
}

/** The store's name where it does not answer in time. */
async function answers(
  name: string,
  store: { ping(): Promise<void> },
): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(name), readyMilliseconds);
  try {
    return await Promise.race([
      store.ping().then(
        () => undefined,
        () => name,
      ),
      late.promise,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** The paths that are known, and by which methods. */
type KnownPaths = Map<string, Set<string>>;

function collectPaths(server: FastifyInstance): KnownPaths {
  const methodsByPath: KnownPaths = new Map();
  server.addHook('onRoute', ({ method, url }) => {
    if (url === '*') return;
    // Two methods of one path may name its parameters differently.
    const path = url.replaceAll(/:\w+/g, ':');
    const methods = methodsByPath.get(path) ?? new Set<string>(['OPTIONS']);
    methodsByPath.set(path, methods);
    for (const one of [method].flat()) methods.add(one);
  });
  return methodsByPath;
}

/** Refuses what no route takes before its body is read; a path that is known by another method says which. */
function refuseUnrouted(server: FastifyInstance, methodsByPath: KnownPaths): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const methods = methodsOf(request.url, methodsByPath);
    if (methods.length === 0 || methods.includes(request.method)) {
      reply.code(404).send(errorBody('there is nothing at this path'));
      return;
    }
    const allow = methods.join(', ');
    reply
      .code(405)
      .header('allow', allow)
      .send(errorBody(`this path is known by another method: ${allow}`));
  });
}

/** The methods of every known path that an address fits, in order. */
function methodsOf(url: string, methodsByPath: KnownPaths): string[] {
  const segments = url.split('?', 1)[0]!.split('/');
  const methods = new Set<string>();
  for (const [path, known] of methodsByPath) {
    const parts = path.split('/');
    const fits =
      parts.length === segments.length &&
      parts.every(
        (part, place) => part === segments[place] || (part === ':' && segments[place] !== ''),
      );
    if (fits) for (const method of known) methods.add(method);
  }
  return [...methods].sort();
}
