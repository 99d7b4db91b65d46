/**
 * Changed bytes in the registry's files are found or change no answer; other writers are not
 * damage.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { randomOf } from '../../../demonstration/random.ts';
import { dumpRegistry } from '../../../test/dump.ts';
import { flip } from '../../../test/flips.ts';
import { level } from '../../../test/level.ts';
import { temporaryRoot } from '../../../test/servers/process.ts';
import { type Registry, writeAudit } from '../registry.ts';
import { openSqlite } from './registry.ts';

const random = randomOf('damage');
const flips = level === 'deep' ? 60 : 4;
const logHeaderBytes = 32;
const registryIn = (folder: string) => join(folder, 'registry.sqlite');

async function fill({ records }: Registry, transactions: number): Promise<void> {
  for (let number = 0; number < transactions; number++)
    await records.transaction().execute(async (transaction) => {
      for (let row = 0; row < 300; row++)
        await writeAudit(transaction, row, 'a', { action: 'b', subject: `${number}`, detail: {} });
    });
}

async function copied(from: string, to: string): Promise<string> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
  return to;
}

async function contentOf(folder: string): Promise<string> {
  const registry = await openSqlite(registryIn(folder));
  const content = await dumpRegistry(registry).finally(() => registry.close());
  return JSON.stringify(content);
}

/** Runs with the folders of two registries: one was stopped, one was killed. */
async function withLeft(run: (folders: readonly string[], copy: string) => Promise<void>) {
  const folder = await mkdtemp(join(await temporaryRoot(), 'vitrine-damage-'));
  const [stopped, killed] = [join(folder, 'stopped'), join(folder, 'killed')];
  const registry = await openSqlite(registryIn(stopped));
  await registry.migrate();
  await fill(registry, 3);
  await registry.verify();
  await fill(registry, 3);
  await copied(stopped, killed);
  await registry.close();
  await run([stopped, killed], join(folder, 'copy')).finally(() => rm(folder, { recursive: true }));
}

test('A changed byte of any file of a registry is found, or no answer differs.', () =>
  withLeft(async (folders, copy) => {
    const expected = await contentOf(await copied(folders[0]!, copy));
    let found = 0;
    for (const from of folders)
      for (const name of await readdir(from))
        for (let number = 0; number < flips; number++) {
          const isLog = name.endsWith('-wal');
          const file = join(await copied(from, copy), name);
          const { size } = await stat(file);
          // The header of a log determines all of it; its last transaction may look torn.
          const end = isLog && number % 2 === 0 ? logHeaderBytes : size / (isLog ? 2 : 1);
          await flip(file, 1, random, end);
          const content = await contentOf(copy).catch(() => undefined);
          if (content === undefined) {
            found++;
            await assert.rejects(contentOf(copy), `${name}, flip ${number}: it stays found`);
          } else assert.equal(content, expected, `${name}, flip ${number}`);
        }
    // At least all of the two files with pages.
    assert.ok(found >= 2 * flips, `${found} found`);
  }));

test('A byte that changes while the registry is open is found by the next look.', () =>
  withLeft(async ([folder]) => {
    const file = registryIn(folder!);
    const registry = await openSqlite(file);
    await fill(registry, 1);
    assert.equal(await registry.verify(), false);
    await flip(file, 64, random);
    assert.equal(await registry.verify(), true);
    assert.equal((await registry.checkHealth()).isDamaged, true);
    await registry.close();
    await assert.rejects(openSqlite(file), /is damaged: restore a backup/);
  }));

/** Changes by other programs that leave a registry sound. */
const harmless: Readonly<Record<string, (file: string) => unknown>> = {
  'a look': (file) => changed(file, 'SELECT count(*) FROM audit_entry'),
  'a change': (file) => changed(file, "UPDATE channel_tag SET tag = 'a'; PRAGMA user_version = 1"),
  'a change of all': (file) => changed(file, 'VACUUM'),
  'a log of its own': (file) => changed(file, 'PRAGMA journal_mode = WAL; CREATE TABLE a (b)'),
  'a torn file of sums': (file) => truncate(`${file}.sums`, 5_000),
  'no file of sums': (file) => rm(`${file}.sums`),
};

function changed(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test('A registry that other programs have opened is sound.', () =>
  withLeft(async (folders, copy) => {
    for (const from of folders)
      for (const [what, change] of Object.entries(harmless)) {
        const file = registryIn(await copied(from, copy));
        await change(file);
        const registry = await openSqlite(file);
        assert.equal(await registry.verify(), false, what);
        await registry.close();
      }
  }));
