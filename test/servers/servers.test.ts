/** The servers of the tests are whole ones, apart from each other, and leave nothing behind. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deepTest, slowTest } from '../level.ts';
import { queryClickHouse, startClickHouse } from './clickhouse.ts';
import { queryPostgres, startPostgres } from './postgres.ts';
import { isRunning } from './process.ts';
import { freshStores } from './shared.ts';

const salesTable = 'CREATE TABLE sales (a Int32) ENGINE = MergeTree ORDER BY a';

slowTest('fresh stores are empty and separate; a dropped one is gone alone', async () => {
  const [first, second] = await Promise.all([freshStores(), freshStores()]);
  await queryClickHouse(first.clickhouseUrl, salesTable);
  await queryPostgres(first.postgresUrl, 'CREATE TABLE only_here (a integer)');
  assert.equal(await queryClickHouse(second.clickhouseUrl, 'SHOW TABLES'), '');
  const elsewhere = queryPostgres(second.postgresUrl, 'SELECT * FROM only_here');
  await assert.rejects(elsewhere, /does not exist/);
  await first.drop();
  await assert.rejects(queryClickHouse(first.clickhouseUrl, 'SELECT 1'), /UNKNOWN_DATABASE/);
  await assert.rejects(queryPostgres(first.postgresUrl, 'SELECT 1'), /does not exist/);
  assert.equal(await queryClickHouse(second.clickhouseUrl, 'SELECT 1'), '1');
  await second.drop();
});

deepTest('stopping leaves neither a process nor a temporary folder', async () => {
  const servers = await Promise.all([startClickHouse(), startPostgres()]);
  for (const server of servers) assert.ok(isRunning(server.pid) && existsSync(server.directory));
  for (const server of servers) await server.stop();
  for (const server of servers) assert.ok(!isRunning(server.pid) && !existsSync(server.directory));
});

deepTest(
  'a ClickHouse killed by SIGKILL and started again on its folder has the rows of every acknowledged insert',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
    try {
      const killed = await startClickHouse({ directory });
      const settings = 'fsync_after_insert = 1, fsync_part_directory = 1';
      await queryClickHouse(killed.url, `${salesTable} SETTINGS ${settings}`);
      for (let batch = 0; batch < 5; batch += 1) {
        await queryClickHouse(killed.url, `INSERT INTO sales SELECT number FROM numbers(1000)`);
      }
      await killed.kill();
      assert.ok(!isRunning(killed.pid));
      const again = await startClickHouse({ directory });
      assert.equal(await queryClickHouse(again.url, 'SELECT count() FROM sales'), '5000');
      await again.stop();
      assert.ok(existsSync(directory));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
);

deepTest(
  'a PostgreSQL killed by SIGKILL and started again on its folder has the rows of every committed insert',
  async () => {
    const killed = await startPostgres();
    const database = await killed.createDatabase('kept');
    await queryPostgres(database, 'CREATE TABLE shops AS SELECT generate_series(1, 1000) AS id');
    await killed.kill();
    assert.ok(!isRunning(killed.pid));
    const again = await startPostgres({ directory: killed.directory });
    const address = Object.assign(new URL(again.url), { pathname: '/kept' }).href;
    assert.deepEqual(await queryPostgres(address, 'SELECT count(*)::int AS shops FROM shops'), [
      { shops: 1000 },
    ]);
    await again.stop();
    await killed.stop();
  },
);

deepTest(
  'the servers of a process that is killed by SIGKILL end with it and take their folders along',
  async () => {
    const script = `
    import { startClickHouse } from ${JSON.stringify(import.meta.resolve('./clickhouse.ts'))};
    import { startPostgres } from ${JSON.stringify(import.meta.resolve('./postgres.ts'))};
    const servers = await Promise.all([startClickHouse(), startPostgres()]);
    console.log(JSON.stringify(servers));
    setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const servers = JSON.parse(line.toString()) as { pid: number; directory: string }[];
    for (const server of servers) assert.ok(isRunning(server.pid) && existsSync(server.directory));
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    for (const server of servers) {
      while (isRunning(server.pid) || existsSync(server.directory)) await delay(10);
    }
  },
);

deepTest('a process that forgets its servers ends by itself, and the servers with it', async () => {
  const script = `
    import { startClickHouse } from ${JSON.stringify(import.meta.resolve('./clickhouse.ts'))};
    console.log((await startClickHouse()).pid);`;
  const forgetful = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(forgetful.stdout, 'data')) as [Buffer];
  const [code] = await once(forgetful, 'exit');
  assert.equal(code, 0);
  const pid = Number(line.toString());
  while (isRunning(pid)) await delay(10);
});
