/** Rows with traffic only count the views of their date, in the report and in the view of sales. */
import assert from 'node:assert/strict';
import { marchInNewYork } from '../../../../../test/conformance/report.ts';
import { onePair } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { computed, named } from '../../../../../test/reports.ts';
import { listsOf, rowsOf, tablesBeside } from '../../../../../test/table.ts';
import { orderedRevenue } from './report.ts';

const tables = tablesBeside(import.meta.url, 'report.tables.txt');

onePair('Rows of traffic alone count the views of all products on their date', async (world) => {
  const { key, channelId, merchantId } = await world.tenant({
    channel: { kind: 'vendor', timezone: 'America/New_York' },
  });
  const sales = rowsOf(tables.sales!);
  await importRows(world, 'vendorSales', channelId, sales);
  const rows = named(await computed(world, channelId, orderedRevenue, marchInNewYork));
  assert.deepEqual(
    rows.map(({ asin, glanceViews, orderedUnits }) => [asin, glanceViews, orderedUnits]),
    listsOf(tables.rows!),
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
