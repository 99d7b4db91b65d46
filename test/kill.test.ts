import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { killRepeatedly } from './kill.ts';
import { startService } from './service.ts';

test('a service that is killed while it imports has kept what it acknowledged, and has nothing in part', async () => {
  const { acknowledged, landedUnheard: _, ...tally } = await killRepeatedly(4);
  assert.deepEqual(tally, { kills: 4, lost: 0, torn: 0, left: 0 });
  assert.ok(acknowledged > 0);
});

test('a service that is started on the data folder of another refuses to, and leaves the files of the imports under way there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-twice-'));
  const warehouse = await openDuckdb(folder);
  const staged = join(warehouse.stagingFolder, 'import-1-1.csv');
  try {
    writeFileSync(staged, '');
    await assert.rejects(startService(folder), /Another process has the data folder/);
    assert.ok(existsSync(staged));
  } finally {
    await warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
