/** If a registry and a warehouse do not belong together, the service finds out before it serves. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStores, pairs } from '../../test/harness.ts';
import { changeRecords } from '../../test/records.ts';
import { daysOf, numbered, stage } from '../../test/warehouse.ts';
import { StartRefusal } from './errors.ts';
import { acceptStores, compareStores, disagreementsOf, pairStores } from './pairing.ts';
import { openImport } from './registry.ts';

for (const pair of pairs) {
  describe(`the pairing of stores (${pair})`, () => {
    test('new stores become a pair; other facts, lost imports and an older registry are found', async () => {
      const stores = await openStores(pair);
      const { registry, warehouse } = stores;
      /** Makes an import of channel 0; `finish` is what its record says afterwards. */
      const importFacts = async (commits: boolean, state: 'done' | 'running' = 'done') => {
        const importId = await openImport(registry, 'traffic', null, 0);
        if (commits) {
          const batch = await warehouse.begin({ importId, channel: 0 });
          await stage(warehouse, batch, numbered(importId));
          await batch.commit(daysOf(numbered(importId)), 'UTC');
        }
        await changeRecords({ registry }, 'import', { importId }, { state });
        return importId;
      };
      const disagreements = async () => disagreementsOf(await compareStores(stores));
      try {
        await pairStores(stores);
        const first = await compareStores(stores);
        assert.match(first.registryOf!, /^[\da-f-]{36}$/);
        assert.equal(first.warehouseOf, first.registryOf);
        await importFacts(true);
        await importFacts(false, 'running');
        await pairStores(stores);
        assert.deepEqual(await disagreements(), []);

        // Without facts, a warehouse may move from one installation to another.
        const lost = await importFacts(false);
        assert.deepEqual(await disagreements(), [
          `the warehouse lacks the facts of finished imports: ${lost} (traffic)`,
        ]);
        await assert.rejects(pairStores(stores), StartRefusal);
        await acceptStores(stores, await compareStores(stores));
        await pairStores(stores);

        await warehouse.setInstallation('3f5b8f0e-0000-4000-8000-000000000000');
        await assert.rejects(pairStores(stores), /the facts of another installation/);
        await acceptStores(stores, await compareStores(stores));
        await pairStores(stores);

        const ahead = 1_000;
        const batch = await warehouse.begin({ importId: ahead, channel: 7 });
        await stage(warehouse, batch, numbered(1));
        await batch.commit(daysOf(numbered(1)), 'UTC');
        await assert.rejects(pairStores(stores), /the registry is older than the warehouse/);
        await acceptStores(stores, await compareStores(stores));
        await pairStores(stores);
        assert.equal(await importFacts(true), ahead + 1);

        // The last defence if a registry is replaced while the service runs.
        const again = await warehouse.begin({ importId: ahead, channel: 7 });
        await stage(warehouse, again, numbered(2));
        await assert.rejects(again.commit(daysOf(numbered(2)), 'UTC'), /import 1000 has facts/);
      } finally {
        await stores.close();
      }
    });
  });
}
