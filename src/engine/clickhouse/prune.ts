/** Frees the rows that later versions replaced, and the remains of interrupted imports. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { factTables } from '../../../schema/warehouse/tables.ts';
import type { Client } from './client.ts';
import { stagingTables } from './schema.ts';
import { versionOfChannel } from './snapshot.ts';
import { firstBatchOfDay } from './staged.ts';

const millisecondsPerDay = 86_400_000;
const dayAgo = 'now64(3) - toIntervalDay(1)';

/** Deletes rows that no question can see any more; questions take less than the grace period. */
export async function prune(client: Client, graceSeconds: number): Promise<void> {
  // The process of a change that began more than a day ago has died.
  await client.run(
    `INSERT INTO channel_version (channel, version, import_id, state)
     SELECT channel, version, any(import_id), 'discarded' FROM channel_version
     GROUP BY channel, version HAVING max(state <> 'begun') = 0 AND max(at) < ${dayAgo}`,
  );
  const settled = await client.rows(
    `SELECT channel, max(version) AS version FROM channel_version WHERE state = 'committed'
       AND at <= now64(3) - toIntervalMillisecond(${Math.round(graceSeconds * 1000)})
     GROUP BY channel`,
  );
  const versionMax = versionOfChannel(
    `[${settled.map((row) => row.channel).join(', ')}]`,
    `[${settled.map((row) => row.version).join(', ')}]`,
    settled.length,
  );
  const { database } = client;
  const versions = `${database}.channel_version`;
  const discarded = `(SELECT channel, version FROM ${versions} WHERE state = 'discarded')`;
  const isDiscarded = `(channel, version) IN ${discarded}`;
  const owners = (key: string, condition: string) =>
    `(SELECT ${key}, max(version) FROM ${database}.visible_day
      WHERE ${condition}version <= ${versionMax} AND (channel, version) NOT IN ${discarded}
      GROUP BY ${key})`;
  for (const { name } of factTables) {
    await client.delete(
      `all_${name}`,
      `(version <= ${versionMax} AND (channel, day, version) NOT IN
         ${owners('channel, day', `fact = '${name}' AND `)}) OR ${isDiscarded}`,
    );
  }
  // After the rows: without its entry, a replaced row would become visible again.
  await client.delete(
    'visible_day',
    `(version <= ${versionMax} AND (channel, fact, day, version) NOT IN
       ${owners('channel, fact, day', '')}) OR ${isDiscarded}`,
  );
  await client.delete(
    'channel_version',
    `version < ${versionMax} AND (channel, version) IN
       (SELECT channel, version FROM ${versions} WHERE state = 'discarded' AND at < ${dayAgo})`,
  );
  await replaceSuperseded(client, versionMax);
  await dropStaged(client);
}

/** Replaces committed versions by their imports once all their tables have later ones. */
async function replaceSuperseded(client: Client, versionMax: string): Promise<void> {
  const versions = `${client.database}.channel_version`;
  const isSuperseded = `version < ${versionMax}
    AND (channel, version) IN (SELECT channel, version FROM ${versions} WHERE state = 'committed')
    AND (channel, version) NOT IN
      (SELECT channel, max(version) FROM ${versions} ARRAY JOIN tables AS name
       WHERE state = 'committed' AND version <= ${versionMax} GROUP BY channel, name)`;
  await client.run(
    `INSERT INTO committed_import (import_id)
     SELECT DISTINCT import_id FROM ${versions} WHERE state = 'committed' AND ${isSuperseded}`,
  );
  await client.delete('channel_version', isSuperseded);
}

/** Drops the staged rows of imports that began more than a day ago. */
async function dropStaged(client: Client): Promise<void> {
  for (const table of stagingTables) {
    const batches = await client.rows(
      `SELECT DISTINCT batch FROM ${table} WHERE batch < ${firstBatchOfDay(client.clock.now())}`,
    );
    for (const { batch } of batches)
      await client.run(`ALTER TABLE ${table} DROP PARTITION ${batch}`);
  }
}

/** Removes files more than a day old, whose imports died with their process. */
export function removeOldFiles(folder: string, now: number): void {
  for (const file of readdirSync(folder)) {
    const path = join(folder, file);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (file.startsWith('import-') && modified < now - millisecondsPerDay)
      rmSync(path, { force: true });
  }
}
