/** The servers of a cluster must agree on the cluster, the installation and the schema. */
import { schemaVersion } from '../../../schema/warehouse/tables.ts';
import type { Cluster } from '../cluster.ts';
import { StartRefusal } from '../errors.ts';
import type { StoreStatus } from '../health.ts';
import type { Row, WarehouseMark } from '../warehouse.ts';
import type { Client, Statement } from './client.ts';
import type { Shards } from './shards.ts';

/** Checks that every server knows a cluster of this many servers. Throws StartRefusal. */
export async function checkCluster(shards: Shards, { name }: Cluster): Promise<void> {
  const sql =
    'SELECT uniqExact(shard_num) AS shards FROM system.clusters WHERE cluster = {name:String}';
  const counts = await shards.onAll((client) => client.rows(sql, { name }));
  const expected = shards.clients.length;
  for (const [index, [row]] of counts.entries())
    if (row!.shards !== expected)
      throw new StartRefusal(
        `CLICKHOUSE_URL names ${expected} servers, but the cluster ${name} has ${row!.shards} ` +
          `shards in the remote_servers of server ${index + 1}: change one of them, or name ` +
          'another cluster in VITRINE_CLICKHOUSE_CLUSTER',
      );
}

/** The installation of the servers, and the greatest import that any of them has seen. */
export async function readMark(shards: Shards): Promise<WarehouseMark> {
  const marks = await shards.onAll(async (client) => {
    const [row] = await client.rows(
      `SELECT (SELECT argMax(installation_id, at) FROM installation) AS installation,
         (SELECT max(import_id) FROM (SELECT import_id FROM channel_version
            UNION ALL SELECT import_id FROM committed_import)) AS last`,
    );
    return row as { installation: string | null; last: number | null };
  });
  const installations = new Set(marks.flatMap(({ installation }) => installation || []));
  if (installations.size > 1)
    throw new StartRefusal(
      'The servers of CLICKHOUSE_URL have facts of different installations: name the servers of ' +
        'one installation, or restore backups that were made at the same time',
    );
  return {
    installationId: [...installations][0] ?? null,
    lastImport: Math.max(...marks.map(({ last }) => last ?? 0)),
  };
}

/** A text that changes whenever any fact does. */
export async function readChanges(shards: Shards): Promise<string> {
  const changes = await shards.onAll(async (client) => {
    const [row] = await client.rows(
      `SELECT toString(sum(cityHash64(channel, latest))) AS latest FROM
         (SELECT channel, max((version, nonce)) AS latest FROM channel_version
          WHERE state = 'committed' GROUP BY channel)`,
    );
    return String(row!.latest);
  });
  return changes.join(', ');
}

/** Assigns a server, which may be new to its cluster, to an installation. */
export async function setInstallation(client: Client, installationId: string): Promise<void> {
  // The newest row counts; the identifier is a UUID.
  await client.run(`INSERT INTO installation (installation_id) VALUES ('${installationId}')`);
}

/** Assigns servers without an installation to the installation of the others. */
export async function adoptInstallation(shards: Shards): Promise<void> {
  const { installationId } = await readMark(shards);
  if (installationId === null) return;
  await shards.onAll(async (client) => {
    const known = await client.rows('SELECT 1 FROM installation LIMIT 1');
    if (known.length === 0) await setInstallation(client, installationId);
  });
}

/** The statement that reads a server's status. */
export const healthStatement: Statement = {
  sql: `SELECT version() AS engine, toUnixTimestamp64Milli(now64(3)) AS clock,
      (SELECT max(version) FROM warehouse_version) AS held`,
};

/** The status of the warehouse, from the `rows` of the servers that answered. */
export function healthOf(rows: readonly Row[], servers: number): StoreStatus {
  const statuses = rows as readonly { engine: string; clock: number; held: number }[];
  const { engine, clock } = statuses[0]!;
  return {
    engine: `ClickHouse ${engine}`,
    schema: { held: Math.min(...statuses.map(({ held }) => held)), newest: schemaVersion },
    ...(servers > 1 && { servers: { all: servers, silent: servers - rows.length } }),
    clock,
  };
}
