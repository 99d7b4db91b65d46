/** Installations from before rates had sources retain the rates that their operator imported. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachPair } from '../../test/harness.ts';
import { importDocument, importRows, postImport, reasons } from '../../test/imports.ts';
import { markOwnRates } from './storedRates.ts';

onEachPair(
  'Rates from before they had sources',
  (world) => {
    test("the operator's rates become own ones, and a published history leaves them", async () => {
      const { registry, warehouse } = world();
      const publish = async (date: string, perEuro: number) => {
        const history = `Date,USD,JPY,CZK,DKK,GBP,TWD\n${date},${perEuro},150,25,7.5,0.9,40\n`;
        await importDocument(world(), undefined, Buffer.from(history));
      };
      const rates = async () => {
        const found = await world().operate('GET', '/operator/rates?date=2026-01-09');
        return found.rates.flatMap((one: Record<string, unknown>) =>
          ['USD', 'TWD'].includes(one.currency as string)
            ? [`${one.currency} ${one.perEuro} ${one.source}`]
            : [],
        );
      };
      await publish('2026-01-09', 2);
      const own = { date: '2026-01-09', currency: 'TWD', perEuro: 37 };
      await importRows(world(), 'exchangeRates', undefined, [own]);
      const unmark = { table: 'exchange_rate', parameters: {} };
      const amendments = [
        { ...unmark, removed: "currency = 'TWD' AND source = ''" },
        { ...unmark, changed: "source = 'own'", set: { source: "''" } },
      ];
      for (const amendment of amendments)
        await warehouse.amend({ importId: 0, channel: 0 }, [amendment], 'UTC');
      assert.deepEqual(await rates(), ['TWD 37 published', 'USD 2 published']);
      // The second start finds nothing to mark.
      for (const _ of ['first', 'second']) {
        await markOwnRates(registry, warehouse);
        assert.deepEqual(await rates(), ['TWD 37 own', 'USD 2 published']);
      }
      await publish('2026-01-09', 3);
      assert.deepEqual(await rates(), ['TWD 37 own', 'USD 3 published']);
      const slip = '{"date":"2026-01-10","currency":"USD","perEuro":3000}';
      const path = '/operator/imports/exchangeRates';
      const answer = await postImport(world(), path, slip, 'application/x-ndjson');
      assert.match(reasons(answer)[0]![1], /the published rates of 2026 are 3 to 3: give/);
    });
  },
  { isOwn: true },
);
