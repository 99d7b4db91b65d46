/**
 * The figures of vendorSalesByPeriod are sums made by hand, from all reports of vendors and in
 * other currencies; its refusals state why.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onOnePair, type Tenant, type World } from '../../../../test/harness.ts';
import { tablesBeside } from '../../../../test/table.ts';
import { unknown, vendor } from '../../../../test/vendorSales.ts';
import {
  askView,
  assertShown,
  at,
  compared,
  days,
  fieldsOf,
  importFacts,
  priorOf,
  rated,
} from '../../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'vendorSalesByPeriod.tables.txt');

type Row = Record<string, string | number>;

async function view(
  world: World,
  { key, channelId, merchantId }: Tenant,
  reportOptions: object,
  more: object = {},
): Promise<{ status: string; currency: string; formattedChartData: Row[] }> {
  const body = { channelId, merchantId, reportOptions, ...more };
  return await askView(world, key, 'vendorSalesByPeriod', body);
}

/** The rows of an answer. */
async function rowsOf(...input: Parameters<typeof view>): Promise<Row[]> {
  return (await view(...input)).formattedChartData;
}

function metricsOf({ startTime: _, endTime: __, currency: ___, ...metrics }: Row): Row {
  return metrics;
}

async function advertising(world: World, { key }: Tenant, more: object): Promise<Row[]> {
  const body = { currentCurrency: 'USD', ...more };
  return (await askView(world, key, 'advertisingByChannels', body)).data.items;
}

// The small world: three days of two products. Every figure below is a sum made by hand.
const facts = tablesBeside(import.meta.url, 'vendorSalesByPeriod.facts.txt');

const zeros: Row = { ...unknown, ...fieldsOf(tables.nothing!) };
/** The retail price is 25.005, the shares of advertising 11.9976 % and 17.1428 %. */
const firstDay: Row = fieldsOf(tables.firstDay!);
const shipped: Row = { ...zeros, ...fieldsOf(tables.shipped!) };

onOnePair('The small world of a vendor', (world) => {
  let tenant: Tenant;
  const ofVendor = (options: object, more?: object) => rowsOf(world(), tenant, options, more);

  before(async () => {
    tenant = await world().tenant({ channel: vendor });
    await importFacts(world(), tenant.channelId, facts);
  });

  test('200: every metric of a day, without a comparison', async () => {
    const day = fieldsOf(tables.day!);
    assert.deepEqual(await view(world(), tenant, days('2025-03-10', '2025-03-10')), {
      status: 'success',
      currency: 'USD',
      formattedChartData: [{ ...day, ...firstDay, ...priorOf(unknown) }],
    });
  });

  test('200: the comparison is paired by position: facts, facts that sum to zero, and none at all', async () => {
    const rows = await ofVendor({
      ...days('2025-03-11', '2025-03-14'),
      priorFromDate: at('UTC', '2025-03-10T12:00'),
      priorToDate: at('UTC', '2025-03-12T12:00'),
    });
    assert.deepEqual(rows.map(metricsOf), [
      { ...zeros, ...priorOf(firstDay) },
      { ...shipped, ...priorOf(zeros) },
      { ...zeros, ...priorOf(shipped) },
      { ...zeros, ...priorOf(unknown) },
    ]);
  });

  test('200: a prior day without any row of sales or advertising is "-", near and far', async () => {
    for (const year of [2025, 2023]) {
      const prior = [`${year}-03-13`, `${year}-03-14`] as const;
      assertShown(await ofVendor(compared('2025-03-10', '2025-03-11', prior)))`${tables.paired}`;
    }
  });

  test('200: windows far from each other have their own figures', async () => {
    assertShown(
      await ofVendor(compared('2026-01-01', '2026-01-01', ['2025-03-10', '2025-03-10'])),
    )`${tables.farApart}`;
  });

  test('200: a week, a month, a quarter and a year add up to their dates, and are clipped to the range', async () => {
    for (const interval of ['w', 'month', 'Q', 'year'])
      assertShown(
        await ofVendor({ ...days('2025-03-10', '2025-03-12'), interval }),
        interval,
      )`${tables.intervals}`;
  });

  test('200: dates are never moved by the zone, and a part of a day has the whole of its date', async () => {
    const timezone = 'Pacific/Auckland';
    const noon = at(timezone, '2025-03-10T12:00');
    assertShown(await ofVendor({ fromDate: noon, toDate: noon + 1, timezone }))`${tables.zones}`;
  });

  test('200: ASINs restrict sales and advertised products; unknown ones are ignored', async () => {
    const range = compared('2025-03-10', '2025-03-11', ['2025-03-12', '2025-03-13']);
    const [first, second] = await ofVendor(range, { asins: ['B0A', 'no such', 'B0A'] });
    // The conversion rate is 2.666.
    const own = fieldsOf(tables.ofAsins!);
    assert.deepEqual(metricsOf(first!), { ...own, ...priorOf(shipped) });
    // The second day has a row of the campaign, but none of the product.
    assert.deepEqual([second!.orderedRevenue, second!.priorOrderedRevenue], ['0.00', '-']);
  });

  test('200: each ASIN has its own sales and advertising; an empty list restricts nothing', async () => {
    const of = async (asin: string) =>
      (await ofVendor(days('2025-03-10', '2025-03-10'), { asins: [asin] }))[0]!;
    assertShown([await of('B0B'), await of('B0C'), await of('A-1')])`${tables.eachAsin}`;
    const all = days('2025-03-10', '2025-03-12');
    assert.deepEqual(await ofVendor(all, { asins: [] }), await ofVendor(all));
  });
});

onOnePair('Other sources of vendor sales', (world) => {
  test('200: products are not added to reported totals of the vendor, and ASINs still have their own figures', async () => {
    const tenant = await world().tenant({ channel: vendor });
    await importFacts(world(), tenant.channelId, {
      vendorSales: `
        ${facts.vendorSales}
        2025-03-10, , MANUFACTURING, 1000, "1000.00", 40
      `,
      campaignDays: facts.campaignDays!,
    });
    const range = days('2025-03-10', '2025-03-10');
    assertShown([
      ...(await rowsOf(world(), tenant, range)),
      ...(await rowsOf(world(), tenant, range, { asins: ['B0A', 'B0B'] })),
    ])`${tables.totals}`;
    const [item] = await advertising(world(), tenant, { reportOptions: range });
    assert.equal(item!.tacos, '3.00');
  });

  test('200: views of product pages come from rows of traffic on the dates that have any', async () => {
    const tenant = await world().tenant({ channel: vendor });
    await importFacts(world(), tenant.channelId, { vendorSales: tables.views! });
    const range = days('2025-03-10', '2025-03-12');
    const views = async (asins: string[]) =>
      (await rowsOf(world(), tenant, range, { asins })).map(
        (row) => `${row.glanceViews} ${row.conversionRate}`,
      );
    assert.deepEqual(await views([]), ['500 2.0', '30 20.0', '7 0.0']);
    assert.deepEqual(await views(['B0A']), ['500 1.6', '30 20.0', '0 -']);
    // The date has traffic rows, but none of this product.
    assert.deepEqual(await views(['B0B']), ['0 -', '0 -', '0 -']);
  });

  test('200: figures corrected below zero are negative, and nothing is divided by them', async () => {
    const tenant = await world().tenant({ channel: vendor });
    await importFacts(world(), tenant.channelId, {
      vendorSales: tables.corrections!,
      campaignDays: tables.correctedSpend!,
    });
    const [row] = await rowsOf(world(), tenant, days('2025-03-10', '2025-03-10'));
    const expected = fieldsOf(tables.corrected!);
    assert.deepEqual({ ...row, ...expected }, row);
  });
});

onOnePair(
  'Currencies of vendor sales',
  (world) => {
    test('200: yen have no decimals, dinars three, and the retail price at least two', async () => {
      for (const [currency, revenue, price] of [
        ['JPY', '101', '33.67'],
        ['KWD', '101.000', '33.667'],
      ] as const) {
        const tenant = await world().tenant({ channel: { ...vendor, currency } });
        await importFacts(world(), tenant.channelId, { vendorSales: tables.places! });
        const answer = await view(world(), tenant, days('2025-03-10', '2025-03-10'));
        const [row] = answer.formattedChartData;
        assert.equal(answer.currency, currency);
        assertShown([row!])`currency, orderedRevenue, retailPrice
          ${currency}, "${revenue}", "${price}"`;
      }
    });

    test('200: facts of another currency are converted at the rate of their date', async () => {
      const tenant = await world().tenant({ channel: { ...vendor, currency: 'EUR' } });
      await importFacts(world(), tenant.channelId, {
        vendorSales: tables.foreignSales!,
        adProductDays: tables.foreignSpend!,
      });
      const range = days('2025-06-10', '2025-06-12');
      // 10 USD are 8 EUR, also on the next day, and then 6.25 EUR.
      assertShown(await rowsOf(world(), tenant, range))`${tables.converted}`;
      assertShown(
        await rowsOf(world(), tenant, range, { asins: ['B0A'] }),
      )`${tables.convertedAsin}`;
    });
  },
  { begins: rated },
);
