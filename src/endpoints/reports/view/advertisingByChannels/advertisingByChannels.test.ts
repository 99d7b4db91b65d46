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
import { listsOf, tablesBeside } from '../../../../../test/table.ts';
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

const tables = tablesBeside(import.meta.url, 'advertisingByChannels.tables.txt');

const name = 'advertisingByChannels';
const march = days('2025-03-01', '2025-03-31');
const inDollars = { reportOptions: march, currentCurrency: 'USD' };

type Item = Record<string, string | number>;

// The row that checks the formulas: its sums are 1200.25, 300.10, 200000, 5200, 176, 220, NTB
// 400.00, 60, 70, and 6002.00 sold in all. Sponsored Products (SP) never have figures on customers
// new to the brand. The last two rows are outside March, with the only facts of the two days around
// it.
const campaignDays = tables.campaignDays!;
const orderLines = tables.orderLines!;
// Sales reported by the marketplace count only on dates before the first order line.
const traffic = tables.traffic!;

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
    ...fieldsOf(tables.checkFigures!),
  };
  const idleRow: Item = {
    store: 'Idle',
    countryCode: 'DEU',
    marketplace_id: '',
    seller_id: 'shop.example',
    ...fieldsOf(tables.idleFigures!),
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
    const prior = fieldsOf(tables.priorFigures!);
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
    ])`${tables.emptyComparisons}`;
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
    ])`${tables.localDates}`;
  });

  test('200: figures may be corrected below zero; a ratio over a negative sum is "-"', async () => {
    const { key, channelId } = await world().tenant({ channel: { timezone: 'UTC' } });
    await importFacts(world(), channelId, { campaignDays: tables.corrections! });
    assertShown(
      (await askView(world(), key, name, inDollars)).data.items,
    )`${tables.correctedRatios}`;
  });

  test('200: total sales of a vendor channel are ordered revenue, or shipped revenue that the vendor supplied', async () => {
    const vendor = { kind: 'vendor', timezone: 'UTC' } as const;
    const { key, channelId } = await world().tenant({ channel: vendor });
    await importFacts(world(), channelId, {
      vendorSales: tables.vendorSales!,
      campaignDays: tables.vendorSpend!,
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

    for (const [target, places] of listsOf(tables.currencies!)) {
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
      await importFacts(world(), dong.channelId, { campaignDays: tables.inDong! });
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
      assertShown(body.data.items)`${tables.unrated}`;
      assert.equal(headers['vitrine-warning'], 'no-exchange-rate;store="Acme US";currency="VND"');
      assert.match(String(headers['access-control-expose-headers']), /vitrine-warning/);
    });
  },
  { begins: rated },
);
