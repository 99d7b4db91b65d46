import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { killRepeatedly } from './kill.ts';
import { deepTest, slowTest } from './level.ts';
import { startService } from './service.ts';

deepTest(
  'a service that is killed while it imports keeps every acknowledged import and no part of another',
  async () => {
    const { acknowledged, landedUnheard: _, ...tally } = await killRepeatedly(4);
    assert.deepEqual(tally, { kills: 4, lost: 0, torn: 0, left: 0 });
    assert.ok(acknowledged > 0);
  },
);

slowTest(
  'a second service on the same data folder refuses to start and leaves the files of imports that are under way',
  async () => {
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
  },
);
