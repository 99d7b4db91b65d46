/**
 * `npm run cluster`: three servers of ClickHouse, PostgreSQL, two nodes and a worker on this
 * machine, with the demonstration's data, until it is interrupted. For trying things out only: it
 * uses the servers of the tests.
 */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startCluster } from '../test/cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-cluster-'));
const isInterrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
console.log('Starting three servers of ClickHouse, PostgreSQL, two nodes and a worker ...');
const cluster = await startCluster(folder, { shards: 3, nodes: 2 }, ['--demonstration']);
try {
  const secrets = join(folder, 'node-0', 'demonstration.env');
  while (!existsSync(secrets)) await setTimeout(200);
  const { clickhouse, postgres, services } = cluster;
  const pids = (all: readonly { readonly pid: number }[]) => all.map(({ pid }) => pid).join(' ');
  console.log(`
nodes        ${services.map(({ address }) => address).join('  ')} (the last is the worker)
ClickHouse   ${clickhouse.urls.replaceAll(',', '\n             ')}
PostgreSQL   ${postgres.url}
processes    ${pids(services)} (nodes), ${pids(clickhouse.servers)} (ClickHouse), ${postgres.pid}
${readFileSync(secrets, 'utf8').trim()}

Ctrl+C ends all of them and removes their data.`);
  await isInterrupted;
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
