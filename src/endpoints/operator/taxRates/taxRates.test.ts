/**
 * Tax that no document states is taken out of orders and financial events by the rates of their
 * channel, with and without the marketplace's VAT service. Amounts are worked out by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOnePair } from '../../../../test/harness.ts';
import { assertRefused, taken } from '../../../../test/imports.ts';
import { sampled } from '../../../../test/level.ts';
import { opening, row, tableOf, v2 } from '../../../../test/settlements.ts';
import { StoredChannel } from '../../../../test/storedChannel.ts';

const german = { merchantId: 'A1 @ A1PA6795UKMFR9', countryCode: 'DE', currency: 'EUR' };
const british = { merchantId: 'A1 @ A1F83G8C2ARO7P', countryCode: 'GB', currency: 'GBP' };
const stores = { german, british } as const;
const titles =
  'amazon-order-id,purchase-date,order-status,sku,quantity,currency,item-price,item-tax,last-updated-date';
const orders = (currency: string, ...rows: readonly string[]) =>
  [titles, ...rows.map((one) => one.replace('?', `Shipped,TEA,1,${currency}`))]
    .map((one) => one.replaceAll(',', '\t'))
    .join('\n');
const amounts = (currency: string, ...rows: readonly (readonly string[])[]) => {
  const cents = rows.reduce((sum, [, , amount]) => sum + Math.round(Number(amount) * 100), 0);
  const all = rows.map(([order = '', names = '', amount = '', day = '03-05'], place) => {
    const of = { 'order-id': order, 'posted-date-time': `2025-${day} 10:00:00 UTC` };
    return row(names, amount, { ...of, sku: place === 1 ? 'BOOK' : 'TEA' });
  });
  return tableOf(v2, [opening((cents / 100).toFixed(2), { currency }), ...all]);
};
const sold = 'Order|ItemPrice|Principal';

onOnePair('Taxes that no document states', (world) => {
  const save = (channel: StoredChannel, taxRates: readonly object[]) =>
    world().operate('PUT', `/operator/channels/${channel.tenant.channelId}/taxRates`, { taxRates });
  const sales = async (channel: StoredChannel) =>
    Promise.all(
      [false, true].map(async (includeTax) => {
        const days = await channel.view('2025-02-01T00:00', '2025-04-01T00:00', 'UTC', {
          includeTax,
        });
        return days.reduce((sum, day) => sum + Number(day.sales), 0).toFixed(2);
      }),
    );
  const profit = async ({ tenant }: StoredChannel) => {
    const { key, channelId, merchantId } = tenant;
    const lines = [];
    let warning: unknown;
    for (const includeTax of [false, true]) {
      const range = { fromDate: Date.UTC(2025, 1) / 1000, toDate: Date.UTC(2025, 3) / 1000 };
      const body = {
        channelId,
        merchantId,
        reportOptions: { ...range, timezone: 'UTC', includeTax },
      };
      const answer = await world().ask(key, 'POST', '/profitability/storeProfitAndLoss', body);
      const { sales, otherIncome, promotions, refunds, sellingFees, totalRevenue } = answer.body;
      lines.push([sales, otherIncome, promotions, refunds, sellingFees, totalRevenue].map(Number));
      warning = answer.headers['vitrine-warning'];
    }
    return { lines, warning };
  };

  for (const name of sampled(['german', 'british'] as const, 2))
    test(`a ${name} store: orders, a settlement with refunds, and profit`, async () => {
      const settings = stores[name];
      const { currency } = settings;
      const channel = await StoredChannel.open(world(), { ...settings, timezone: 'UTC' });
      taken(
        await channel.import(
          orders(
            currency,
            'A,2025-02-27T10:00:00Z,?,119.00,',
            'B,2025-03-05T10:00:00Z,Shipped,BOOK,1,EUR,107.00,'.replace('EUR', currency),
            'C,2025-03-05T10:00:00Z,?,119.00,19.00',
            'D,2025-03-05T10:00:00Z,?,50.00,0.00',
          ),
        ),
        'allOrders',
        4,
      );
      const settlement = amounts(
        currency,
        ['A', sold, '119.00'],
        ['B', sold, '107.00'],
        ['A', 'Order|ItemPrice|Shipping', '5.95'],
        ['A', 'Order|Promotion|Principal', '-11.90'],
        ['A', 'Order|ItemFees|Commission', '-15.00'],
        ['A', 'Refund|ItemPrice|Principal', '-59.50'],
        ['C', sold, '100.00'],
        ['C', 'Order|ItemPrice|Tax', '19.00'],
        ['D', sold, '50.00'],
        ['D', 'Order|ItemPrice|Tax', '0.00'],
        // Its order is not known: the date of posting decides.
        ['E', sold, '116.00'],
        // A refund has the rate of the sale.
        ['F', sold, '23.80', '02-28'],
        ['F', 'Refund|ItemPrice|Principal', '-11.90'],
      );
      assert.equal((await channel.import(settlement)).status, 200);
      // Without rates prices stay as they are: 119 + 107 + 100 + 50, and + 116 of E, 23.80 of F.
      assert.deepEqual(await sales(channel), ['376.00', '395.00']);
      const asStated = [
        [515.8, 5.95, -11.9, -71.4, 15, 438.45],
        [534.8, 5.95, -11.9, -71.4, 15, 457.45],
      ];
      const { lines, warning } = await profit(channel);
      assert.deepEqual(lines, asStated);
      assert.match(String(warning), /^unstated-tax;store="/);
      const path = `/operator/channels/${channel.tenant.channelId}/taxRates`;
      const none = await world().operate('GET', path);
      assert.deepEqual(none.unstated.orders, { from: '2025-02-27', to: '2025-03-05' });

      const saved = await save(channel, [
        { rate: 19 },
        { rate: 16, effectiveFrom: '2025-03-01' },
        { rate: 7, sku: 'BOOK' },
      ]);
      assert.deepEqual(saved.unstated, { orders: null, financeEvents: null });
      assert.deepEqual(await sales(channel), ['350.00', '395.00']);
      // Sales 100 + 100 + 100 + 50 + 100 + 20; the tax of shipping and promotion stands with sales:
      // 19 + 7 + 19 + 16 + 3.80 + 0.95 - 1.90.
      const rated = [
        [470, 5, -10, -60, 15, 405],
        [533.85, 5, -10, -71.4, 15, 457.45],
      ];
      assert.deepEqual(await profit(channel), { lines: rated, warning: undefined });
      // A document that comes again is settled again; one that states a tax of B undoes its rate.
      await channel.import(settlement);
      assert.deepEqual((await profit(channel)).lines, rated);
      const later = amounts(currency, ['B', 'Order|ItemPrice|Tax', '0.00']);
      await channel.import(later.replaceAll('501', '502'));
      assert.deepEqual((await profit(channel)).lines[0]![0], 477);
      await save(channel, []);
      assert.deepEqual((await profit(channel)).lines, asStated);
      assert.deepEqual(await sales(channel), ['376.00', '395.00']);
      const wrong = [{ rate: 19 }, { rate: 7, effectiveFrom: '1970-01-01' }, { rate: 1.23456 }];
      assertRefused(await world().operator('PUT', path, { taxRates: wrong }))`
        taxRates[1].effectiveFrom must differ from that of taxRates[0]: both are rates of all SKUs
        from 1970-01-01, taxRates[2].effectiveFrom must differ from that of taxRates[0]: both are
        rates of all SKUs from 1970-01-01, taxRates[2].rate must have at most 4 decimal places`;
    });
});
