/** In the report, margins of weeks are weighted by the shipments of their days. */
import assert from 'node:assert/strict';
import { marchInNewYork } from '../../../../../test/conformance/report.ts';
import { onePair } from '../../../../../test/harness.ts';
import { importDocument, importRows } from '../../../../../test/imports.ts';
import { computed, named } from '../../../../../test/reports.ts';
import { rowsOf, textBeside } from '../../../../../test/table.ts';
import { shippedRevenue } from './report.ts';

onePair(
  'A margin of several days weighs as much as what was shipped on them in the period',
  async (world) => {
    const weekly = await world.tenant({
      channel: { kind: 'vendor', timezone: 'America/New_York' },
    });
    // The last one has no margin.
    const sales = rowsOf(textBeside(import.meta.url, 'report.sales.csv'));
    await importRows(world, 'vendorSales', weekly.channelId, sales);
    const week = (startDate: string, endDate: string, netPureProductMargin: number) => ({
      startDate,
      endDate,
      asin: 'B0A',
      netPureProductMargin,
    });
    const document = {
      reportSpecification: {
        reportType: 'GET_VENDOR_NET_PURE_PRODUCT_MARGIN_REPORT',
        reportOptions: { reportPeriod: 'WEEK' },
        dataStartTime: '2025-02-23',
        dataEndTime: '2025-03-08',
        marketplaceIds: [weekly.merchantId.split(' @ ')[1] ?? 'ATVPDKIKX0DER'],
      },
      netPureProductMarginByAsin: [
        week('2025-02-23', '2025-03-01', 0.2),
        week('2025-03-02', '2025-03-08', 0.4),
      ],
    };
    const text = JSON.stringify(document);
    const answer = await importDocument(world, weekly.channelId, text, '&coarse=lastDay');
    assert.equal(answer.body.rowsAccepted, 2, JSON.stringify(answer.body));
    // 0.2 of 10.00 and 0.4 of 30.00.
    const [row] = named(await computed(world, weekly.channelId, shippedRevenue, marchInNewYork));
    assert.equal(row!.netPureProductMargin, '35.00');
  },
);
