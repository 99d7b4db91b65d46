/** Bytes of the registry's files that change by themselves are found, or change no answer. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dumpRegistry } from '../../../test/dump.ts';
import { level } from '../../../test/level.ts';
import { StartRefusal, StoreUnavailable } from '../errors.ts';
import { type Registry, writeAudit } from '../registry.ts';
import { openSqlite } from './registry.ts';

const seed = 41;
const flips = level === 'deep' ? 60 : 5;
const logHeaderBytes = 32;
const rowsPerTransaction = 300;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-damage-'));
});
after(() => rm(folder, { recursive: true }));

/** Numbers below a limit, the same ones in each run. */
function randomly(): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function fill({ records }: Registry, transactions: number): Promise<void> {
  for (let number = 0; number < transactions; number++)
    await records.transaction().execute(async (transaction) => {
      for (let row = 0; row < rowsPerTransaction; row++) {
        const event = { action: 'save', subject: `channel-${number}-${row}`, detail: { row } };
        await writeAudit(transaction, number, 'operator', event);
      }
    });
}

/** Writes more than the cache holds, so that a part of it is in the log, and rolls it back. */
async function rolledBack({ records }: Registry): Promise<void> {
  await records.transaction().execute(async (transaction) => {
    const event = { action: 'save', subject: 'x'.repeat(1_000_000), detail: {} };
    for (let row = 0; row < 12; row++) await writeAudit(transaction, row, 'operator', event);
    throw new Error('rolled back');
  });
}

async function flip(file: string, at: number, bit: number): Promise<void> {
  const handle = await open(file, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  byte[0]! ^= 1 << bit;
  await handle.write(byte, 0, 1, at);
  await handle.close();
}

/** A copy of the files, as a killed process leaves them. */
async function copied(from: string, name: string): Promise<string> {
  const to = join(folder, name);
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
  return to;
}

/** The content of a registry, or "found" where it does not open, or is found damaged. */
async function contentOf(at: string): Promise<string> {
  let registry: Registry | undefined;
  try {
    registry = await openSqlite(join(at, 'registry.sqlite'));
    return JSON.stringify(await dumpRegistry(registry));
  } catch (error) {
    if (error instanceof StartRefusal || error instanceof StoreUnavailable) return 'found';
    // SQLite finds damage of its structure itself.
    assert.match(String(error), /malformed|not a database/);
    return 'found';
  } finally {
    await registry?.close();
  }
}

test('A changed byte of any file of a registry is found, or no answer differs.', async () => {
  const own = join(folder, 'own');
  const registry = await openSqlite(join(own, 'registry.sqlite'));
  await registry.migrate();
  await fill(registry, 3);
  await registry.verify();
  await fill(registry, 3);
  const expected = JSON.stringify(await dumpRegistry(registry));
  const killed = await copied(own, 'killed');
  await registry.close();
  assert.equal(await contentOf(await copied(killed, 'copy')), expected);
  assert.equal(await contentOf(await copied(own, 'copy')), expected);
  const random = randomly();
  let found = 0;
  for (const state of [own, killed])
    for (const name of await readdir(state)) {
      const { size } = await stat(join(state, name));
      // The last transaction in a log may be lost: nobody can know that it was there.
      const end = name.endsWith('-wal') ? Math.floor(size / 2) : size;
      for (let number = 0; number < flips && end > 0; number++) {
        const copy = await copied(state, 'copy');
        // The header of a log decides whether any of it counts.
        const limit = name.endsWith('-wal') && number % 2 === 0 ? logHeaderBytes : end;
        await flip(join(copy, name), random(limit), random(8));
        const content = await contentOf(copy);
        if (content === 'found') {
          found++;
          assert.equal(await contentOf(copy), 'found', 'it stays found');
        } else assert.equal(content, expected, `${name}, flip ${number}`);
      }
    }
  // All of the two files with pages, at least.
  assert.ok(found >= 2 * flips, `${found} found`);
});

test('A byte that changes while the registry is open is found by the next look.', async () => {
  const file = join(folder, 'open', 'registry.sqlite');
  const registry = await openSqlite(file);
  try {
    await registry.migrate();
    await fill(registry, 3);
    await assert.rejects(rolledBack(registry), /rolled back/);
    await fill(registry, 1);
    assert.equal(await registry.verify(), false);
    const { size } = await stat(file);
    await flip(file, Math.floor(size * 0.7), 3);
    assert.equal(await registry.verify(), true);
    assert.equal((await registry.checkHealth()).isDamaged, true);
  } finally {
    await registry.close();
  }
  await assert.rejects(openSqlite(file), /is damaged: restore a backup/);
  await rm(`${file}.sums`);
  await (await openSqlite(file)).close();
});
