/**
 * Traffic counts once for the SKUs of a product, each SKU belongs to one product and parent, and
 * the report manages with little memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { days } from '../../../../../test/conformance/report.ts';
import { trafficConformance } from '../../../../../test/conformance/trafficAndConversion.ts';
import { onOnePair } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { barred, computed, named } from '../../../../../test/reports.ts';
import { listsOf, rowsOf, tablesBeside } from '../../../../../test/table.ts';
import { overlay } from '../../../../engine/overlay.ts';
import type { Warehouse } from '../../../../engine/warehouse.ts';
import { trafficAndConversion, trafficByPages } from './report.ts';

const tables = tablesBeside(import.meta.url, 'report.tables.txt');

const [{ options: besideFebruary = {} } = {}] = trafficConformance.questions;
const march = days('2025-03-01', '2025-03-31');

onOnePair('Reports of traffic and conversion', (world) => {
  const answer = (channelId: string, options: object) =>
    computed(world(), channelId, trafficAndConversion, options);
  /** A channel with these products and traffic. */
  const channelWith = async (products: string, traffic: string) => {
    const { channelId } = await world().tenant();
    await importRows(world(), 'products', channelId, rowsOf(products));
    await importRows(world(), 'traffic', channelId, rowsOf(traffic));
    return channelId;
  };

  test('Traffic that the SKUs of a product repeat counts once: in the store, for several SKUs and for the parent', async () => {
    const { key, channelId, merchantId } = await world().tenant({ channel: { timezone: 'UTC' } });
    // Other figures are another row of traffic, and a SKU alone is a separate product. A product
    // under two parents is two rows.
    const traffic = rowsOf(tables.repeatedTraffic!).map((row) => ({
      sessions: 40,
      mobileSessions: 10,
      buyBoxPercentage: 90,
      orderItems: 1,
      orderedUnits: 2,
      orderedRevenue: '10.00',
      ...row,
    }));
    const imported = await importRows(world(), 'traffic', channelId, traffic);
    assert.equal(imported.body.rowsAccepted, 8);
    const viewsOf = async (sellerSkus: readonly string[]) => {
      const { body } = await world().ask(key, 'POST', '/reports/view/salesByPeriod', {
        channelId,
        merchantId,
        sellerSkus,
        reportOptions: { ...days('2025-03-01', '2025-03-01'), timezone: 'UTC' },
      });
      const [day] = body.formattedChartData;
      return [day.pageViews, day.totalSessions, day.unitsSold, day.lineItemCount, day.sales];
    };
    // A 50 + 60, B 50 + 50, C 50 + 50; sessions 40 each.
    assert.deepEqual(await viewsOf([]), [310, 240, 14, 7, '70.00']);
    assert.deepEqual(await viewsOf(['A2']), [50, 40, 2, 1, '10.00']);
    assert.deepEqual(await viewsOf(['A1', 'A2']), [50, 40, 4, 2, '20.00']);
    assert.deepEqual(await viewsOf(['A2', 'A3', 'B1', 'B2']), [210, 160, 8, 4, '40.00']);
    // On the second day, only A2 has the traffic of its product.
    const skus = named(await answer(channelId, { ...march, view: 'skus' }));
    assert.deepEqual(
      skus.map(({ productSku, sku, pageViews }) => `${productSku} ${sku} ${pageViews}`).sort(),
      ['A A1 50', 'A A2 100', 'A A3 60', 'B1 B1 50', 'B2 B2 50', 'C  100'],
    );
    const parents = named(await answer(channelId, march));
    assert.equal(
      parents.reduce((sum, { pageViews }) => sum + Number(pageViews), 0),
      50 + 60 + 100 + 100 + 50,
    );
  });

  test('A SKU belongs to the product and the parent that it last appeared with; other channels do not count', async () => {
    const moved = await channelWith(tables.movedProducts!, tables.movedTraffic!);
    assert.deepEqual(barred(await answer(moved, march)), [
      'T|AP|7||0.00||0|||0.0000||0.0000||3||0.00|||',
    ]);
    assert.deepEqual(barred(await answer(moved, { ...march, view: 'skus' })), [
      'T|A1|S||7||0.00||0|||0.0000||0.0000||3||0.00|||',
    ]);
  });

  test('A SKU that appears without a product belongs to its product in the catalogue', async () => {
    const unnamed = await channelWith(tables.products!, tables.traffic!);
    const { rows } = await answer(unnamed, { ...besideFebruary, view: 'skus' });
    assert.deepEqual(
      rows.map((row) => row.slice(0, 3)),
      listsOf(tables.rows!),
    );
  });

  test('The report on SKUs manages with little memory when it reads many rows of traffic', async () => {
    const { channelId } = await world().tenant();
    const traffic = [
      { date: '2025-02-28', sku: 'A', pageViews: 1, sessions: 1 },
      { date: '2025-03-01', sku: 'A', pageViews: 2, sessions: 1 },
    ];
    await importRows(world(), 'traffic', channelId, traffic);
    const { registry, warehouse } = world();
    const spills: boolean[] = [];
    const own: Pick<Warehouse, 'read'> = {
      read(channels, limits, use) {
        if (limits.spills !== undefined) spills.push(limits.spills);
        return warehouse.read(channels, limits, use);
      },
    };
    const watched = { registry, warehouse: overlay(warehouse, own) };
    const count = async (view: string, options: object) =>
      (await computed(watched, channelId, trafficByPages(100, 1), { ...options, view })).rows
        .length;
    assert.deepEqual([await count('skus', march), await count('skus', besideFebruary)], [1, 1]);
    assert.equal(await count('parents', besideFebruary), 1);
    assert.deepEqual(spills, [false, true, false]);
  });
});
