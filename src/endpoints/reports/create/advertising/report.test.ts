/**
 * Reports of advertising have the amounts of each date at its rate, for vendors too, and right sums
 * for any number of dates.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byBytes } from '../../../../../test/conformance/exact.ts';
import { days } from '../../../../../test/conformance/report.ts';
import { onOnePair, onRandomFacts, triesOn } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { type AnyTable, computed, named } from '../../../../../test/reports.ts';
import { listsOf, rowsOf, tablesBeside } from '../../../../../test/table.ts';
import { campaigns, marketingByProduct } from './report.ts';

const tables = tablesBeside(import.meta.url, 'report.tables.txt');

const march = days('2025-03-01', '2025-03-31');

onOnePair('Reports of advertising by day', (world) => {
  test('Amounts in other currencies are converted at the rates of their dates; a vendor has the same report', async () => {
    const { channelId } = await world().tenant({
      channel: { kind: 'vendor', currency: 'JPY', timezone: 'UTC', merchantId: 'V1' },
    });
    const rates = rowsOf(tables.rates!);
    await importRows(world(), 'exchangeRates', undefined, rates);
    const campaignDays = rowsOf(tables.campaignDays!);
    await importRows(world(), 'campaignDays', channelId, campaignDays);
    const tableOf = (name: string) =>
      computed(
        ...([world(), channelId] as const),
        { ...(campaigns.tables[name] as AnyTable), reportType: 'campaigns' },
        march,
      );
    assert.deepEqual(
      named(await tableOf('campaigns')).map((one) => [
        ...[one.report_date, one.cost, one.cost_per_click, one.seller_id, one.marketplace_id],
      ]),
      listsOf(tables.rows!),
    );
    for (const name of ['adGroups', 'keywords', 'productAds', 'products'])
      assert.deepEqual((await tableOf(name)).rows, [], name);
  });
});

onRandomFacts('Random advertising by day', (world) => {
  test('every row has the sums of its date, for any number of dates', async () => {
    const fact = fc.record({
      date: fc
        .integer({ min: 20, max: 60 })
        .map((day) => new Date(Date.UTC(2025, 1, day)).toISOString().slice(0, 10)),
      sku: fc.constantFrom('S1', 'S2', 's3'),
      productId: fc.constantFrom('', 'P1', 'P2'),
      adGroupId: fc.constantFrom('11', '12'),
      clicks: fc.nat({ max: 9 }),
      cents: fc.integer({ min: -50, max: 5_000 }),
    });
    const facts = fc.uniqueArray(fact, {
      minLength: 15,
      maxLength: 60,
      selector: (one) => [one.date, one.sku, one.productId, one.adGroupId].join(),
    });
    await fc.assert(
      fc.asyncProperty(facts, async (made) => {
        const { channelId } = await world().tenant();
        const rows = made.map(({ cents, ...one }) => ({ ...one, cost: (cents / 100).toFixed(2) }));
        await importRows(world(), 'adProductDays', channelId, rows);
        const expected = new Map<string, [clicks: number, cents: number]>();
        for (const { date, sku, productId, clicks, cents } of made) {
          if (date < '2025-03-01' || date > '2025-03-31') continue;
          const key = `${date} ${productId || sku}`;
          const [clicksBefore, centsBefore] = expected.get(key) ?? [0, 0];
          expected.set(key, [clicksBefore + clicks, centsBefore + cents]);
        }
        const report = named(await computed(world(), channelId, marketingByProduct, march));
        assert.deepEqual(
          report.map((row) => [`${row.report_date} ${row.product_sku}`, row.clicks, row.cost]),
          [...expected]
            .sort(([a], [b]) => byBytes(a, b))
            .map(([key, [clicks, cents]]) => [key, String(clicks), (cents / 100).toFixed(2)]),
        );
      }),
      { numRuns: triesOn(world(), { embedded: 4, served: 1, normal: 1 }), endOnFailure: true },
    );
  });
});
