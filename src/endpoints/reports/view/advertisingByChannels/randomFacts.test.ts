/** The total sales of advertisingByChannels are those of salesByPeriod, whatever the facts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { onRandomFacts, type Tenant, triesOn, type World } from '../../../../../test/harness.ts';
import { level } from '../../../../../test/level.ts';
import {
  cents,
  type Drawn,
  datesFrom,
  instantsFrom,
  rangeFrom,
  rowsBy,
} from '../../../../../test/randomFacts.ts';
import { askView, importFacts } from '../../../../../test/world.ts';

const zones = [
  ...['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland'],
];
const amounts = cents(0, 99_999);
const instants = instantsFrom('2025-03-20', 31);
const dates = datesFrom('2025-03-20', 31);
const sku = fc.constantFrom('A', 'B');
const store = fc.record({
  timezone: fc.constantFrom(...zones),
  lines: fc.array(
    fc.record({
      purchasedAt: instants,
      itemPrice: amounts,
      itemTax: amounts,
      status: fc.constantFrom('Shipped', 'Pending', 'Canceled'),
    }),
    { maxLength: 20 },
  ),
  totals: rowsBy(['date'], { date: dates, orderedRevenue: amounts }, 10),
  products: rowsBy(['date', 'sku'], { date: dates, sku, orderedRevenue: amounts }, 15),
});
const question = fc.record({
  timezone: fc.constantFrom(...zones),
  from: instants,
  length: fc.integer({ min: 0, max: 20 * 86_400 }),
  priorShift: fc.integer({ min: -15 * 86_400, max: 15 * 86_400 }),
  wholeDays: fc.boolean(),
  includeTax: fc.boolean(),
});

/** The range of all facts: at least one range has sales. */
const allDays = { from: Date.parse('2025-03-18') / 1000, length: 35 * 86_400 };
const hasSales = (given: readonly Store[]) =>
  given.some(({ lines }) =>
    lines.some(({ status, itemPrice }) => status === 'Shipped' && Number(itemPrice) > 0),
  );

type Store = Drawn<typeof store>;
type Question = Drawn<typeof question>;

/** Connects the stores and imports their facts; returns their channels. */
async function connect(world: World, { organisationId }: Tenant, given: readonly Store[]) {
  const channelIds: string[] = [];
  for (const { timezone, lines, totals, products } of given) {
    const channelId = randomUUID();
    await world.channel(organisationId, channelId, { timezone, displayName: channelId });
    channelIds.push(channelId);
    await importFacts(world, channelId, {
      orderLines: lines.map((line, index) => ({
        ...{ orderId: `o${index}`, lineId: '1', quantity: 1, ...line },
      })),
      traffic: [...totals, ...products],
      // A cent of spend on every date, so that the ratio to it shows the sales to the last digit.
      campaignDays: Array.from({ length: 80 }, (_, day) => ({
        date: Temporal.PlainDate.from('2025-02-25').add({ days: day }).toString(),
        ...{ campaignId: '1', cost: '0.01' },
      })),
    });
  }
  return channelIds;
}

onRandomFacts('Total sales of advertisingByChannels on random facts', (world) => {
  let rangesWithSales = 0;

  async function check(given: readonly Store[], asked: readonly Question[]) {
    const tenant = await world().tenant({ channel: { hasAdvertisingConnected: false } });
    const { key, merchantId } = tenant;
    const channelIds = await connect(world(), tenant, given);
    for (const one of asked) {
      const { timezone, from, priorShift, includeTax } = one;
      const [fromDate, toDate] = rangeFrom(from, one, timezone);
      const [priorFromDate, priorToDate] = rangeFrom(from + priorShift, one, timezone);
      const { items } = (
        await askView(world(), key, 'advertisingByChannels', {
          reportOptions: { fromDate, toDate, priorFromDate, priorToDate, timezone },
          ...{ includeTax, currentCurrency: 'USD' },
        })
      ).data;
      assert.equal(items.length, given.length);
      for (const channelId of channelIds) {
        const item = items.find(({ store }: { store: string }) => store === channelId);
        for (const [start, end, troas] of [
          [fromDate, toDate, item.troas],
          [priorFromDate, priorToDate, item.priorTroas],
        ]) {
          const reportOptions = { fromDate: start, toDate: end, timezone, interval: 'd' };
          const body = { channelId, merchantId, includeTax, reportOptions };
          const { formattedChartData: rows } = await askView(world(), key, 'salesByPeriod', body);
          const sum = (name: 'sales' | 'adSpend') =>
            rows.reduce(
              (total: Decimal, row: Record<string, string>) => total.plus(row[name]!),
              new Decimal(0),
            );
          if (sum('sales').gt(0)) rangesWithSales++;
          const shown = sum('sales').div(sum('adSpend')).toFixed(2, Decimal.ROUND_HALF_UP);
          assert.equal(troas, shown, JSON.stringify(body));
        }
      }
    }
  }

  test('are the sales that salesByPeriod adds up over the same range, zone and tax', async () => {
    const [stores, questions] = level === 'deep' ? [3, 4] : [2, 3];
    const given = fc.array(store, { minLength: 2, maxLength: stores }).filter(hasSales);
    const asked = fc
      .array(question, { minLength: questions, maxLength: questions })
      .map(([first, ...others]) => [{ ...first!, ...allDays }, ...others]);
    await fc.assert(fc.asyncProperty(given, asked, check), {
      numRuns: triesOn(world(), { embedded: 6, served: 2, normal: 1 }),
    });
    assert.ok(rangesWithSales > 0, 'some ranges have sales');
  });
});
