/** Rows with traffic only count the views of their date, in the report and in the view of sales. */
import assert from 'node:assert/strict';
import { marchInNewYork } from '../../../../../test/conformance/report.ts';
import { onePair } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { computed, named } from '../../../../../test/reports.ts';
import { rowsOf } from '../../../../../test/table.ts';
import { orderedRevenue } from './report.ts';

onePair('Rows of traffic alone count the views of all products on their date', async (world) => {
  const { key, channelId, merchantId } = await world.tenant({
    channel: { kind: 'vendor', timezone: 'America/New_York' },
  });
  const sales = rowsOf(`
    date,       asin, view,          glanceViews, orderedUnits, orderedRevenue
    2025-03-01, B0A,  MANUFACTURING, 100,         5,            50.00
    2025-03-02, B0A,  MANUFACTURING, 30,          1,            10.00
    2025-03-01, B0B,  MANUFACTURING, 40,          2,            20.00
    2025-03-01, B0A,  TRAFFIC,       70
    2025-03-01, B0C,  TRAFFIC,       8
  `);
  await importRows(world, 'vendorSales', channelId, sales);
  const rows = named(await computed(world, channelId, orderedRevenue, marchInNewYork));
  assert.deepEqual(
    rows.map(({ asin, glanceViews, orderedUnits }) => [asin, glanceViews, orderedUnits]),
    [
      ['B0A', '100', '6'],
      ['B0B', '0', '2'],
      ['B0C', '8', '0'],
    ],
  );
  const answer = await world.ask(key, 'POST', '/reports/view/vendorSalesByPeriod', {
    channelId,
    merchantId,
    asins: ['B0A', 'B0B', 'B0C'],
    reportOptions: { ...marchInNewYork, interval: 'y' },
  });
  const [year] = answer.body.formattedChartData;
  assert.deepEqual([year.glanceViews, year.orderedUnits], [108, 8]);
});
