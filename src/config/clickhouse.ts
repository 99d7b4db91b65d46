/** The settings of ClickHouse: its servers, and the cluster that they form. */
import { type Cluster, defaultCluster } from '../engine/cluster.ts';
import { readSwitch, type SettingSource } from './source.ts';

/** Reads them. One server is an address; several are a list with commas between the addresses. */
export function readClickhouse(source: SettingSource): {
  readonly clickhouseUrl: string | undefined;
  readonly clickhouseReaderUrl: string | undefined;
  readonly clickhouseCluster: Cluster;
} {
  const servers = readServers(source, 'CLICKHOUSE_URL');
  const readers = readServers(source, 'CLICKHOUSE_READER_URL');
  if (readers !== undefined && readers.length !== servers?.length)
    source.problems.push(
      'CLICKHOUSE_READER_URL must name the servers of CLICKHOUSE_URL, in their order',
    );
  const name = source.text('VITRINE_CLICKHOUSE_CLUSTER') ?? defaultCluster.name;
  if (!/^[\w.-]+$/.test(name))
    source.problems.push(
      'VITRINE_CLICKHOUSE_CLUSTER must be a name of letters, digits, points, hyphens and underscores',
    );
  const isReplicated = readSwitch(source, 'VITRINE_CLICKHOUSE_REPLICATED', 'off');
  return {
    clickhouseUrl: servers?.join(','),
    clickhouseReaderUrl: readers?.join(','),
    clickhouseCluster: { name, isReplicated },
  };
}

function readServers(source: SettingSource, name: string): readonly string[] | undefined {
  const servers = source
    .text(name)
    ?.split(',')
    .map((server) => server.trim());
  const isAddress = (server: string) => /^https?:$/.test(URL.parse(server)?.protocol ?? '');
  if (servers !== undefined && !servers.every(isAddress))
    source.problems.push(
      `${name} must be an address such as http://user:password@host:8123/name, or those of ` +
        'all servers of a cluster with commas between them',
    );
  return servers;
}
