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
import { rowsOf, tablesBeside } from '../../../../../test/table.ts';
import { importFacts } from '../../../../../test/world.ts';
import { customerLifetimeValue } from './report.ts';

const tables = tablesBeside(import.meta.url, 'report.tables.txt');

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
    const other = await channelWith(tables.others!);
    const [january, february] = named(await cohorts(other, winter));
    assert.deepEqual(
      [january!.totalCustomers, february!.totalCustomers, february!.totalRevenue],
      ['0', '1', '5.00'],
    );
  });

  test('An order whose lines name two buyers has the same buyer, whichever line comes first', async () => {
    const shared = await channelWith(tables.sharedOrders!);
    const [january, february] = named(await cohorts(shared, winter));
    assert.deepEqual(
      [january!.totalCustomers, january!.repeatCustomers, january!.totalRevenue],
      ['1', '1', '20.00'],
    );
    assert.equal(february!.totalCustomers, '0');
  });

  test('Foreign prices that add up to zero are still converted; a price of zero needs no rate', async () => {
    const rates = rowsOf(tables.rates!);
    await importRows(world(), 'exchangeRates', undefined, rates);
    const abroad = await channelWith(tables.foreignOrders!);
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
