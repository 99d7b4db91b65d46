import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dataFolder, freePorts, onPort, startServerProcess } from './process.ts';

/** A ClickHouse server that runs for the tests. */
export type ClickHouseServer = {
  /** With the user that may do everything: http://user:password@127.0.0.1:port/database. */
  url: string;
  /** The address for a user with readonly = 2, who may read and set limits but change nothing. */
  readOnlyUrl: string;
  directory: string;
  pid: number;
  /** Ends it in good order and removes its folder, unless the caller gave the folder. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL and leaves its folder as it is, for a start on the same one. */
  kill(): Promise<void>;
};

/** How to start a ClickHouse server. */
export type ClickHouseOptions = {
  /** The folder for the data; a temporary one by default. */
  directory?: string;
  /** The port to listen on, as after a restart; any free one without it. */
  port?: number;
  /** Settings of the writing user's profile, such as max_execution_time. */
  profile?: Record<string, string | number>;
  /** Settings of the server, by their path below the root of its configuration, such as merge_tree/fsync_after_insert. */
  server?: Record<string, string | number>;
  /** The ports of the servers of its cluster, its own among them: by number, HTTP and TCP. */
  cluster?: { readonly place: number; readonly ports: readonly ServerPorts[] };
};

/** The ports of a server of a cluster. */
export type ServerPorts = { readonly http: number; readonly tcp: number };

const database = 'vitrine';
const writer = { user: 'vitrine', password: 'vitrine-writes' };
const reader = { user: 'reader', password: 'vitrine-reads' };

/** Starts a ClickHouse server on a free loopback port. */
export async function startClickHouse(options: ClickHouseOptions = {}): Promise<ClickHouseServer> {
  const folder = await dataFolder(options.directory, 'vitrine-clickhouse-');
  await mkdir(folder.path, { recursive: true });
  const own = options.cluster?.ports[options.cluster.place];
  const configuration = join(folder.path, 'test-server.xml');
  await writeFile(configuration, configurationFile(configuration, options));
  return onPort(options.port ?? own?.http, async (port) => {
    const address = `127.0.0.1:${port}`;
    const server = await startServerProcess({
      command: process.execPath,
      arguments: [
        fileURLToPath(import.meta.resolve('./clickhouse-child.ts')),
        join(dirname(fileURLToPath(import.meta.resolve('@chdb/lib-linux-x64-gnu'))), 'libchdb.so'),
        `--path=${folder.path}`,
        `--config-file=${configuration}`,
        `--http_port=${port}`,
        ...(own ? [`--tcp_port=${own.tcp}`] : []),
        '--listen_host=127.0.0.1',
        `--query=${keepAlive(own !== undefined)}`,
      ],
      folder,
      stopSignal: 'SIGTERM',
      orphanSignal: 'SIGKILL',
      ready: async (_output, signal) => {
        while (!(await answers(address))) await delay(10, undefined, { signal });
      },
    });
    const url = (account: typeof writer) =>
      `http://${account.user}:${account.password}@${address}/${database}`;
    return { url: url(writer), readOnlyUrl: url(reader), directory: folder.path, ...server };
  });
}

/** The servers of a cluster named `vitrine`, each of them a shard. */
export type ClickHouseCluster = {
  /** The addresses of all, as CLICKHOUSE_URL has them. */
  readonly urls: string;
  readonly servers: readonly ClickHouseServer[];
  /** Starts a server again that was killed, on its folder and its ports. */
  restart(place: number): Promise<ClickHouseServer>;
  stop(): Promise<void>;
};

/** Starts a cluster on free loopback ports; each server has a folder under `directory`. */
export async function startClickHouseCluster(
  count: number,
  directory: string,
): Promise<ClickHouseCluster> {
  const free = await freePorts(2 * count);
  const ports = free.slice(0, count).map((http, place) => ({ http, tcp: free[count + place]! }));
  const start = (place: number) =>
    startClickHouse({ directory: join(directory, `shard-${place}`), cluster: { place, ports } });
  const servers = await Promise.all(ports.map((_, place) => start(place)));
  return {
    urls: servers.map(({ url }) => url).join(','),
    servers,
    async restart(place) {
      servers[place] = await start(place);
      return servers[place];
    },
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

/** Runs one statement and returns the server's answer as text. */
export async function queryClickHouse(
  url: string,
  sql: string,
  settings: Record<string, string> = {},
): Promise<string> {
  const { origin, username, password, pathname } = new URL(url);
  // Fetch refuses an address that holds a password, so it goes in the headers.
  const headers = { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password };
  const query = new URLSearchParams({ database: pathname.slice(1), ...settings });
  const response = await fetch(`${origin}/?${query}`, { method: 'POST', headers, body: sql });
  const text = await response.text();
  if (!response.ok) throw new Error(text.trim());
  return text.trimEnd();
}

// The program ends with its query, so the query is one that lasts for eleven days.
const keepAlive = (listensToServers: boolean) => `CREATE DATABASE IF NOT EXISTS ${database};
  SYSTEM START LISTEN HTTP; ${listensToServers ? 'SYSTEM START LISTEN TCP;' : ''}
  SELECT sleepEachRow(1) FROM numbers(1000000)
  SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0, log_queries = 0
  FORMAT Null`;

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(`http://${address}/ping`)).ok;
  } catch {
    return false;
  }
}

/**
 * Pools that look at every table for work, and sleep when there is none. The ten databases of a run
 * have 600 tables, and the short sleep that is the default costs an eighth of a processor.
 */
const idlePools = ['processing', 'move_processing', 'streaming_processing'];
const idleSeconds = 'pool_thread_sleep_seconds_if_nothing_to_do';

/** The default user has an empty password because the program logs in as that user itself. */
function configurationFile(path: string, options: ClickHouseOptions): string {
  return `<clickhouse>
  <users_config>${path}</users_config>
  <max_server_memory_usage>1500000000</max_server_memory_usage>
  <mark_cache_size>33554432</mark_cache_size>
  <index_mark_cache_size>8388608</index_mark_cache_size>
  <uncompressed_cache_size>8388608</uncompressed_cache_size>
  <mmap_cache_size>100</mmap_cache_size>
  <compiled_expression_cache_size>8388608</compiled_expression_cache_size>
  <asynchronous_metrics_update_period_s>600</asynchronous_metrics_update_period_s>
  ${idlePools.map((pool) => element([`background_${pool}_${idleSeconds}`], 10)).join('\n  ')}
  <background_pool_size>16</background_pool_size>
  <background_schedule_pool_size>8</background_schedule_pool_size>
  <background_common_pool_size>4</background_common_pool_size>
  <background_move_pool_size>1</background_move_pool_size>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <background_message_broker_schedule_pool_size>1</background_message_broker_schedule_pool_size>
  <background_distributed_schedule_pool_size>2</background_distributed_schedule_pool_size>
  ${Object.entries(options.server ?? {})
    .map(([path, value]) => element(path.split('/'), value))
    .join('\n  ')}
  ${options.cluster === undefined ? '' : remoteServers(options.cluster.ports)}
  <profiles>
    <default><max_threads>2</max_threads></default>
    <writer>
      <max_threads>2</max_threads>
      ${Object.entries(options.profile ?? {})
        .map(([name, value]) => element([name], value))
        .join('\n      ')}
    </writer>
    <reader><max_threads>2</max_threads><readonly>2</readonly></reader>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
    ${account(writer, 'writer')}
    ${account(reader, 'reader')}
  </users>
</clickhouse>
`;
}

function account(who: typeof writer, profile: string): string {
  return `<${who.user}>
      <password>${who.password}</password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>${profile}</profile>
      <quota>default</quota>
    </${who.user}>`;
}

function remoteServers(ports: readonly ServerPorts[]): string {
  const shards = ports.map(
    ({ tcp }) => `<shard><replica><host>127.0.0.1</host><port>${tcp}</port>
      <user>${writer.user}</user><password>${writer.password}</password></replica></shard>`,
  );
  return `<remote_servers><${database}>${shards.join('')}</${database}></remote_servers>`;
}

function element(path: string[], value: string | number): string {
  const [name, ...rest] = path;
  return `<${name}>${rest.length > 0 ? element(rest, value) : value}</${name}>`;
}
