/** The vendor's report of sales by product shows the units ordered. */
import assert from 'node:assert/strict';
import { salesConformance } from '../../../../../test/conformance/others.ts';
import { onePair } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { computed, named } from '../../../../../test/reports.ts';
import { rowsOf, textBeside } from '../../../../../test/table.ts';
import { salesByProduct } from './report.ts';

const [{ options: march } = {}] = salesConformance.questions;

onePair('Reports of vendors have ordered revenue and units', async (world) => {
  const { key, channelId, merchantId } = await world.tenant({
    channel: { kind: 'vendor', currency: 'EUR' },
  });
  const sales = rowsOf(textBeside(import.meta.url, 'report.sales.csv'));
  await importRows(world, 'vendorSales', channelId, sales);
  const [row] = named(await computed(world, channelId, salesByProduct, march));
  assert.deepEqual(
    [row!.productSku, row!.poValue, row!.unitsOrdered, row!.avPrice, row!.lastSold],
    ['B0V', '50.00', '4', '12.50', '2025-03-05T00:00:00.000+01:00'],
  );
  const { body } = await world.ask(key, 'POST', '/reports/view/salesByProduct', {
    channelId,
    merchantId,
    ...march,
  });
  const [{ current }] = body.rows;
  assert.deepEqual(
    [current.totalSales, current.unitsSold, current.directFulfillmentSales, body.count],
    [50, 4, 0, 1],
  );
});
