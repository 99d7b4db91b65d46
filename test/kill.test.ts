/** A data folder belongs to one process, and no other changes its files. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckdb } from '../src/engine/duckdb/warehouse.ts';
import { slowTest } from './level.ts';
import { startService } from './service.ts';

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
