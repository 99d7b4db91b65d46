/**
 * The report of customer lifetime value covers only its channel's customers, takes one buyer per
 * order, and converts all prices other than zero.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  lifetimeConformance,
  localDays,
  orderLines,
} from '../../../../../test/conformance/customerLifetimeValue.ts';
import { onOnePair } from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';
import { computed, named } from '../../../../../test/reports.ts';
import { rowsOf } from '../../../../../test/table.ts';
import { importFacts } from '../../../../../test/world.ts';
import { customerLifetimeValue } from './report.ts';

onOnePair('Reports of customer lifetime value', (world) => {
  const cohorts = (channelId: string, options: object) =>
    computed(world(), channelId, customerLifetimeValue, options);
  const winter = localDays('2025-01-01', '2025-02-28');
  /** A channel with these order lines. */
  const channelWith = async (csv: string) => {
    const { channelId } = await world().tenant();
    await importFacts(world(), channelId, { orderLines: orderLines(csv) });
    return channelId;
  };

  test('Customers of other channels do not count', async () => {
    await importFacts(world(), (await world().tenant()).channelId, lifetimeConformance.facts);
    const other = await channelWith(`
      buyerEmail,      purchasedAt, itemPrice
      ann@example.com, 2025-02-10,  5.00
    `);
    const [january, february] = named(await cohorts(other, winter));
    assert.deepEqual(
      [january!.totalCustomers, february!.totalCustomers, february!.totalRevenue],
      ['0', '1', '5.00'],
    );
  });

  test('An order whose lines name two buyers has the same buyer, whichever line comes first', async () => {
    const shared = await channelWith(`
      orderId, lineId, buyerEmail,      purchasedAt, itemPrice
      first,   "1",    ann@example.com, 2025-01-10,  5.00
      first,   "2",    bob@example.com, 2025-01-10,  5.00
      second,  "1",    bob@example.com, 2025-02-10,  5.00
      second,  "2",    ann@example.com, 2025-02-10,  5.00
    `);
    const [january, february] = named(await cohorts(shared, winter));
    assert.deepEqual(
      [january!.totalCustomers, january!.repeatCustomers, january!.totalRevenue],
      ['1', '1', '20.00'],
    );
    assert.equal(february!.totalCustomers, '0');
  });

  test('Foreign prices that add up to zero are still converted; a price of zero needs no rate', async () => {
    const rates = rowsOf(`
      date,       currency, perEuro
      2025-03-27, USD,      1.0713
      2025-03-27, GBP,      0.8437
    `);
    await importRows(world(), 'exchangeRates', undefined, rates);
    const abroad = await channelWith(`
      buyerEmail,       purchasedAt,          itemPrice, currency
      ann@example.com,  2025-02-10T12:00:00Z, 1.00,      USD
      ann@example.com,  2025-03-28T12:01:00Z, -10.00,    GBP
      bob@example.com,  2025-03-28T12:14:00Z, 10.00,     GBP
      cleo@example.com, 2025-03-28T12:14:00Z, 0,         CHF
    `);
    // 10.00 GBP are 10.00 / 0.8437 x 1.0713 = 12.6976 USD.
    const found = named(await cohorts(abroad, localDays('2025-02-01', '2025-03-31')));
    assert.deepEqual(
      found.map(({ totalRevenue, totalCustomers }) => [totalRevenue, totalCustomers]),
      [
        ['-11.70', '1'],
        ['12.70', '2'],
      ],
    );
  });
});
