/** The health checks of the server. */
import type { FastifyInstance } from 'fastify';
import { errorBody } from './errors.ts';
import type { Readiness } from './readiness.ts';

/**
 * Adds `/healthz`, which says that the process runs, and `/readyz`, which says whether it should
 * get requests. Anyone may ask, so the reasons are in the log and in the diagnosis only.
 */
export function addHealth(server: FastifyInstance, readiness: Readiness): void {
  server.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  server.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const failures = await readiness.check();
    if (failures.size === 0) return { status: 'ok' };
    return reply.code(503).send(errorBody('the service is not ready'));
  });
}
