/**
 * The figures of advertisingByChannels are sums made by hand; figures of several currencies equal a
 * decimal computation, fact by fact.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Decimal } from 'decimal.js';
import { converted, sumOf } from '../../../../../test/conformance/exact.ts';
import { onOnePair, type Tenant } from '../../../../../test/harness.ts';
import {
  askView,
  assertShown,
  at,
  compared,
  days,
  fieldsOf,
  importFacts,
  rated,
  rates,
} from '../../../../../test/world.ts';

const name = 'advertisingByChannels';
const march = days('2025-03-01', '2025-03-31');
const inDollars = { reportOptions: march, currentCurrency: 'USD' };

type Item = Record<string, string | number>;

// The row that checks the formulas: its sums are 1200.25, 300.10, 200000, 5200, 176, 220, NTB
// 400.00, 60, 70, and 6002.00 sold in all. Sponsored Products (SP) never have figures on customers
// new to the brand. The last two rows are outside March, with the only facts of the two days around
// it.
const campaignNames =
  'date, campaignId, adType, impressions, clicks, cost, sales, conversions, units, unitsSameSku, ordersNtb, unitsNtb, salesNtb';
const campaignDays = `
  ${campaignNames}
  2025-03-01, "1", SB, 150000, 4000, "200.10", "900.25", 130, 160, 90, 50, 58, "350.00"
  2025-03-31, "2", SD, 40000, 1000, "75.00", "200.00", 36, 46, 21, 10, 12, "50.00"
  2025-03-31, "3", SP, 10000, 200, "25.00", "100.00", 10, 14, 9, 7, 7, "77.00"
  2025-02-28, "1", SB, 500, 10, "5.00", "20.00"
  2025-04-01, "1", SB, 0, 0, "0", "0"
`;
const orderLines = `
  orderId, lineId, purchasedAt,          quantity, itemPrice, itemTax,  status
  a,       "1",    2025-03-01T00:00:00Z, 1,        "5000.00", "400.00"
  b,       "1",    2025-03-31T23:59:59Z, 1,        "1002.00", "80.16"
  c,       "1",    2025-03-15T12:00:00Z, 1,        "9999.00", ,         Canceled
  d,       "1",    2025-04-01T00:00:00Z, 1,        "10.00",   "0.80"
`;
// Sales reported by the marketplace count only on dates before the first order line.
const traffic = `
  date,       orderedRevenue, orderedUnits
  2025-02-28, "50.00",        1
  2025-03-01, "333.00",       3
  2025-03-05, "777.00",       7
`;

onOnePair('The figures of advertisingByChannels', (world) => {
  let tenant: Tenant;
  const itemsOf = async (input: object = {}): Promise<Item[]> =>
    (await askView(world(), tenant.key, name, { ...inDollars, ...input })).data.items;

  before(async () => {
    const [check, idle, none] = ['check', 'idle', 'none'].map((id) => `${id} ${randomUUID()}`);
    tenant = await world().tenant({
      channelId: check!,
      channel: { timezone: 'UTC', displayName: 'Check', countryCode: 'US' },
    });
    const { organisationId } = tenant;
    const german = { displayName: 'Idle', merchantId: 'shop.example', countryCode: 'DE' };
    await world().channel(organisationId, idle!, german);
    const unconnected = { displayName: 'Without ads', hasAdvertisingConnected: false };
    await world().channel(organisationId, none!, unconnected);
    await importFacts(world(), check!, { campaignDays, orderLines, traffic });
    const firstCampaign = campaignDays.split('\n').slice(0, 3).join('\n');
    await importFacts(world(), none!, { campaignDays: firstCampaign });
  });

  const checkRow: Item = {
    store: 'Check',
    countryCode: 'USA',
    marketplace_id: 'ATVPDKIKX0DER',
    seller_id: 'A1MERCHANT',
    ...fieldsOf(`
      adsales,   priorAdsales, spend,    priorSpend, acos,    priorAcos, roas,   priorRoas
      "1200.25", -,            "300.10", -,          "25.00", -,         "4.00", -
      tacos,  priorTacos, troas,   priorTroas, ctr,    cpc,    conv
      "5.00", -,          "20.00", -,          "2.60", "0.06", "3.38"
      NTB_sales, pecentage_sales_NTB, percentage_orders_NTB, percentage_units_NTB
      "400.00",  "33.33",             "34.09",               "31.82"
      impressions, clicks, orders, units, NTB_orders, NTB_units, attributed_units_ordered_same_sku
      200000,      5200,   176,    220,   60,         70,        120
    `),
  };
  const idleRow: Item = {
    store: 'Idle',
    countryCode: 'DEU',
    marketplace_id: '',
    seller_id: 'shop.example',
    ...fieldsOf(`
      adsales, priorAdsales, spend,  priorSpend, acos, priorAcos, roas, priorRoas
      "0.00",  -,            "0.00", -,          -,    -,         -,    -
      tacos, priorTacos, troas, priorTroas, ctr, cpc, conv
      -,     -,          -,     -,          -,   -,   -
      NTB_sales, pecentage_sales_NTB, percentage_orders_NTB, percentage_units_NTB
      "0.00",    -,                   -,                     -
      impressions, clicks, orders, units, NTB_orders, NTB_units, attributed_units_ordered_same_sku
      0,           0,      0,      0,     0,          0,         0
    `),
  };

  test('200: every field of the row that checks the formulas, and zeros for a channel without facts', async () => {
    const input = { reportOptions: march, currentCurrency: 'usd' };
    const page = { pageIndex: 0, pageSize: 10, totalItems: 2, totalPages: 1 };
    assert.deepEqual(await askView(world(), tenant.key, name, input), {
      status: 'success',
      data: { items: [checkRow, idleRow], ...page },
    });
  });

  test('200: with tax, only ratios to total sales change', async () => {
    // 300.10 / 6482.16 and 6482.16 / 300.10.
    const [item] = await itemsOf({ includeTax: true });
    assert.deepEqual(item, { ...checkRow, tacos: '4.63', troas: '21.60' });
  });

  test('200: the comparison has its own sums; before order lines, the marketplace reports the sales', async () => {
    const reportOptions = compared('2025-03-01', '2025-03-31', ['2025-02-01', '2025-02-28']);
    const [check, idle] = await itemsOf({ reportOptions });
    const prior = fieldsOf(`
      priorAdsales, priorSpend, priorAcos, priorRoas, priorTacos, priorTroas
      "20.00",      "5.00",     "25.00",   "4.00",    "10.00",    "10.00"
    `);
    assert.deepEqual(check, { ...checkRow, ...prior });
    assert.deepEqual([idle!.priorSpend, idle!.priorTroas], ['-', '-']);
  });

  test('200: the day of the first order line takes no sales from the marketplace, the day before does', async () => {
    // 50.00 of the marketplace and 6002.00 of order lines for 305.10.
    const [item] = await itemsOf({ reportOptions: days('2025-02-28', '2025-03-31') });
    assert.deepEqual([item!.spend, item!.troas], ['305.10', '19.84']);
  });

  test('200: a comparison whose figures add up to zero is "0.00", one without any "-", even where something was sold', async () => {
    const withPrior = async (first: string, last: string) => {
      const reportOptions = compared('2025-03-01', '2025-03-31', [first, last]);
      return (await itemsOf({ reportOptions }))[0]!;
    };
    assertShown([
      // 10.00 were sold on the first of April.
      await withPrior('2025-04-01', '2025-04-01'),
      await withPrior('2025-04-02', '2025-04-02'),
      // 5000.00 were sold on the days of this one, whose ads are unknown.
      await withPrior('2025-03-02', '2025-03-30'),
    ])`
        priorAdsales, priorSpend, priorAcos, priorRoas, priorTacos, priorTroas
        "0.00",       "0.00",     -,         -,         "0.00",     -
        -,            -,          -,         -,         -,          -
        -,            -,          -,         -,         -,          -
      `;
  });

  test('200: figures belong to dates, from the local date of the start through that of the end; sales to instants', async () => {
    const ofSecond = async (instant: number, timezone: string) => {
      const reportOptions = { fromDate: instant, toDate: instant, timezone };
      return (await itemsOf({ reportOptions }))[0]!;
    };
    // In New York it is still the 28th of February, then the first of March.
    const last = at('UTC', '2025-03-01T04:59:59');
    // The exact second of the first order line, in UTC on the first of March.
    const first = at('UTC', '2025-03-01T00:00');
    assertShown([
      await ofSecond(last, 'America/New_York'),
      await ofSecond(last + 1, 'America/New_York'),
      await ofSecond(first, 'UTC'),
      await ofSecond(first, 'America/New_York'),
    ])`
        impressions, spend,    troas
        500,         "5.00",   "0.00"
        150000,      "200.10", "0.00"
        150000,      "200.10", "24.99"
        500,         "5.00",   "1000.00"
      `;
  });

  test('200: figures may be corrected below zero; a ratio over a negative sum is "-"', async () => {
    const { key, channelId } = await world().tenant({ channel: { timezone: 'UTC' } });
    await importFacts(world(), channelId, {
      campaignDays: `
          date,       campaignId, impressions, clicks, cost,     sales,   conversions
          2025-03-02, "1",        10,          -2,     "-1.005", "-4.00", 1
        `,
    });
    assertShown((await askView(world(), key, name, inDollars)).data.items)`
        spend,   adsales, acos, roas, ctr,      cpc, conv
        "-1.01", "-4.00", -,    -,    "-20.00", -,   -
      `;
  });

  test('200: total sales of a vendor channel are ordered revenue, or shipped revenue that the vendor supplied', async () => {
    const vendor = { kind: 'vendor', timezone: 'UTC' } as const;
    const { key, channelId } = await world().tenant({ channel: vendor });
    await importFacts(world(), channelId, {
      vendorSales: `
        date,       asin, view,          orderedRevenue, shippedRevenue, orderedUnits, shippedUnits
        2025-03-01, A,    MANUFACTURING, "100.00",       "1.00",         1,            1
        2025-03-31, B,    MANUFACTURING, "60.00",        "2.00",         1,            1
        2025-03-01, A,    SOURCING,      "1000.00",      "80.00",        1,            1
        2025-04-01, A,    SOURCING,      "7.00",         "7.00",         1,            1
      `,
      campaignDays: `
        date,       campaignId, cost
        2025-03-03, "1",        "8.00"
      `,
    });
    for (const [input, ratios] of [
      [{}, ['5.00', '20.00']],
      [{ vendorRevenueType: 'orderedRevenue', includeTax: true }, ['5.00', '20.00']],
      [{ vendorRevenueType: 'shippedRevenue' }, ['10.00', '10.00']],
    ] as const) {
      const [item] = (await askView(world(), key, name, { ...inDollars, ...input })).data.items;
      assert.deepEqual([item.tacos, item.troas], ratios, JSON.stringify(input));
    }
  });
});

onOnePair(
  'The currencies of advertisingByChannels',
  (world) => {
    const channels = [
      { currency: 'USD', cents: 100 },
      { currency: 'GBP', cents: 100 },
      { currency: 'JPY', cents: 1 },
    ];
    const dates = ['2025-02-19', '2025-02-28', '2025-03-01', '2025-03-03', '2025-03-05'];
    const factsOf = ({ cents }: { cents: number }) =>
      dates.map((date, index) => ({
        date,
        cost: (((index + 1) * 3331) / cents).toString(),
        sales: (((index + 1) * 12_347 + index) / cents).toString(),
        salesNtb: (((index + 1) * 1111) / cents).toString(),
        price: (((index + 3) * 54_321) / cents).toString(),
      }));
    let tenant: Tenant;

    before(async () => {
      tenant = await world().tenant({ channel: { hasAdvertisingConnected: false } });
      for (const one of channels) {
        const { currency } = one;
        const channelId = randomUUID();
        const settings = { currency, timezone: 'UTC', displayName: currency };
        await world().channel(tenant.organisationId, channelId, settings);
        await importFacts(world(), channelId, {
          campaignDays: factsOf(one).map(({ price: _, ...figures }) => ({
            ...figures,
            campaignId: '1',
            adType: 'SB',
            clicks: 7,
          })),
          orderLines: factsOf(one).map(({ date, price }) => ({
            orderId: date,
            lineId: '1',
            purchasedAt: `${date}T10:00:00Z`,
            quantity: 1,
            itemPrice: price,
          })),
        });
      }
    });

    for (const [target, places] of [
      ['EUR', 2],
      ['USD', 2],
      ['JPY', 0],
      ['GBP', 2],
    ] as const) {
      test(`200: three stores in ${target} equal a decimal computation, fact by fact at the rates of their dates`, async () => {
        const reportOptions = days('2025-02-01', '2025-03-31');
        const input = { reportOptions, currentCurrency: target.toLowerCase(), orderBy: 'store' };
        const items: Item[] = (await askView(world(), tenant.key, name, input)).data.items;
        assertShown(items)`store\nUSD\nJPY\nGBP`;
        for (const one of channels) {
          const sum = (of: 'cost' | 'sales' | 'salesNtb' | 'price') =>
            sumOf(factsOf(one).map((f) => converted(f[of], one.currency, target, f.date, rates)));
          const shown = (value: Decimal, digits = 2) => value.toFixed(digits);
          const [cost, sales] = [sum('cost'), sum('sales')];
          const [ntb, sold] = [sum('salesNtb'), sum('price')];
          const expected = {
            spend: shown(cost, places),
            adsales: shown(sales, places),
            NTB_sales: shown(ntb, places),
            acos: shown(cost.div(sales).times(100)),
            roas: shown(sales.div(cost)),
            tacos: shown(cost.div(sold).times(100)),
            troas: shown(sold.div(cost)),
            cpc: shown(cost.div(35)),
            pecentage_sales_NTB: shown(ntb.div(sales).times(100)),
          };
          const item = items.find(({ store }) => store === one.currency)!;
          assert.deepEqual({ ...item, ...expected }, item);
        }
      });
    }

    test('200: stores without a rate keep their counts, and the header names them', async () => {
      const dong = await world().tenant({ channel: { currency: 'VND', timezone: 'UTC' } });
      const { key, organisationId } = dong;
      const inDong = { reportOptions: march, currentCurrency: 'VND' };
      const spentDong = async () => (await askView(world(), key, name, inDong)).data.items[0].spend;
      assert.equal(await spentDong(), '0');
      await importFacts(world(), dong.channelId, {
        campaignDays: `
          date,       campaignId, cost, clicks, impressions
          2025-03-03, "1",        500
          2025-03-04, "2",        300,  4,      100
        `,
      });
      assert.equal(await spentDong(), '800');
      const [usual, gulf] = [randomUUID(), randomUUID()];
      await world().channel(organisationId, usual, { displayName: 'Saigon "Ä" Tools' });
      await importFacts(world(), usual, {
        campaignDays: [{ date: '2025-03-03', campaignId: '1', cost: 7, sales: 14, clicks: 2 }],
      });
      // A pegged currency follows the dollar: 36.725 / 3.6725.
      await world().channel(organisationId, gulf, { currency: 'AED' });
      await importFacts(world(), gulf, {
        campaignDays: [{ date: '2025-03-03', campaignId: '1', cost: 36.725 }],
      });
      const input = { ...inDollars, orderBy: 'spend' };
      const path = `/reports/view/${name}`;
      const { status, body, headers } = await world().ask(key, 'POST', path, input);
      assert.equal(status, 200);
      assertShown(body.data.items)`
        spend,   priorSpend, acos,    cpc,    adsales, ctr,    clicks
        "10.00", -,          -,       -,      "0.00",  -,      0
        "7.00",  -,          "50.00", "3.50", "14.00", -,      2
        -,       -,          -,       -,      "0.00",  "4.00", 4
      `;
      assert.equal(headers['vitrine-warning'], 'no-exchange-rate;store="Acme US";currency="VND"');
      assert.match(String(headers['access-control-expose-headers']), /vitrine-warning/);
    });
  },
  { begins: rated },
);
