/** Answers to requests that no route takes. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './errors.ts';

/** The methods of each path that has routes. */
export type KnownPaths = Map<string, Set<string>>;

/** Collects the paths of the routes that are added afterwards. */
export function collectPaths(server: FastifyInstance): KnownPaths {
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

/**
 * Refuses a request without a route before its body is read: 405 if another method has one, else
 * 404. `consume` counts it for its key, if it has a valid one, and throws to refuse it. `isHidden`
 * says which requests are refused as if there were nothing at their path.
 */
export function refuseUnrouted(
  server: FastifyInstance,
  methodsByPath: KnownPaths,
  consume: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  isHidden: (request: FastifyRequest) => boolean,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    const hidden = isHidden(request);
    if (!request.is404 && !hidden) return done();
    const methods = hidden ? [] : methodsOf(request.url, methodsByPath);
    consume(request, reply).then(() => refuse(request, reply, methods), done);
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply, methods: readonly string[]): void {
  if (methods.length === 0 || methods.includes(request.method)) {
    reply.code(404).send(errorBody('there is nothing at this path'));
    return;
  }
  const allow = methods.join(', ');
  reply
    .code(405)
    .header('allow', allow)
    .send(errorBody(`this path is known by another method: ${allow}`));
}

/** The methods of every known path that a URL fits, in order. */
function methodsOf(url: string, methodsByPath: KnownPaths): string[] {
  const segments = url.split('?', 1)[0]!.split('/');
  const methods = new Set<string>();
  for (const [path, known] of methodsByPath) {
    const parts = path.split('/');
    const fits =
      parts.length === segments.length &&
      parts.every(
        (part, index) => part === segments[index] || (part === ':' && segments[index] !== ''),
      );
    if (fits) for (const method of known) methods.add(method);
  }
  return [...methods].sort();
}
