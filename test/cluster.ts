/**
 * A whole cluster on this machine: servers of ClickHouse, PostgreSQL, nodes that answer requests
 * and a worker. Each is a process of its own, which can be killed and started again.
 */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ClickHouseCluster, startClickHouseCluster } from './servers/clickhouse.ts';
import { type PostgresServer, startPostgres } from './servers/postgres.ts';
import { type Service, startService } from './service.ts';

const program = fileURLToPath(new URL('../src/cli/vitrine.ts', import.meta.url));

/** How many of each. */
export type ClusterSize = { readonly shards: number; readonly nodes: number };

/** A cluster that runs. */
export type Cluster = {
  readonly clickhouse: ClickHouseCluster;
  readonly postgres: PostgresServer;
  /** The nodes that answer requests, then the worker, which makes reports and other jobs. */
  readonly services: Service[];
  /** Starts a node, or the worker, again. */
  restart(place: number): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a cluster with its data under a folder; `options` are for the first node. `reach` gives
 * the addresses by which nodes reach the servers of ClickHouse.
 */
export async function startCluster(
  folder: string,
  { shards, nodes }: ClusterSize,
  options: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
  reach: (urls: readonly string[]) => Promise<readonly string[]> = async (urls) => urls,
): Promise<Cluster> {
  const reports = join(folder, 'reports');
  await mkdir(reports, { recursive: true });
  for (let place = 0; place <= nodes; place++) {
    await mkdir(join(folder, `node-${place}`));
    await symlink(reports, join(folder, `node-${place}`, 'reports'));
  }
  const [clickhouse, postgres] = await Promise.all([
    startClickHouseCluster(shards, join(folder, 'clickhouse')),
    startPostgres(),
  ]);
  const urls = await reach(clickhouse.urls.split(','));
  const start = (place: number) => {
    const runsJobs = place === nodes;
    const stores = {
      CLICKHOUSE_URL: urls.join(','),
      DATABASE_URL: postgres.url,
      VITRINE_JOBS: runsJobs ? 'on' : 'off',
      ...settings,
    };
    return startService(join(folder, `node-${place}`), stores, [
      program,
      'serve',
      ...(place === 0 ? options : []),
    ]);
  };
  const services: Service[] = [];
  // All at once: they migrate the stores side by side.
  services.push(...(await Promise.all(Array.from({ length: nodes + 1 }, (_, at) => start(at)))));
  return {
    clickhouse,
    postgres,
    services,
    async restart(place) {
      services[place] = await start(place);
    },
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await Promise.all([clickhouse.stop(), postgres.stop()]);
    },
  };
}
