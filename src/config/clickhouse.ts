/** The settings of ClickHouse: its servers, and the cluster that they form. */
import { type Cluster, defaultCluster } from '../engine/cluster.ts';
import { readSwitch, type SettingSource } from './source.ts';

/** Reads them. One server is an address; several are a list with commas between the addresses. */
export function readClickhouse(source: SettingSource): {
  readonly clickhouseUrl: string | undefined;
  readonly clickhouseCluster: Cluster;
} {
  const servers = source
    .text('CLICKHOUSE_URL')
    ?.split(',')
    .map((server) => server.trim());
  const isAddress = (server: string) => /^https?:$/.test(URL.parse(server)?.protocol ?? '');
  if (servers !== undefined && !servers.every(isAddress))
    source.problems.push(
      'CLICKHOUSE_URL must be an address such as http://user:password@host:8123/name, or those of ' +
        'all servers of a cluster with commas between them',
    );
  const name = source.text('VITRINE_CLICKHOUSE_CLUSTER') ?? defaultCluster.name;
  if (!/^[\w.-]+$/.test(name))
    source.problems.push(
      'VITRINE_CLICKHOUSE_CLUSTER must be a name of letters, digits, points, hyphens and underscores',
    );
  const isReplicated = readSwitch(source, 'VITRINE_CLICKHOUSE_REPLICATED', 'off');
  return {
    clickhouseUrl: servers?.join(','),
    clickhouseCluster: { name, isReplicated },
  };
}
