/** A DuckDB warehouse can be closed while it works. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { level, slowTest } from '../../../test/level.ts';
import { endless, freshTarget, limits, nextImport, row, stage } from '../../../test/warehouse.ts';
import { openDuckdb } from './warehouse.ts';

slowTest('a warehouse that is closed ends its work and holds up nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-database-'));
  const records = Array.from({ length: 20_000 }, (_, number) =>
    row('order_record', { order_id: `O-${number}`, record: 'x'.repeat(300) }),
  );
  try {
    // More than there are threads for statements.
    for (let round = 0; round < (level === 'deep' ? 6 : 2); round++) {
      const warehouse = await openDuckdb(folder);
      await warehouse.migrate();
      const { channel } = freshTarget();
      const batch = await warehouse.begin({ channel, importId: nextImport() });
      const working = Promise.allSettled([
        stage(warehouse, batch, { order_record: records }),
        warehouse.ask(endless, {}, limits),
        warehouse.checkHealth(),
        warehouse.readMark(),
      ]);
      // By now the first statements are running.
      await warehouse.checkHealth();
      await warehouse.close();
      const [, question] = await working;
      assert.equal(question.status, 'rejected');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
