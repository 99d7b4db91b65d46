/** The servers of the served pair, which a proof may kill, freeze and start again. */
import { treeOf } from '../bench/flight.ts';
import { type ClickHouseServer, startClickHouse } from '../test/servers/clickhouse.ts';
import { type PostgresServer, startPostgres } from '../test/servers/postgres.ts';
import { type RedisServer, startRedis } from '../test/servers/redis.ts';
import type { SharedStores } from '../test/service.ts';

/** A server of one kind. */
export type ServerKind = 'clickhouse' | 'postgres' | 'redis';

type AnyServer = ClickHouseServer | PostgresServer | RedisServer;

const starters = { clickhouse: startClickHouse, postgres: startPostgres };

/** Stops a process and those that it started (SIGSTOP), or lets them go on (SIGCONT). */
export function signalTree(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const one of treeOf([pid])) process.kill(one, signal);
}

/** The servers that a service uses; none for the embedded pair. */
export class Servers {
  readonly #running = new Map<ServerKind, AnyServer>();

  /** Starts a server of each of these kinds. */
  static async start(kinds: readonly ServerKind[]): Promise<Servers> {
    const servers = new Servers();
    for (const kind of kinds)
      servers.#running.set(kind, await (kind === 'redis' ? startRedis() : starters[kind]()));
    return servers;
  }

  /** The settings of a service on these servers. */
  get settings(): SharedStores {
    const urlOf = (kind: ServerKind) => this.#running.get(kind)?.url;
    const [clickhouse, postgres, redis] = [urlOf('clickhouse'), urlOf('postgres'), urlOf('redis')];
    return {
      ...(clickhouse !== undefined && { CLICKHOUSE_URL: clickhouse }),
      ...(postgres !== undefined && { DATABASE_URL: postgres }),
      ...(redis !== undefined && { REDIS_URL: redis }),
    };
  }

  /** The address of a server. */
  urlOf(kind: ServerKind): string {
    return this.#running.get(kind)!.url;
  }

  /** Ends a server by SIGKILL. */
  async kill(kind: ServerKind): Promise<void> {
    await this.#running.get(kind)!.kill();
  }

  /** Starts a server that was killed on its data and its port. */
  async restart(kind: ServerKind): Promise<void> {
    const killed = this.#running.get(kind)!;
    const port = Number(new URL(killed.url).port);
    const directory = 'directory' in killed ? killed.directory : '';
    const started = kind === 'redis' ? startRedis({ port }) : starters[kind]({ port, directory });
    this.#running.set(kind, await started);
  }

  /** Stops all processes of a server (SIGSTOP), or lets them go on (SIGCONT). */
  signal(kind: ServerKind, signal: 'SIGSTOP' | 'SIGCONT'): void {
    signalTree(this.#running.get(kind)!.pid, signal);
  }

  /** Ends all servers. */
  async stop(): Promise<void> {
    for (const server of this.#running.values()) await server.stop();
  }
}
