/**
 * The report of cancellations and refunds agrees with the view of sales and the profit and loss,
 * converts amounts at the rates of their local dates, and has no ASINs for other marketplaces.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal } from 'decimal.js';
import {
  orderLines,
  refunds,
  refundsConformance,
} from '../../../../../test/conformance/cancellationsAndRefunds.ts';
import { alone, marchInNewYork } from '../../../../../test/conformance/report.ts';
import { onOnePair } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { barred, computed, named } from '../../../../../test/reports.ts';
import { rowsOf, tablesBeside } from '../../../../../test/table.ts';
import { importFacts } from '../../../../../test/world.ts';
import { cancellationsAndRefunds } from './report.ts';

const tables = tablesBeside(import.meta.url, 'report.tables.txt');

const march = alone(marchInNewYork);

onOnePair('Reports of cancellations and refunds', (world) => {
  const answer = (channelId: string, options: object) =>
    computed(world(), channelId, cancellationsAndRefunds, options);

  test('Net sales equal the view of sales, and refunds equal the profit and loss', async () => {
    const { key, channelId, merchantId } = await world().tenant({
      channel: { timezone: 'America/New_York' },
    });
    await importFacts(world(), channelId, refundsConformance.facts);
    const names = { channelId, merchantId };
    for (const includeTax of [false, true]) {
      const report = named(await answer(channelId, { ...marchInNewYork, includeTax }));
      const sum = (column: string) =>
        report.reduce((total, row) => total.plus(row[column]!), new Decimal(0)).toFixed(2);
      const { body } = await world().ask(key, 'POST', '/reports/view/salesByPeriod', {
        ...names,
        includeTax,
        reportOptions: { ...marchInNewYork, interval: 'y' },
      });
      const [year] = body.formattedChartData;
      assert.deepEqual([sum('netSales'), sum('priorNetSales')], [year.sales, year.priorSales]);
      const profit = await world().ask(key, 'POST', '/profitability/storeProfitAndLoss', {
        ...names,
        reportOptions: { ...march, includeTax },
      });
      assert.equal(Number(sum('refundedSales')), -profit.body.refunds);
      assert.equal(sum('refundedSales'), includeTax ? '54.50' : '52.50');
    }
  });

  test('Sales are blank where no order lines cover the window', async () => {
    const { channelId } = await world().tenant({ channel: { timezone: 'UTC' } });
    const financeEvents = refunds(tables.uncoveredRefunds!);
    await importFacts(world(), channelId, { financeEvents });
    assert.deepEqual(barred(await answer(channelId, march)), [
      'A|||||||||||||||1.00||1||||||||USD',
    ]);
  });

  test('Each amount is converted at the rate of its local date, across a change of clocks', async () => {
    const { channelId } = await world().tenant({ channel: { timezone: 'America/New_York' } });
    const rates = rowsOf(tables.rates!);
    await importRows(world(), 'exchangeRates', undefined, rates);
    // Half past midnight in summer time, which began the day before.
    const facts = {
      orderLines: orderLines(tables.foreignOrders!),
      financeEvents: refunds(tables.foreignRefunds!),
    };
    await importFacts(world(), channelId, facts);
    // 11.00 + 12.00 + 12.00 + 0.50, less 12.00 cancelled; 1.10 of 23.50 refunded.
    assert.deepEqual(barred(await answer(channelId, march)), [
      'A|||||35.50||12.00||33.80||23.50||4||1.10||1||4.68||33.33||1||USD',
    ]);
    // In London time, all four were on the tenth.
    const [london] = barred(await answer(channelId, { ...march, timezone: 'Europe/London' }));
    assert.match(london!, /^A\|{5}36\.50\|\|12\.00\|/);
  });

  test('A channel without orders has no rows, however long the periods are; that of another marketplace has no ASINs', async () => {
    const ages = { fromDate: 0, toDate: 1e11 };
    assert.deepEqual(barred(await answer((await world().tenant()).channelId, ages)), []);
    const { channelId } = await world().tenant({ channel: { marketplace: 'shopify' } });
    const facts = orderLines(tables.orders!);
    await importFacts(world(), channelId, { orderLines: facts });
    assert.deepEqual(barred(await answer(channelId, ages)), [
      'W-1|||||9.00||0.00||0.00||9.00||1||0.00||0||0.00||0.00||0||USD',
    ]);
  });
});
