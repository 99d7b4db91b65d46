/** Closes the connections of a server that shuts down. */
import type { FastifyInstance } from 'fastify';
import type { Clock, Timer } from '../engine/clock.ts';
import type { Connections } from './connections.ts';

const idleCheckMilliseconds = 50;
/** How long requests may take to end; then their connections are closed. */
export const closingMilliseconds = 10_000;

/**
 * Closes connections as they become idle during the shutdown, and all that are left after a while:
 * otherwise their clients would hold it up.
 */
export function closeInTime(
  server: FastifyInstance,
  connections: Connections,
  after: Clock['after'],
): void {
  let idle: NodeJS.Timeout | undefined;
  let late: Timer | undefined;
  server.addHook('preClose', (done) => {
    idle = setInterval(() => server.server.closeIdleConnections(), idleCheckMilliseconds);
    late = after(closingMilliseconds, () => connections.destroyAll());
    done();
  });
  server.addHook('onClose', (_server, done) => {
    clearInterval(idle);
    late?.cancel();
    done();
  });
}
