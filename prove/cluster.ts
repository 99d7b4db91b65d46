/** Kills in a cluster: any of its nodes, its worker, or a server of ClickHouse. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Cluster, startCluster } from '../test/cluster.ts';
import { foundOf, shown, untilReady, warmUp } from './kill.ts';
import { importLoad } from './killImports.ts';
import { reportLoad } from './killJobs.ts';
import type { Extent, Finding } from './promise.ts';

const size = { shards: 3, nodes: 2 };
const killsInFull = 50;
const killsInQuick = 3;

/** Kills a process of the cluster at random; returns its name and how to start it again. */
async function killOne({ services, clickhouse, restart }: Cluster) {
  const place = Math.floor(Math.random() * (services.length + size.shards));
  const server = place - services.length;
  if (server >= 0) {
    await clickhouse.servers[server]!.kill();
    return { name: `server ${server}`, again: () => clickhouse.restart(server) };
  }
  await services[place]!.kill();
  return {
    name: place < size.nodes ? `node ${place}` : 'the worker',
    again: () => restart(place),
  };
}

/** Kills processes of a cluster. */
export async function measureKillsOfCluster({ isQuick, say }: Extent): Promise<Finding> {
  const kills = isQuick ? killsInQuick : killsInFull;
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
  const settings = { VITRINE_SILENCE_MILLISECONDS: '1200' };
  const cluster = await startCluster(folder, size, [], settings);
  // Requests go to the first node, jobs to the worker; a node that is started again is another one.
  const first = () => cluster.services[0]!;
  try {
    const loads = [await importLoad(first(), undefined), await reportLoad(first())];
    const within = await warmUp(loads, first());
    for (let kill = 1; kill <= kills; kill++) {
      const isKilled = new AbortController();
      const running = loads.map((load) => load.run(first(), isKilled.signal));
      await Promise.race([Promise.all(running), wait(Math.random() * within)]);
      isKilled.abort();
      const killed = await killOne(cluster);
      await Promise.all(running);
      await killed.again();
      await Promise.all(cluster.services.map(untilReady));
      for (const load of loads) await load.check(first());
      say(`${killed.name} killed, ${kill} of ${kills}: ${loads.map(shown).join('; ')}`);
    }
    for (const load of loads) await load.finish(first());
    return foundOf(kills, loads);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
