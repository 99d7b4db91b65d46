/** The facts of an import or of some dates of a dataset are removed with all their sums. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOnePair } from '../../../../test/harness.ts';
import { held, importRows } from '../../../../test/imports.ts';
import { channelNumberOf, refusalOf } from '../../../../test/records.ts';
import { rowsOf } from '../../../../test/table.ts';
import { openImport } from '../../../engine/registry.ts';

const removedNothing = { dryRun: false, rows: 0, datasets: [] };

onOnePair('Removing facts', (world) => {
  test('an import is undone and facts are deleted, with their sums, dates in the zone and the audit log', async () => {
    const zone = { timezone: 'America/New_York', currency: 'USD' };
    const tenant = await world().tenant({ channel: zone });
    const { channelId, merchantId, key } = tenant;
    const put = async (dataset: string, rows: readonly object[]): Promise<number> =>
      (await importRows(world(), dataset, channelId, rows)).body.importId;
    // 23:30 on the 1st in New York, and noon on the 2nd.
    const lines = rowsOf(`orderId, lineId, purchasedAt, sku, quantity, itemPrice
      "1", "1", 2025-03-02T04:30:00Z, A, 1, 10
      "1", "2", 2025-03-02T17:00:00Z, A, 1, 20`);
    await put('orderLines', lines);
    const day = (date: string, pageViews: number) => ({ date, pageViews, orderedRevenue: 7 });
    const traffic = await put('traffic', [day('2025-03-01', 100), day('2025-03-02', 200)]);
    await put('traffic', [day('2025-03-02', 300)]);
    const days = async () => {
      const range = { fromDate: 1740805200, toDate: 1740977999, timezone: 'America/New_York' };
      const body = { channelId, merchantId, includeTax: false, reportOptions: range };
      const view = await world().ask(key, 'POST', '/reports/view/salesByPeriod', body);
      const chart: Record<string, unknown>[] = view.body.formattedChartData;
      return chart.map(({ sales, pageViews }) => `${sales} ${pageViews}`);
    };
    assert.deepEqual(await days(), ['10.00 100', '20.00 300']);

    const undo = `/operator/imports/${traffic}/facts`;
    const found = { dataset: 'traffic', rows: 1, from: '2025-03-01', to: '2025-03-01' };
    const removed = { rows: 1, datasets: [found] };
    const tried = await world().operate('DELETE', `${undo}?dryRun=true`);
    assert.deepEqual(tried, { dryRun: true, ...removed });
    assert.deepEqual(await days(), ['10.00 100', '20.00 300']);
    assert.deepEqual(await world().operate('DELETE', undo), { dryRun: false, ...removed });
    assert.deepEqual(await days(), ['10.00 0', '20.00 300']);
    assert.deepEqual(await world().operate('DELETE', undo), removedNothing);
    const record = await world().operate('GET', `/operator/imports/${traffic}`);
    assert.equal(record.state, 'undone');

    const first = 'from=2025-03-01&to=2025-03-01';
    const facts = `/operator/facts?channelId=${channelId}&dataset=orderLines&${first}`;
    const line = { dataset: 'orderLines', rows: 1, from: '2025-03-01', to: '2025-03-01' };
    assert.deepEqual((await world().operate('DELETE', `${facts}&dryRun=true`)).datasets, [line]);
    assert.deepEqual((await world().operate('DELETE', facts)).datasets, [line]);
    assert.deepEqual(await held(world(), tenant, 'order_line', 'line_id'), [['2']]);
    // Order lines are the source of sales from the 2nd on; the traffic of the 1st is undone.
    assert.deepEqual(await days(), ['0.00 0', '20.00 300']);

    const event = { eventId: 'E', postedAt: '2025-03-02T17:00:00Z', sku: 'A', line: 'sales' };
    await put('financeEvents', [{ ...event, code: 'Principal', amount: 50, quantity: 3 }]);
    const cost = { sku: 'A', effectiveFrom: '2025-01-01', cogs: 2, cogsCurrency: 'USD' };
    const costs = await put('unitCosts', [cost]);
    const cogs = async () => {
      const reportOptions = { fromDate: 1740805200, toDate: 1740977999 };
      const body = { channelId, merchantId, reportOptions };
      return (await world().ask(key, 'POST', '/profitability/storeProfitAndLoss', body)).body;
    };
    const costOf = (body: unknown) => /"cogs":"?([\d.]+)/.exec(JSON.stringify(body))?.[1];
    assert.equal(Number(costOf(await cogs())), 6);
    const ofCosts = await world().operate('DELETE', `/operator/imports/${costs}/facts`);
    assert.deepEqual(ofCosts.datasets, [{ dataset: 'unitCosts', rows: 1, from: null, to: null }]);
    assert.equal(Number(costOf(await cogs())), 0);

    const { entries } = await world().operate('GET', '/operator/audit?action=undoImport');
    const details = entries.map(({ detail }: { detail: { importId: number } }) => detail);
    assert.deepEqual(
      details.filter(({ importId }: { importId: number }) => importId === costs),
      [{ importId: costs, rows: 1, datasets: ['unitCosts'] }],
    );
  });

  test('400, 404 and 409: what cannot be removed is refused with the reason', async () => {
    const { channelId } = await world().tenant();
    const channelNumber = await channelNumberOf(world(), channelId);
    const dates = 'from=2025-01-01&to=2025-01-02';
    const facts = `/operator/facts?channelId=${channelId}`;
    const missing = 'channelId is required, from is required, to is required';
    const ofNoChannel = 'channelId must be absent: exchangeRates belong to no channel';
    const undated = 'from and to must be absent: campaigns have no dates';
    const running = await openImport(world().registry, 'traffic', channelNumber, Date.now());
    for (const [path, status, error] of [
      ['/operator/imports/999999999/facts', 404, 'there is no such import'],
      [`/operator/imports/${running}/facts`, 409, 'the import is still running'],
      ['/operator/facts?channelId=unknown&dataset=products', 404, 'there is no such channel'],
      ['/operator/facts?dataset=traffic', 400, missing],
      [`${facts}&dataset=exchangeRates&${dates}`, 400, ofNoChannel],
      [`${facts}&dataset=campaigns&${dates}`, 400, undated],
    ] as const)
      assert.deepEqual(refusalOf(await world().operator('DELETE', path)), [status, error]);
  });
});
