/**
 * An installation that is restored from its backup, or moved, answers every question as before; a
 * damaged backup changes nothing. Without deep tests one embedded installation is backed up,
 * restored and exported.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Manifest } from '../src/backup/format.ts';
import { manifestText, readManifest } from '../src/backup/manifest.ts';
import { checkBackup, unpack } from '../src/backup/read.ts';
import { restore } from '../src/backup/restore.ts';
import { createBackup } from '../src/backup/write.ts';
import { readConfig } from '../src/config.ts';
import { overlay } from '../src/engine/overlay.ts';
import { question } from '../src/engine/question.ts';
import type { RecordsSnapshot } from '../src/engine/recordCopies.ts';
import { openFiles } from '../src/files/open.ts';
import { openRegistry, openWarehouse } from '../src/main.ts';
import { dumpRegistry } from './dump.ts';
import { type Pair, pairs } from './harness.ts';
import { Installation, type ReportFile } from './installation.ts';
import { deepTest, level } from './level.ts';
import { channelNumberOf, recordsOf } from './records.ts';
import { queryClickHouse } from './servers/clickhouse.ts';
import { onEachServer } from './servers/shared.ts';
import { barsOf, textBeside } from './table.ts';

/** The pairs whose backups are tried, and which they are restored into. */
const sources = { fast: [], normal: pairs.slice(0, 1), deep: pairs }[level];

for (const pair of sources)
  describe(`backups of an installation (${pair})`, () => {
    let source: Installation;
    let answers: ReadonlyMap<string, string>;
    let reports: readonly ReportFile[];
    let run: { readonly scheduleId: string; readonly content: string };
    let folder: string;

    before(async () => {
      source = await Installation.make(pair);
      await source.start();
      await source.fill();
      reports = await source.report();
      const scheduleId = await source.runSchedule();
      run = { scheduleId, content: await source.fileOfRun(scheduleId) };
      answers = await source.answers();
      folder = source.path('backup');
    });
    after(() => source.remove());

    /** Uses an empty installation that has the key of the other. */
    async function withEmptyOne(of: Pair, use: (target: Installation) => Promise<void>) {
      const target = await Installation.make(of);
      target.copiedFrom(source);
      try {
        await use(target);
      } finally {
        await target.remove();
      }
    }

    test('a backup is made while requests and imports run', async () => {
      let isMaking = true;
      const goesOn = (times: number, most: number) =>
        isMaking && (level === 'deep' || times < most);
      const importing = (async () => {
        for (let order = 0; goesOn(order, 3); order++) await source.importBusy(`busy-${order}`);
      })();
      const asking = (async () => {
        for (let times = 0; goesOn(times, 1); times++)
          assert.deepEqual(await source.answers(), answers);
      })();
      const made = await source.succeed(['backup', folder]).finally(() => {
        isMaking = false;
      });
      await Promise.all([importing, asking]);
      assert.equal(made.out, folder);
      assert.match(made.error, /^Kept [\d,]+ facts and [\d,]+ records of .*\. Keep the secret/);
      const again = await source.vitrine(['backup', folder]);
      assert.match(again.error, /is not empty: name a new folder/);
    });

    test('it is verified in temporary stores, while the service runs', async () => {
      const TMPDIR = await mkdtemp(source.path('temporary-'));
      const { error } = await source.succeed(['backup', 'verify', folder], { TMPDIR });
      assert.match(error, /^Verified [\d,]+ facts, [\d,]+ records and 4 files of reports of /m);
      const wrong = { TMPDIR, VITRINE_SECRET: 'another-secret-of-the-tests-0123456789abc' };
      const refused = await source.vitrine(['backup', 'verify', folder], wrong);
      assert.deepEqual([refused.code, await readdir(TMPDIR)], [1, []]);
    });

    for (const into of sources)
      test(`it is restored into stores that are ${into}, where every answer is the same`, () =>
        withEmptyOne(into, async (target) => {
          const { error } = await target.succeed(['restore', folder]);
          assert.match(error, /Restored [\d,]+ facts as of .*\. The service can start\.\n$/);
          await target.start();
          assert.deepEqual(await target.answers(), answers);
          for (const { reportId, content } of reports)
            assert.equal(await target.fileOf(reportId), content);
          assert.equal(await target.fileOfRun(run.scheduleId), run.content);
          const [csv] = await target.report();
          assert.equal(csv?.content, reports[0]?.content);
          await busyIsWhole(target);
          await target.importBusy('after');
          await target.stop();
          await refuse(target, folder, /^The stores are not empty, so nothing was changed: /);
        }));

    deepTest('an interrupted restore goes on, and until then no service starts', async () => {
      for (const into of sources)
        await withEmptyOne(into, async (target) => {
          for (const lines of [2, 1, 4]) await interruptedRestore(target, folder, lines);
          await assert.rejects(target.start(), /has not ended: run it again/);
          const foreign = source.path('foreign');
          await changeManifest(folder, foreign, { backupId: 'another' }, source.running.secret);
          await refuse(target, foreign, /unfinished restore or move of another backup/);
          await target.succeed(['restore', folder]);
          await target.start();
          assert.deepEqual(await target.answers(), answers);
        });
    });

    test('a damaged, partial or foreign backup is refused and changes nothing', () =>
      withEmptyOne(pair, async (target) => {
        const copy = source.path('copy');
        const file = join(copy, 'facts', 'order_line-0001.parquet');
        const manifest = join(copy, 'manifest.json');
        const damaged =
          /^The backup is damaged: facts\/order_line-0001\.parquet is not as it was written\.$/;
        const damage = async () => {
          const bytes = await readFile(file);
          bytes[100]! ^= 1;
          await writeFile(file, bytes);
        };
        const change = async () => {
          const text = await readFile(manifest, 'utf8');
          await writeFile(manifest, text.replace('"rows": 1', '"rows": 2'));
        };
        for (const [spoil, reason] of [
          [damage, damaged],
          [() => rm(file), /^The backup is not whole: facts\/order_line/],
          [() => rm(manifest), /is no whole backup: it has no manif/],
          [change, /its manifest\.json is not as it was written/],
        ] as const) {
          await rm(copy, { recursive: true, force: true });
          await cp(folder, copy, { recursive: true });
          await spoil();
          if (level === 'deep') await refuse(target, copy, reason);
          else await assert.rejects(checkBackup(copy), ({ message }) => reason.test(message));
        }
        const forged = source.path('forged');
        const key = 'not the key of the installation';
        await changeManifest(folder, forged, { madeAt: '2026-11-24T00:00:00.000Z' }, key);
        await refuse(target, forged, /^The manifest\.json of the backup was not written by its/);
        const wrong = 'another-secret-of-the-tests-0123456789abc';
        await refuse(target, folder, /^The secret is not that of the backup, so nothing/, wrong);
        if (pair === 'embedded')
          await refuse(target, folder, /^There is no secret: put the file/, '');
      }));

    deepTest('facts and records of a backup are of one point, in files of any size', async () => {
      const { registry, warehouse, files } = source.running;
      let imported = 0;
      const importOnce = async (order: string) => {
        imported++;
        if (imported < 3) await source.importBusy(order);
      };
      const parts = {
        files,
        now: Date.now,
        key: source.running.secret,
        rowsPerFile: 2,
        registry: overlay(registry, {
          async snapshot<T>(use: (snapshot: RecordsSnapshot) => Promise<T>): Promise<T> {
            await importOnce('before-records');
            return await registry.snapshot(use);
          },
        }),
        warehouse: overlay(warehouse, {
          async read<T>(...[channels, limits, use]: Parameters<typeof warehouse.read<T>>) {
            await importOnce('before-facts');
            return await warehouse.read(channels, limits, use);
          },
        }),
      };
      const inParts = source.path('parts');
      await unpack(createBackup('parts', parts), inParts, 'manifest.json');
      const { manifest } = await checkBackup(inParts);
      const ofLines = manifest.facts.filter(({ range }) => range.table === 'order_line');
      assert.ok(ofLines.length > 3);
      await withEmptyOne('embedded', async (target) => {
        await target.succeed(['restore', inParts]);
        await target.start();
        assert.deepEqual(await target.answers(), answers);
        await busyIsWhole(target);
      });
    });

    deepTest('a reader who leaves a backup holds up no other, and leaves nothing', async () => {
      const leaving = new AbortController();
      const response = await source.open('POST', '/operator/backups', leaving.signal);
      await response.body!.getReader().read();
      leaving.abort();
      await source.succeed(['backup', source.path('later')]);
      const staged = await readdir(source.running.warehouse.stagingFolder);
      assert.deepEqual(staged, []);
    });

    test('the facts of a channel are exported with all their sums', async () => {
      const exported = source.path('exported');
      const { out } = await source.succeed(['export', '--channel', 'acme-us', exported]);
      assert.match(out, /^order_line\.parquet +8 +[\d,]+$/m);
      assert.deepEqual(await sumsOf(exported), exportedSums);
      const missing = await source.vitrine(['export', '--channel', 'none', source.path('none')]);
      assert.equal(missing.code, 1);
    });
  });

if (pairs.includes('served'))
  deepTest('an embedded installation moves into a served one despite interruptions', async () => {
    const source = await Installation.make('embedded');
    const target = await Installation.make('served');
    const folder = source.path('moving');
    try {
      await source.start();
      await source.fill();
      target.copiedFrom(source);
      const answers = await source.answers();
      const move = (words: readonly string[] = []) =>
        target.vitrine(['move', folder, '--url', source.running.address, ...words]);
      // A move was killed in the middle: the copy has arrived, and not all is in place.
      await source.succeed(['backup', folder]);
      await interruptedRestore(target, folder, 3);
      await loseRows(target);
      await assert.rejects(target.start(), /a restore or a move into these stores has not ended/);
      const moving = move();
      assert.deepEqual(await source.answers(), answers, 'the source goes on answering');
      const { code, out, error } = await moving;
      assert.equal(code, 0, error);
      assert.match(error, /^going on where it was interrupted$/m);
      assert.match(error, /^Moved [\d,]+ facts as of .*; all totals are equal\.$/m);
      assert.match(out, /^order_line +acme-us +8 +8 +209\.520000 +209\.520000$/m);
      assert.match(out, /^finance_event +acme-us +21 +21 +88\.610000 +88\.610000$/m);
      await assert.rejects(stat(folder), { code: 'ENOENT' });
      await target.start();
      assert.deepEqual(await target.answers(), answers);
      await target.stop();
      const again = await move();
      assert.equal(again.code, 1);
      assert.match(again.error, /^The stores are not empty, so nothing was changed/m);
    } finally {
      await source.remove();
      await target.remove();
    }
  });

/** Restores until a number of lines of progress have been printed. */
async function interruptedRestore(target: Installation, folder: string, lines: number) {
  const config = readConfig(target.environment);
  const [warehouse, registry] = [await openWarehouse(config), await openRegistry(config)];
  let said = 0;
  const onProgress = () => {
    said++;
    if (said === lines) throw new Error('interrupted');
  };
  try {
    await Promise.all([warehouse.migrate(), registry.migrate()]);
    const files = await openFiles(config);
    const parts = { registry, warehouse, files, secrets: config.secrets, onProgress };
    await assert.rejects(restore(await checkBackup(folder), parts), /^Error: interrupted$/);
  } finally {
    await registry.close();
    await warehouse.close();
  }
}

/** Deletes a part of the facts that have been copied into ClickHouse. */
async function loseRows({ environment }: Installation): Promise<void> {
  const sql = "ALTER TABLE all_order_line DELETE WHERE line_id < '5' SETTINGS mutations_sync = 1";
  await onEachServer(environment.CLICKHOUSE_URL!, (url) => queryClickHouse(url, sql));
}

async function refuse(target: Installation, folder: string, reason: RegExp, secret?: string) {
  const records = await dumpOf(target);
  const variables = secret === undefined ? {} : { VITRINE_SECRET: secret };
  const { code, error } = await target.vitrine(['restore', folder], variables);
  assert.equal(code, 1, error);
  assert.match(error.trim(), reason);
  assert.equal(error.trim().split('\n').length, 1, 'one sentence');
  assert.deepEqual(await dumpOf(target), records);
}

async function dumpOf(target: Installation) {
  const registry = await openRegistry(readConfig(target.environment));
  try {
    await registry.migrate();
    return await dumpRegistry(registry);
  } finally {
    await registry.close();
  }
}

/**
 * Every import into the busy channel with the state done has brought its order, and no other has.
 */
async function busyIsWhole({ running }: Installation): Promise<void> {
  const { registry, warehouse } = running;
  const channelNumber = await channelNumberOf({ registry }, 'busy');
  const imports = await recordsOf({ registry }, 'import', { channelNumber }, 'importId');
  const sql = 'SELECT import_id FROM order_line WHERE channel = {channel:Int32} ORDER BY import_id';
  const statement = question<{ import_id: number }>('orders', sql);
  const limits = { deadlineMilliseconds: 3_600_000 };
  const orders = await warehouse.ask(statement, { channel: channelNumber }, limits);
  const done = imports.filter(({ state }) => state === 'done').map(({ importId }) => importId);
  const brought = orders.map((order) => order.import_id);
  assert.deepEqual(brought, done);
  assert.ok(imports.every(({ state }) => state === 'done' || state === 'failed'));
}

/** Copies a backup with another manifest, written under a key. */
async function changeManifest(
  folder: string,
  other: string,
  change: Partial<Manifest>,
  key: string,
): Promise<void> {
  await rm(other, { recursive: true, force: true });
  await cp(folder, other, { recursive: true });
  const path = join(other, 'manifest.json');
  const { manifest } = readManifest(await readFile(path, 'utf8'));
  await writeFile(path, manifestText({ ...manifest, ...change }, key));
}

/** The number of rows and the sum of the amounts of each file of an export. */
async function sumsOf(folder: string): Promise<Record<string, string>> {
  const list = JSON.parse(await readFile(join(folder, 'export.json'), 'utf8'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const sums: Record<string, string> = {};
  for (const { path, rows } of list.files) {
    const from = `FROM read_parquet('${join(folder, path)}')`;
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * ${from}`);
    const decimals = described.getRows().filter(([, type]) => type === 'DECIMAL(18,6)');
    const amounts = decimals.map(([name]) => `sum(${name})`).join(' + ') || '0';
    const read = await connection.runAndReadAll(`SELECT count(*), ${amounts} ${from}`);
    const [count, sum] = read.getRows()[0]!;
    assert.equal(Number(count), rows, path);
    sums[path] = `${count} ${sum}`;
  }
  connection.closeSync();
  instance.closeSync();
  return sums;
}

/**
 * The rows of each file, and all amounts added up: 209.52 of order lines; 17.47 of ad spend and
 * twice 69.80 of sales, all of the same SKU; the total of the settlement; 96 page views times
 * 97.5 % and 121.15 of revenue; and the targets of two months.
 */
const exportedSums = Object.fromEntries(barsOf(textBeside(import.meta.url, 'backups.sums.txt')));
