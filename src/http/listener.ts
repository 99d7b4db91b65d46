/** The HTTP server below the framework. */
import type { RequestListener, Server } from 'node:http';
import type { Connections } from './connections.ts';

// An import would load everything it exports, clients included, at each start.
const { createServer } = process.getBuiltinModule('node:http');

/** Longer than the timeout of common load balancers, so that they close idle connections first. */
const keepAliveMilliseconds = 72_000;

/** Makes servers whose connections are guarded. */
export function makeListener(connections: Connections): (handle: RequestListener) => Server {
  return (handle) => {
    const server = createServer(
      {
        // `connections` enforces the deadlines of requests.
        headersTimeout: 0,
        requestTimeout: 0,
        keepAliveTimeout: keepAliveMilliseconds,
        // Checked with the answer that every error gets.
        requireHostHeader: false,
      },
      connections.inTurn(handle),
    );
    connections.guard(server);
    return server;
  };
}
