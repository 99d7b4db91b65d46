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

slowTest(
  'fresh stores are empty and separate, and a dropped one is gone while another stays',
  async () => {
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
  },
);

deepTest('both servers answer real SQL', async () => {
  const { clickhouseUrl, postgresUrl, drop } = await freshStores();
  for (const [statement, answer] of [
    ['CREATE TABLE sales (day Date, amount Decimal(18, 4)) ENGINE = MergeTree ORDER BY day', ''],
    ["INSERT INTO sales VALUES ('2026-03-01', 10.5), ('2026-03-02', 0.25)", ''],
    ['SELECT sum(amount) FROM sales', '10.75'],
  ] as const)
    assert.equal(await queryClickHouse(clickhouseUrl, statement), answer, statement);
  const ofDays = 'SELECT amount FROM sales WHERE toDayOfMonth(day) IN {days:Array(Int32)}';
  const chosen = await queryClickHouse(clickhouseUrl, ofDays, { param_days: '[2,3]' });
  assert.equal(chosen, '0.25');

  await queryPostgres(
    postgresUrl,
    'CREATE TABLE shops (id integer PRIMARY KEY, name text NOT NULL)',
  );
  const insert = "INSERT INTO shops VALUES (1, 'Élan') ON CONFLICT (id) DO NOTHING";
  await queryPostgres(postgresUrl, insert);
  const names = await queryPostgres(postgresUrl, 'SELECT lower(name) AS name FROM shops');
  assert.deepEqual(names, [{ name: 'élan' }]);
  await drop();
});

deepTest(
  'a wrong ClickHouse password is refused with a clean error and the server goes on',
  async () => {
    const stores = await freshStores();
    const wrong = Object.assign(new URL(stores.clickhouseUrl), { password: 'wrong' }).href;
    await assert.rejects(queryClickHouse(wrong, 'SELECT 1'), /Code: 516.*AUTHENTICATION_FAILED/);
    assert.equal(await queryClickHouse(stores.clickhouseUrl, 'SELECT 1'), '1');
    await stores.drop();
  },
);

deepTest('the read-only ClickHouse user reads and sets limits, but changes nothing', async () => {
  const { url, readOnlyUrl, stop } = await startClickHouse({ profile: { max_execution_time: 30 } });
  try {
    await queryClickHouse(url, salesTable);
    assert.equal(await queryClickHouse(url, "SELECT getSetting('max_execution_time')"), '30');
    const limit = { max_execution_time: '5' };
    assert.equal(await queryClickHouse(readOnlyUrl, 'SELECT count() FROM sales', limit), '0');
    const insert = queryClickHouse(readOnlyUrl, 'INSERT INTO sales VALUES (1)');
    await assert.rejects(insert, /READONLY/);
    const drop = queryClickHouse(readOnlyUrl, 'DROP TABLE sales', { readonly: '0' });
    await assert.rejects(drop, /READONLY/);
  } finally {
    await stop();
  }
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
