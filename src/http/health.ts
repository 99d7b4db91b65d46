/** The health checks of the server. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from '../engine/registry.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import { errorBody } from './errors.ts';

const readyMilliseconds = 2_000;

/** Adds `/healthz`, which says that the process runs, and `/readyz`, which asks both stores. */
export function addHealth(server: FastifyInstance, registry: Registry, warehouse: Warehouse): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const silent = (
      await Promise.all([silentStore('registry', registry), silentStore('warehouse', warehouse)])
    ).filter((name) => name !== undefined);
    if (silent.length === 0) return { status: 'ok' };
    return reply.code(503).send(errorBody(`no answer from: ${silent.join(', ')}`));
  });
}

/** The name of a store that does not answer in time. */
async function silentStore(
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
