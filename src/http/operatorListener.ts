/** The listener of operators, where `/operator` has an address of its own. */
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ListeningAddress } from '../config.ts';
import { closingMilliseconds } from './closing.ts';
import type { Connections } from './connections.ts';
import { makeListener } from './listener.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Listens at an address that alone answers `/operator` from now on; returns its URL. */
    listenForOperators(address: ListeningAddress): Promise<string>;
  }
}

const idleCheckMilliseconds = 50;
const operatorPath = /^\/operator(?:[/?]|$)/;

/**
 * Lets the server listen at an address for operators too, and close that listener first. Returns
 * the check whether a request for a path of operators came to another address.
 */
export function addOperatorListener(
  server: FastifyInstance,
  connections: Connections,
): (request: FastifyRequest) => boolean {
  const ofOperators = new WeakSet<IncomingMessage>();
  let isSeparate = false;
  const listener = makeListener(connections)((request, response) => {
    ofOperators.add(request);
    server.routing(request, response);
  });
  server.decorate('listenForOperators', (address: ListeningAddress) => {
    isSeparate = true;
    return listen(listener, address);
  });
  server.addHook('preClose', () => close(listener));
  return ({ routeOptions, url, raw }) =>
    isSeparate && operatorPath.test(routeOptions.url ?? url) && !ofOperators.has(raw);
}

async function listen(listener: Server, { host, port }: ListeningAddress): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  listener.once('error', reject).listen({ host, port }, resolve);
  await promise;
  listener.off('error', reject);
  const { port: actual } = listener.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
}

/** Ends requests and their connections as the server does. */
async function close(listener: Server): Promise<void> {
  if (!listener.listening) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  listener.close(() => resolve());
  const idle = setInterval(() => listener.closeIdleConnections(), idleCheckMilliseconds);
  const late = setTimeout(() => listener.closeAllConnections(), closingMilliseconds);
  await promise;
  clearInterval(idle);
  clearTimeout(late);
}
