/** The door of assistants: the Model Context Protocol at `/mcp`, by the keys of the public API. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseForeignOrigin } from '../access/origin.ts';
import type { Api } from '../assistant/api.ts';
import type { Contract } from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import { NoAnswer } from '../contract/shapes.ts';
import { type Clock, rest } from '../engine/clock.ts';
import type { Entrance } from './entrance.ts';
import { loggedError } from './errors.ts';
import { askOwnApi } from './ownApi.ts';
import { disconnected } from './publicEntrance.ts';
import { admission } from './route.ts';

/** The path of the protocol. */
export const assistantPath = '/mcp';

/** The largest message: the longest list of a call fits. */
const messageBytesMax = 131_072;

/** The entrance judges a message by this, and the calls of its tools by their own contracts. */
const message: Contract = {
  operation: 'sendAssistantMessage',
  access: 'key',
  method: 'POST',
  path: assistantPath,
  summary: 'Send a message of the Model Context Protocol',
  description: 'A tool makes calls of the public API with the key of the message.',
  personal: true,
  needs: 'nothing',
  answer: NoAnswer,
};

/** The services that the door needs. */
export type AssistantServices = {
  /** The entrance of requests with an API key. */
  readonly entrance: Entrance;
  readonly publicUrl: string;
  readonly now: () => number;
  readonly after: Clock['after'];
};

/**
 * Adds the route. A message consumes from the short rate limit of its key; each call of a tool is a
 * request of its own to the public API, made in this process.
 */
export function addAssistant(server: FastifyInstance, services: AssistantServices): void {
  const { entrance, publicUrl } = services;
  server.route({
    // The protocol answers GET and DELETE with 405: it keeps no sessions.
    method: ['GET', 'POST', 'DELETE'],
    url: assistantPath,
    bodyLimit: messageBytesMax,
    config: { cors: false },
    onRequest: admission(async (request, reply) => {
      refuseForeignOrigin(request.headers, publicUrl);
      adoptBearer(request);
      await entrance.admit?.(request, reply, message);
    }),
    async handler(request, reply) {
      if (Array.isArray(request.body)) throw new Refusal(400, 'send one message at a time');
      // Only the calls of tools count for the day.
      await entrance.refund?.(request, reply);
      // Loaded with the first message: most services have none.
      const { answerMessage } = await import('../assistant/assistant.ts');
      const answer = await answerMessage(
        apiOf(server, services, request, reply),
        requestOf(request, reply, publicUrl),
        request.body,
      );
      for (const name of ['content-type', 'allow']) {
        const value = answer.headers.get(name);
        if (value !== null) reply.header(name, value);
      }
      reply.code(answer.status);
      return Buffer.from(await answer.arrayBuffer());
    },
  });
}

/** Some clients can send a key only as a bearer token. */
function adoptBearer({ headers }: FastifyRequest): void {
  const [, token] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (token !== undefined) headers['x-api-key'] ??= token;
}

/** The public API in this process, with the key of a message. */
function apiOf(
  server: FastifyInstance,
  { now, after }: AssistantServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Api {
  const key = String(request.headers['x-api-key']);
  return {
    send: ({ headers, ...call }) =>
      askOwnApi(
        server,
        { ...call, headers: { ...headers, 'x-request-id': request.id } },
        { key, remoteAddress: request.ip, signal: disconnected(reply) },
      ),
    pause: (milliseconds) => rest({ now, after }, milliseconds, disconnected(reply)),
    now,
    report: (error) => request.log.error({ error: loggedError(error) }, 'a tool failed'),
  };
}

/** The message as the library takes it, without the key. */
function requestOf(request: FastifyRequest, reply: FastifyReply, publicUrl: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (name.startsWith('mcp-') || ['accept', 'content-type'].includes(name))
      headers.set(name, String(value));
  return new Request(new URL(assistantPath, publicUrl), {
    method: request.method,
    headers,
    signal: disconnected(reply),
  });
}
