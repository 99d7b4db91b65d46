import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  casesOn,
  hardlyLimited,
  onEachPair,
  onOnePair,
  onRandomFacts,
  type Tenant,
  triesOn,
  type World,
} from '../../../../../test/harness.ts';
import { importRows } from '../../../../../test/imports.ts';

const path = '/reports/view/advertisingByChannels';

type Item = Record<string, string | number>;
type Data = {
  items: Item[];
  pageIndex: number;
  pageSize: number;
  totalItems: number;
  totalPages: number;
};

/** Epoch seconds of a wall time. */
function at(zone: string, wall: string): number {
  return Math.floor(
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds / 1000,
  );
}

/** The options of a period from the start of a date through the end of another one. */
function days(first: string, last: string, timezone = 'UTC') {
  return {
    fromDate: at(timezone, `${first}T00:00`),
    toDate: at(timezone, `${last}T23:59:59`),
    timezone,
  };
}

const march = days('2025-03-01', '2025-03-31');

async function view(world: World, key: string, asked: object): Promise<Data> {
  const answer = await world.ask(key, 'POST', path, {
    reportOptions: march,
    currentCurrency: 'USD',
    ...asked,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.status, 'success');
  return answer.body.data;
}

async function refused(world: World, key: string, body: unknown): Promise<string> {
  const answer = await world.ask(key, 'POST', path, body);
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  assert.equal(answer.body.status, 'error');
  return answer.body.error;
}

const stores = ({ items }: Data) => items.map((item) => item.store);

const zeros = {
  adsales: '0.00',
  priorAdsales: '-',
  spend: '0.00',
  priorSpend: '-',
  acos: '-',
  priorAcos: '-',
  roas: '-',
  priorRoas: '-',
  tacos: '-',
  priorTacos: '-',
  troas: '-',
  priorTroas: '-',
  ctr: '-',
  cpc: '-',
  conv: '-',
  NTB_sales: '0.00',
  pecentage_sales_NTB: '-',
  percentage_orders_NTB: '-',
  percentage_units_NTB: '-',
  impressions: 0,
  clicks: 0,
  orders: 0,
  units: 0,
  NTB_orders: 0,
  NTB_units: 0,
  attributed_units_ordered_same_sku: 0,
};

onEachPair('The figures of advertisingByChannels', (world) => {
  let tenant: Tenant;

  // The row that the formulas are checked by: its sums are 1200.25, 300.10, 200000, 5200, 176, 220,
  // NTB 400.00, 60, 70, and 6002.00 sold in all.
  const campaigns = [
    {
      date: '2025-03-01',
      campaignId: '1',
      adType: 'SB',
      impressions: 150_000,
      clicks: 4000,
      cost: '200.10',
      sales: '900.25',
      conversions: 130,
      units: 160,
      unitsSameSku: 90,
      ordersNtb: 50,
      unitsNtb: 58,
      salesNtb: '350.00',
    },
    {
      date: '2025-03-31',
      campaignId: '2',
      adType: 'SD',
      impressions: 40_000,
      clicks: 1000,
      cost: '75.00',
      sales: '200.00',
      conversions: 36,
      units: 46,
      unitsSameSku: 21,
      ordersNtb: 10,
      unitsNtb: 12,
      salesNtb: '50.00',
    },
    // Sponsored Products know nothing of customers new to the brand, whatever a file says.
    {
      date: '2025-03-31',
      campaignId: '3',
      adType: 'SP',
      impressions: 10_000,
      clicks: 200,
      cost: '25.00',
      sales: '100.00',
      conversions: 10,
      units: 14,
      unitsSameSku: 9,
      ordersNtb: 7,
      unitsNtb: 7,
      salesNtb: '77.00',
    },
    // Outside of March, and the only facts of the two days around it.
    {
      date: '2025-02-28',
      campaignId: '1',
      adType: 'SB',
      impressions: 500,
      clicks: 10,
      cost: '5.00',
      sales: '20.00',
    },
    {
      date: '2025-04-01',
      campaignId: '1',
      adType: 'SB',
      impressions: 0,
      clicks: 0,
      cost: '0',
      sales: '0',
    },
  ];
  const lines = [
    {
      orderId: 'a',
      lineId: '1',
      purchasedAt: '2025-03-01T00:00:00Z',
      quantity: 1,
      itemPrice: '5000.00',
      itemTax: '400.00',
    },
    {
      orderId: 'b',
      lineId: '1',
      purchasedAt: '2025-03-31T23:59:59Z',
      quantity: 1,
      itemPrice: '1002.00',
      itemTax: '80.16',
    },
    {
      orderId: 'c',
      lineId: '1',
      purchasedAt: '2025-03-15T12:00:00Z',
      quantity: 1,
      itemPrice: '9999.00',
      status: 'Canceled',
    },
    {
      orderId: 'd',
      lineId: '1',
      purchasedAt: '2025-04-01T00:00:00Z',
      quantity: 1,
      itemPrice: '10.00',
      itemTax: '0.80',
    },
  ];
  // Sales reported by the marketplace count only on dates before the first order line.
  const traffic = [
    { date: '2025-02-28', orderedRevenue: '50.00', orderedUnits: 1 },
    { date: '2025-03-01', orderedRevenue: '333.00', orderedUnits: 3 },
    { date: '2025-03-05', orderedRevenue: '777.00', orderedUnits: 7 },
  ];

  before(async () => {
    tenant = await world().tenant({
      channelId: 'check',
      channel: { timezone: 'UTC', displayName: 'Check', countryCode: 'US' },
    });
    await world().channel(tenant.organisationId, 'idle', {
      displayName: 'Idle',
      merchantId: 'shop.example',
      countryCode: 'DE',
    });
    await world().channel(tenant.organisationId, 'none', {
      displayName: 'Without ads',
      hasAdvertisingConnected: false,
    });
    await importRows(world(), 'campaignDays', 'check', campaigns);
    await importRows(world(), 'campaignDays', 'none', campaigns.slice(0, 1));
    await importRows(world(), 'orderLines', 'check', lines);
    await importRows(world(), 'traffic', 'check', traffic);
  });

  const checkRow = {
    store: 'Check',
    countryCode: 'USA',
    marketplace_id: 'ATVPDKIKX0DER',
    seller_id: 'A1MERCHANT',
    adsales: '1200.25',
    priorAdsales: '-',
    spend: '300.10',
    priorSpend: '-',
    acos: '25.00',
    priorAcos: '-',
    roas: '4.00',
    priorRoas: '-',
    tacos: '5.00',
    priorTacos: '-',
    troas: '20.00',
    priorTroas: '-',
    ctr: '2.60',
    cpc: '0.06',
    conv: '3.38',
    NTB_sales: '400.00',
    pecentage_sales_NTB: '33.33',
    percentage_orders_NTB: '34.09',
    percentage_units_NTB: '31.82',
    impressions: 200_000,
    clicks: 5200,
    orders: 176,
    units: 220,
    NTB_orders: 60,
    NTB_units: 70,
    attributed_units_ordered_same_sku: 120,
  };

  test('200: every field of the row that the formulas are checked by, and a channel without facts has zeros', async () => {
    const answer = await world().ask(tenant.key, 'POST', path, {
      reportOptions: march,
      currentCurrency: 'usd',
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      status: 'success',
      data: {
        items: [
          checkRow,
          {
            store: 'Idle',
            countryCode: 'DEU',
            marketplace_id: '',
            seller_id: 'shop.example',
            ...zeros,
          },
        ],
        pageIndex: 0,
        pageSize: 10,
        totalItems: 2,
        totalPages: 1,
      },
    });
  });

  test('200: with tax only what is divided by total sales changes', async () => {
    const { items } = await view(world(), tenant.key, { includeTax: true });
    // 300.10 / 6482.16 and 6482.16 / 300.10.
    assert.deepEqual(items[0], { ...checkRow, tacos: '4.63', troas: '21.60' });
  });

  test('200: the comparison has its own sums; before order lines the sales are those that the marketplace reports', async () => {
    const prior = days('2025-02-01', '2025-02-28');
    const reportOptions = { ...march, priorFromDate: prior.fromDate, priorToDate: prior.toDate };
    const { items } = await view(world(), tenant.key, { reportOptions });
    const compared = {
      priorAdsales: '20.00',
      priorSpend: '5.00',
      priorAcos: '25.00',
      priorRoas: '4.00',
    };
    assert.deepEqual(items[0], {
      ...checkRow,
      ...compared,
      priorTacos: '10.00',
      priorTroas: '10.00',
    });
    assert.deepEqual([items[1]!.priorSpend, items[1]!.priorTroas], ['-', '-']);
  });

  test('200: the day of the first order line takes no sales from the marketplace, the day before does', async () => {
    const { items } = await view(world(), tenant.key, {
      reportOptions: days('2025-02-28', '2025-03-31'),
    });
    // 50.00 of the marketplace and 6002.00 of order lines for 305.10.
    assert.deepEqual([items[0]!.spend, items[0]!.troas], ['305.10', '19.84']);
  });

  test('200: a comparison whose figures add up to zero is "0.00", one without any "-", even where something was sold', async () => {
    const prior = (first: string, last: string) => {
      const { fromDate, toDate } = days(first, last);
      return { reportOptions: { ...march, priorFromDate: fromDate, priorToDate: toDate } };
    };
    const priors = ({ items: [item] }: Data) =>
      [
        item!.priorAdsales,
        item!.priorSpend,
        item!.priorAcos,
        item!.priorRoas,
        item!.priorTacos,
        item!.priorTroas,
      ].join(' ');
    // 10.00 were sold on the first of April.
    assert.equal(
      priors(await view(world(), tenant.key, prior('2025-04-01', '2025-04-01'))),
      '0.00 0.00 - - 0.00 -',
    );
    assert.equal(
      priors(await view(world(), tenant.key, prior('2025-04-02', '2025-04-02'))),
      '- - - - - -',
    );
    // 5000.00 were sold on the days of this one, of whose ads nothing is known.
    assert.equal(
      priors(await view(world(), tenant.key, prior('2025-03-02', '2025-03-30'))),
      '- - - - - -',
    );
  });

  test('200: figures belong to dates, from the local date of the start through that of the end; sales to instants', async () => {
    // In New York it is still the 28th of February.
    const from = at('UTC', '2025-03-01T04:59:59');
    const { items } = await view(world(), tenant.key, {
      reportOptions: { fromDate: from, toDate: from, timezone: 'America/New_York' },
    });
    assert.deepEqual([items[0]!.impressions, items[0]!.troas], [500, '0.00']);
    const later = await view(world(), tenant.key, {
      reportOptions: { fromDate: from + 1, toDate: from + 1, timezone: 'America/New_York' },
    });
    assert.deepEqual([later.items[0]!.impressions, later.items[0]!.spend], [150_000, '200.10']);
    // The second of the first order line, which in UTC is the first of March and in New York the
    // 28th of February.
    const first = at('UTC', '2025-03-01T00:00');
    for (const [timezone, impressions, troas] of [
      ['UTC', 150_000, '24.99'],
      ['America/New_York', 500, '1000.00'],
    ]) {
      const { items } = await view(world(), tenant.key, {
        reportOptions: { fromDate: first, toDate: first, timezone },
      });
      assert.deepEqual([items[0]!.impressions, items[0]!.troas], [impressions, troas]);
    }
  });

  test('200: figures may be corrected below zero; a ratio over a negative sum is "-"', async () => {
    const { key, channelId } = await world().tenant({ channel: { timezone: 'UTC' } });
    await importRows(world(), 'campaignDays', channelId, [
      {
        date: '2025-03-02',
        campaignId: '1',
        impressions: 10,
        clicks: -2,
        cost: '-1.005',
        sales: '-4.00',
        conversions: 1,
      },
    ]);
    const { items } = await view(world(), key, {});
    const { spend, adsales, acos, roas, ctr, cpc, conv } = items[0]!;
    assert.deepEqual(
      [spend, adsales, acos, roas, ctr, cpc, conv],
      ['-1.01', '-4.00', '-', '-', '-20.00', '-', '-'],
    );
  });

  test('200: total sales of a vendor channel are ordered revenue, or the shipped revenue of what the vendor supplied', async () => {
    const { key, channelId } = await world().tenant({
      channel: { kind: 'vendor', timezone: 'UTC' },
    });
    const figures = { glanceViews: 1, orderedUnits: 1, shippedUnits: 1, shippedCogs: 1 };
    await importRows(world(), 'vendorSales', channelId, [
      {
        date: '2025-03-01',
        asin: 'A',
        view: 'MANUFACTURING',
        orderedRevenue: '100.00',
        shippedRevenue: '1.00',
        ...figures,
      },
      {
        date: '2025-03-31',
        asin: 'B',
        view: 'MANUFACTURING',
        orderedRevenue: '60.00',
        shippedRevenue: '2.00',
        ...figures,
      },
      {
        date: '2025-03-01',
        asin: 'A',
        view: 'SOURCING',
        orderedRevenue: '1000.00',
        shippedRevenue: '80.00',
        ...figures,
      },
      {
        date: '2025-04-01',
        asin: 'A',
        view: 'SOURCING',
        orderedRevenue: '7.00',
        shippedRevenue: '7.00',
        ...figures,
      },
    ]);
    await importRows(world(), 'campaignDays', channelId, [
      { date: '2025-03-03', campaignId: '1', cost: '8.00' },
    ]);
    const ratios = async (asked: object) => {
      const { tacos, troas } = (await view(world(), key, asked)).items[0]!;
      return [tacos, troas];
    };
    assert.deepEqual(await ratios({}), ['5.00', '20.00']);
    assert.deepEqual(await ratios({ vendorRevenueType: 'orderedRevenue', includeTax: true }), [
      '5.00',
      '20.00',
    ]);
    assert.deepEqual(await ratios({ vendorRevenueType: 'shippedRevenue' }), ['10.00', '10.00']);
  });
});

onOnePair('The currencies of advertisingByChannels', (world) => {
  const rates = [
    { date: '2025-02-28', currency: 'USD', perEuro: 1.0411 },
    { date: '2025-02-28', currency: 'GBP', perEuro: 0.82608 },
    { date: '2025-02-28', currency: 'JPY', perEuro: 156.73 },
    { date: '2025-03-03', currency: 'USD', perEuro: 1.0465 },
    { date: '2025-03-03', currency: 'GBP', perEuro: 0.82538 },
    { date: '2025-03-04', currency: 'JPY', perEuro: 157.01 },
  ];
  const channels = [
    { channelId: 'money-us', currency: 'USD', cents: 100 },
    { channelId: 'money-uk', currency: 'GBP', cents: 100 },
    { channelId: 'money-jp', currency: 'JPY', cents: 1 },
  ];
  const dates = ['2025-02-20', '2025-02-28', '2025-03-01', '2025-03-03', '2025-03-05'];
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
    await importRows(world(), 'exchangeRates', undefined, rates);
    tenant = await world().tenant({
      channelId: 'money-us',
      channel: { currency: 'USD', timezone: 'UTC', displayName: 'USD' },
    });
    for (const one of channels) {
      const { channelId, currency } = one;
      await world().channel(tenant.organisationId, channelId, {
        currency,
        timezone: 'UTC',
        displayName: currency,
      });
      const facts = factsOf(one);
      await importRows(
        world(),
        'campaignDays',
        channelId,
        facts.map(({ date, cost, sales, salesNtb }) => ({
          date,
          campaignId: '1',
          adType: 'SB',
          clicks: 7,
          cost,
          sales,
          salesNtb,
        })),
      );
      await importRows(
        world(),
        'orderLines',
        channelId,
        facts.map(({ date, price }) => ({
          orderId: date,
          lineId: '1',
          purchasedAt: `${date}T10:00:00Z`,
          quantity: 1,
          itemPrice: price,
        })),
      );
    }
  });

  /** Units of a currency for a euro: the last rate up to the date, or the first there is. */
  function perEuro(currency: string, date: string): number {
    const own = rates.filter((rate) => rate.currency === currency);
    return currency === 'EUR' ? 1 : (own.findLast((rate) => rate.date <= date) ?? own[0]!).perEuro;
  }

  for (const [target, places] of [
    ['EUR', 2],
    ['USD', 2],
    ['JPY', 0],
    ['GBP', 2],
  ] as const) {
    test(`200: three stores in ${target} equal a decimal computation, fact by fact at the rates of their dates`, async () => {
      const { items } = await view(world(), tenant.key, {
        reportOptions: days('2025-02-01', '2025-03-31'),
        currentCurrency: target.toLowerCase(),
        orderBy: 'store',
      });
      assert.deepEqual(
        items.map((item) => item.store),
        ['USD', 'JPY', 'GBP'],
      );
      for (const one of channels) {
        const sum = (of: 'cost' | 'sales' | 'salesNtb' | 'price') =>
          factsOf(one).reduce(
            (total, fact) =>
              total.plus(
                new Decimal(fact[of]).times(
                  one.currency === target
                    ? 1
                    : perEuro(target, fact.date) / perEuro(one.currency, fact.date),
                ),
              ),
            new Decimal(0),
          );
        const [cost, sales, salesNtb, sold] = [
          sum('cost'),
          sum('sales'),
          sum('salesNtb'),
          sum('price'),
        ];
        const shown = (value: Decimal, digits: number) =>
          value.toFixed(digits, Decimal.ROUND_HALF_UP);
        const { spend, adsales, NTB_sales, acos, roas, tacos, troas, cpc, pecentage_sales_NTB } =
          items.find(({ store }) => store === one.currency)!;
        assert.deepEqual(
          { spend, adsales, NTB_sales, acos, roas, tacos, troas, cpc, pecentage_sales_NTB },
          {
            spend: shown(cost, places),
            adsales: shown(sales, places),
            NTB_sales: shown(salesNtb, places),
            acos: shown(cost.div(sales).times(100), 2),
            roas: shown(sales.div(cost), 2),
            tacos: shown(cost.div(sold).times(100), 2),
            troas: shown(sold.div(cost), 2),
            cpc: shown(cost.div(35), 2),
            pecentage_sales_NTB: shown(salesNtb.div(sales).times(100), 2),
          },
        );
      }
    });
  }

  test('400: a currency without any rate, whether or not there is something to convert', async () => {
    const text = 'currentCurrency must be a currency with exchange rates: there is none of XAU';
    assert.equal(
      await refused(world(), tenant.key, { reportOptions: march, currentCurrency: 'xau' }),
      text,
    );
    const { fromDate } = march;
    const empty = { fromDate: fromDate - 1e9, toDate: fromDate - 1e9, timezone: 'UTC' };
    assert.equal(
      await refused(world(), tenant.key, { reportOptions: empty, currentCurrency: 'XAU' }),
      text,
    );
    const other = await world().tenant({
      channelId: 'dong',
      channel: { currency: 'VND', timezone: 'UTC' },
    });
    const dong = { reportOptions: march, currentCurrency: 'VND' };
    assert.equal((await view(world(), other.key, dong)).items[0]!.spend, '0');
    await importRows(world(), 'campaignDays', 'dong', [
      { date: '2025-03-03', campaignId: '1', cost: 500 },
    ]);
    assert.equal((await view(world(), other.key, dong)).items[0]!.spend, '500');
    // The other stores are shown; the one without a rate keeps its counts.
    await world().channel(other.organisationId, 'usual', { displayName: 'Saigon "Ä" Tools' });
    await importRows(world(), 'campaignDays', 'usual', [
      { date: '2025-03-03', campaignId: '1', cost: 7, sales: 14, clicks: 2 },
    ]);
    await importRows(world(), 'campaignDays', 'dong', [
      { date: '2025-03-04', campaignId: '2', cost: 300, clicks: 4, impressions: 100 },
    ]);
    // A pegged currency follows the dollar: 36.725 / 3.6725.
    await world().channel(other.organisationId, 'gulf', { currency: 'AED' });
    await importRows(world(), 'campaignDays', 'gulf', [
      { date: '2025-03-03', campaignId: '1', cost: 36.725 },
    ]);
    const answer = await world().ask(other.key, 'POST', '/reports/view/advertisingByChannels', {
      reportOptions: march,
      currentCurrency: 'USD',
      orderBy: 'spend',
    });
    assert.equal(answer.status, 200);
    const shown = answer.body.data.items.map((item: Record<string, unknown>) => [
      ...[item.spend, item.priorSpend, item.acos, item.cpc, item.adsales],
      ...[item.ctr, item.clicks],
    ]);
    assert.deepEqual(shown, [
      ['10.00', '-', '-', '-', '0.00', '-', 0],
      ['7.00', '-', '50.00', '3.50', '14.00', '-', 2],
      ['-', '-', '-', '-', '0.00', '4.00', 4],
    ]);
    assert.equal(
      answer.headers['vitrine-warning'],
      'no-exchange-rate;store="Acme US";currency="VND"',
    );
    assert.match(String(answer.headers['access-control-expose-headers']), /vitrine-warning/);
  });
});

onOnePair('Which channels advertisingByChannels shows', (world) => {
  let tenant: Tenant;
  let colleague: { userId: string; key: string };

  before(async () => {
    tenant = await world().tenant({
      channelId: 'c-us',
      channel: {
        displayName: 'Harbour Goods',
        merchantId: 'M1 @ ATVPDKIKX0DER',
        countryCode: 'US',
      },
    });
    const { organisationId } = tenant;
    await world().channel(organisationId, 'b-de', {
      displayName: 'ÄPFEL',
      merchantId: 'M2 @ A1PA6795UKMFR9',
      countryCode: 'DE',
    });
    await world().channel(organisationId, 'a-uk', {
      displayName: 'Harbour Tools',
      merchantId: 'M2ATV @ A1F83G8C2ARO7P',
      countryCode: 'GB',
      marketplace: 'otherMarket',
    });
    await world().channel(organisationId, 'd-off', {
      displayName: 'Harbour Off',
      hasAdvertisingConnected: false,
    });
    const { userId } = await world().operate('POST', '/operator/users', {
      organisationId,
      email: `${randomUUID()}@example.com`,
      role: 'administrator',
    });
    colleague = {
      userId,
      ...(await world().operate('POST', '/operator/keys', { userId, limits: hardlyLimited })),
    };
    const tag = async (key: string, channelId: string, merchantId: string, addTags: string[]) => {
      const answer = await world().ask(key, 'PATCH', '/tags/channel', {
        channelId,
        merchantId,
        addTags,
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    await tag(tenant.key, 'c-us', 'M1 @ ATVPDKIKX0DER', ['mine', 'org://core']);
    await tag(colleague.key, 'b-de', 'M2 @ A1PA6795UKMFR9', ['mine', 'theirs', 'org://europe']);
    await tag(tenant.key, 'a-uk', 'M2ATV @ A1F83G8C2ARO7P', ['org://europe']);
    await world().tenant({ channel: { displayName: 'Harbour of others' } });
  });

  const all = ['Harbour Tools', 'ÄPFEL', 'Harbour Goods'];
  const shown = async (asked: object, key = tenant.key) => stores(await view(world(), key, asked));

  test('200: every one within reach with advertising, equal ones by channelId; an empty filter restricts nothing', async () => {
    assert.deepEqual(await shown({}), all);
    assert.deepEqual(await shown({ filter: {} }), all);
    assert.deepEqual(
      await shown({ filter: { marketplaces: [], countries: [], tags: [] }, searchText: '' }),
      all,
    );
    assert.deepEqual(await shown({ searchText: '   ' }), all);
  });

  for (const [filter, expected] of [
    [{ marketplaces: ['OTHERmarket'] }, ['Harbour Tools']],
    [{ marketplaces: ['othermarket', 'PrimaryMkt'] }, all],
    [{ marketplaces: ['other'] }, []],
    [{ marketplaces: ['a1pa6795ukmfr9', 'OtherMarket'] }, ['Harbour Tools', 'ÄPFEL']],
    [{ marketplaces: ['ATVPDKIKX0DE'] }, []],
    [{ countries: ['us'] }, ['Harbour Goods']],
    [{ countries: ['DEU', 'gbr'] }, ['Harbour Tools', 'ÄPFEL']],
    [{ countries: ['FR', 'XX'] }, []],
    [{ tags: ['mine'] }, ['Harbour Goods']],
    [{ tags: ['Mine'] }, []],
    [{ tags: ['theirs'] }, []],
    [{ tags: ['org://europe'] }, ['Harbour Tools', 'ÄPFEL']],
    [{ tags: [' org://core ', 'org://europe'] }, all],
    [{ tags: ['org://europe'], countries: ['GB', 'US'] }, ['Harbour Tools']],
    [{ tags: ['org://europe'], countries: ['GB', 'DE'], marketplaces: ['primarymkt'] }, ['ÄPFEL']],
    [{ tags: ['org://core'], countries: ['DE'] }, []],
  ] as const) {
    test(`200: the filter ${JSON.stringify(filter)}`, async () => {
      assert.deepEqual(await shown({ filter }), expected);
    });
  }

  test('200: plain tags are their own user’s, shared ones those of all', async () => {
    assert.deepEqual(await shown({ filter: { tags: ['mine'] } }, colleague.key), ['ÄPFEL']);
    assert.deepEqual(await shown({ filter: { tags: ['theirs', 'org://core'] } }, colleague.key), [
      'ÄPFEL',
      'Harbour Goods',
    ]);
  });

  for (const [searchText, expected] of [
    ['harBOUR', ['Harbour Tools', 'Harbour Goods']],
    ['äpf', ['ÄPFEL']],
    ['OTHER', ['Harbour Tools']],
    ['atvpd', ['Harbour Goods']],
    // Part of a seller's identifier, which is not searched.
    ['M2', []],
    ['100%', []],
    ['_', []],
  ] as const) {
    test(`200: the search for ${searchText}`, async () => {
      assert.deepEqual(await shown({ searchText }), expected);
    });
  }

  test('200: filter and search restrict together', async () => {
    assert.deepEqual(await shown({ searchText: 'harbour', filter: { tags: ['org://europe'] } }), [
      'Harbour Tools',
    ]);
  });

  test('200: a restricted administrator sees what was granted, and tags of no other channel', async () => {
    const { organisationId } = tenant;
    const email = `${randomUUID()}@example.com`;
    const { userId } = await world().operate('POST', '/operator/users', {
      organisationId,
      email,
      role: 'administrator',
    });
    const { key } = await world().operate('POST', '/operator/keys', {
      userId,
      limits: hardlyLimited,
    });
    await world().operate('PUT', `/operator/users/${userId}/channels`, {
      channelIds: ['b-de', 'd-off'],
    });
    assert.deepEqual(await shown({}, key), ['ÄPFEL']);
    assert.deepEqual(await shown({ filter: { tags: ['org://europe'] } }, key), ['ÄPFEL']);
    assert.deepEqual(await shown({ searchText: 'harbour' }, key), []);
    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: [] });
    assert.deepEqual(await view(world(), key, {}), {
      items: [],
      pageIndex: 0,
      pageSize: 10,
      totalItems: 0,
      totalPages: 0,
    });
  });
});

onOnePair('Order and pages of advertisingByChannels', (world) => {
  let tenant: Tenant;

  // Channels s0 to s4; s3 has no facts, and s1 and s4 equal ones.
  const figures = [
    {
      impressions: 900,
      clicks: 9,
      cost: '10.00',
      sales: '9.00',
      conversions: 2,
      units: 3,
      unitsSameSku: 1,
      ordersNtb: 1,
      unitsNtb: 1,
      salesNtb: '5.00',
    },
    {
      impressions: 1000,
      clicks: 5,
      cost: '9.50',
      sales: '100.00',
      conversions: 4,
      units: 20,
      unitsSameSku: 9,
      ordersNtb: 1,
      unitsNtb: 2,
      salesNtb: '10.00',
    },
    {
      impressions: 20,
      clicks: 0,
      cost: '0',
      sales: '0',
      conversions: 0,
      units: 0,
      unitsSameSku: 0,
      ordersNtb: 0,
      unitsNtb: 0,
      salesNtb: '0',
    },
    undefined,
    {
      impressions: 1000,
      clicks: 5,
      cost: '9.50',
      sales: '100.00',
      conversions: 4,
      units: 20,
      unitsSameSku: 9,
      ordersNtb: 1,
      unitsNtb: 2,
      salesNtb: '10.00',
    },
  ];

  before(async () => {
    const settings = [
      { displayName: 'beta', merchantId: 'z1 @ m2', countryCode: 'US' },
      { displayName: 'Alpha', merchantId: 'Z2 @ M3', countryCode: 'DE' },
      { displayName: 'gamma', merchantId: 'a3', countryCode: 'JP' },
      { displayName: 'Delta', merchantId: 'b4 @ m10', countryCode: 'US' },
      { displayName: 'alpha', merchantId: 'c5', countryCode: 'AU' },
    ];
    tenant = await world().tenant({ channelId: 's0', channel: { timezone: 'UTC' } });
    // Connected in another order than that of their identifiers.
    for (const place of [4, 2, 0, 3, 1]) {
      await world().channel(tenant.organisationId, `s${place}`, {
        timezone: 'UTC',
        ...settings[place],
      });
      const own = figures[place];
      if (own === undefined) continue;
      await importRows(world(), 'campaignDays', `s${place}`, [
        { date: '2025-03-02', campaignId: '1', adType: 'SB', ...own },
        { date: '2025-02-02', campaignId: '1', adType: 'SB', ...own },
      ]);
      await importRows(world(), 'orderLines', `s${place}`, [
        {
          orderId: '1',
          lineId: '1',
          purchasedAt: '2025-03-02T10:00:00Z',
          quantity: 1,
          itemPrice: `${place + 1}00.00`,
        },
        {
          orderId: '2',
          lineId: '1',
          purchasedAt: '2025-02-02T10:00:00Z',
          quantity: 1,
          itemPrice: `${place + 1}00.00`,
        },
      ]);
    }
  });

  const names = ['beta', 'Alpha', 'gamma', 'Delta', 'alpha'];
  const february = days('2025-02-01', '2025-02-28');
  const reportOptions = {
    ...march,
    priorFromDate: february.fromDate,
    priorToDate: february.toDate,
  };
  const order = async (asked: object) =>
    stores(await view(world(), tenant.key, { reportOptions, ...asked }))
      .map((store) => names.indexOf(store as string))
      .join('');

  // Fields that sort alike, with the channels' numbers in the order expected: "-" last, and equal
  // ones by channelId.
  const ordersByFields: [fields: string[], order: string][] = [
    [['impressions'], '14023'],
    [['clicks'], '01423'],
    [
      ['orders', 'units', 'attributed_units_ordered_same_sku', 'NTB_units', 'adsales', 'NTB_sales'],
      '14023',
    ],
    [['NTB_orders', 'spend'], '01423'],
    [['priorAdsales'], '14023'],
    [['priorSpend'], '01423'],
    // 111.11, 9.50, -, -, 9.50
    [['acos', 'priorAcos'], '01423'],
    // 0.90, 10.53, -, -, 10.53
    [['roas', 'priorRoas'], '14023'],
    // 10.00 of 100, 9.50 of 200, 0 of 300, -, 9.50 of 500
    [['tacos', 'priorTacos'], '01423'],
    // 100 for 10.00, 200 for 9.50, -, -, 500 for 9.50
    [['troas', 'priorTroas'], '41023'],
    // 1.00, 0.50, 0.00, -, 0.50
    [['ctr'], '01423'],
    // 1.11, 1.90, -, -, 1.90
    [['cpc'], '14023'],
    // 22.22, 80.00, -, -, 80.00
    [['conv'], '14023'],
    // 55.56, 10.00; 50.00, 25.00; 33.33, 10.00
    [['pecentage_sales_NTB', 'percentage_orders_NTB', 'percentage_units_NTB'], '01423'],
    [['store'], '23014'],
    [['countryCode'], '03214'],
    [['marketplace_id'], '10324'],
    [['seller_id'], '10432'],
  ];

  test('200: by every field, descending, numbers by their size', async () => {
    const fields = ordersByFields.flatMap(([names]) => names);
    assert.deepEqual(
      fields.toSorted(),
      ['store', 'countryCode', 'marketplace_id', 'seller_id', ...Object.keys(zeros)].toSorted(),
    );
    for (const [alike, expected] of ordersByFields) {
      for (const orderBy of casesOn(world(), alike, 4))
        assert.equal(await order({ orderBy }), expected, orderBy);
    }
    assert.equal(await order({}), '14023', 'by impressions where nothing is asked for');
  });

  test('200: pages follow one another, and one past the end is empty', async () => {
    const page = async (pageIndex: number, pageSize: number) => {
      const data = await view(world(), tenant.key, { pageIndex, pageSize });
      assert.deepEqual([data.pageIndex, data.pageSize, data.totalItems], [pageIndex, pageSize, 5]);
      return [
        stores(data)
          .map((store) => names.indexOf(store as string))
          .join(''),
        data.totalPages,
      ];
    };
    assert.deepEqual(await page(0, 2), ['14', 3]);
    assert.deepEqual(await page(1, 2), ['02', 3]);
    assert.deepEqual(await page(2, 2), ['3', 3]);
    assert.deepEqual(await page(3, 2), ['', 3]);
    assert.deepEqual(await page(1_000_000_000, 100), ['', 1]);
    assert.deepEqual(await page(0, 5), ['14023', 1]);
    assert.deepEqual(await page(0, 100), ['14023', 1]);
  });

  test('200: ten items a page where no size is asked for', async () => {
    const { key, organisationId } = await world().tenant({ channelId: 'many-00' });
    for (let number = 1; number <= 11; number++) {
      await world().channel(organisationId, `many-${String(number).padStart(2, '0')}`, {
        displayName: String(number),
      });
    }
    const { items, pageIndex, pageSize, totalItems, totalPages } = await view(world(), key, {});
    assert.deepEqual(
      [items.length, pageIndex, pageSize, totalItems, totalPages],
      [10, 0, 10, 12, 2],
    );
    assert.deepEqual(stores(await view(world(), key, { pageIndex: 1 })), ['10', '11']);
  });
});

onOnePair('Refusals of advertisingByChannels', (world) => {
  let tenant: Tenant;
  before(async () => {
    tenant = await world().tenant();
  });
  const valid = { reportOptions: march, currentCurrency: 'USD' };
  const options = (more: object) => ({ ...valid, reportOptions: { ...march, ...more } });

  for (const [body, text] of [
    [{ currentCurrency: 'USD' }, 'reportOptions is required'],
    [{ reportOptions: march }, 'currentCurrency is required'],
    [
      { ...valid, reportOptions: { toDate: 1, timezone: 'UTC' } },
      'reportOptions.fromDate is required',
    ],
    [
      { ...valid, reportOptions: { fromDate: 1, timezone: 'UTC' } },
      'reportOptions.toDate is required',
    ],
    [{ ...valid, reportOptions: { fromDate: 1, toDate: 1 } }, 'reportOptions.timezone is required'],
    [options({ fromDate: '1' }), 'reportOptions.fromDate must be an integer'],
    [options({ toDate: 1.5 }), 'reportOptions.toDate must be an integer'],
    [options({ toDate: 1e12 }), 'reportOptions.toDate must be in seconds and not in milliseconds'],
    [options({ timezone: 'Nowhere/At_All' }), 'reportOptions.timezone must be an IANA time zone'],
    [
      options({ fromDate: march.toDate + 1 }),
      'reportOptions.toDate must not be before reportOptions.fromDate',
    ],
    [
      options({ priorFromDate: 1 }),
      'reportOptions.priorFromDate and reportOptions.priorToDate must be given together',
    ],
    [
      options({ priorToDate: 1 }),
      'reportOptions.priorFromDate and reportOptions.priorToDate must be given together',
    ],
    [
      options({ priorFromDate: 2, priorToDate: 1 }),
      'reportOptions.priorToDate must not be before reportOptions.priorFromDate',
    ],
    [
      { ...valid, currentCurrency: 'US' },
      'currentCurrency must be a currency code of three letters',
    ],
    [
      { ...valid, currentCurrency: 'U$D' },
      'currentCurrency must be a currency code of three letters',
    ],
    [{ ...valid, currentCurrency: 7 }, 'currentCurrency must be a string'],
    [{ ...valid, includeTax: 'yes' }, 'includeTax must be true or false'],
    [
      { ...valid, vendorRevenueType: 'revenue' },
      'vendorRevenueType must be orderedRevenue or shippedRevenue',
    ],
    [{ ...valid, pageIndex: -1 }, 'pageIndex must be at least 0'],
    [{ ...valid, pageIndex: 1.5 }, 'pageIndex must be an integer'],
    [{ ...valid, pageSize: 0 }, 'pageSize must be at least 1'],
    [{ ...valid, pageSize: 101 }, 'pageSize must be at most 100'],
    [{ ...valid, filter: [] }, 'filter must be an object'],
    [{ ...valid, filter: { marketplaces: 'primarymkt' } }, 'filter.marketplaces must be an array'],
    [
      { ...valid, filter: { countries: ['Germany'] } },
      'filter.countries[0] must be a country code of two or three letters',
    ],
    [{ ...valid, filter: { tags: ['ok', 7] } }, 'filter.tags[1] must be a string'],
    [
      { ...valid, filter: { tags: ['x'.repeat(101)] } },
      'filter.tags[0] must have at most 100 characters',
    ],
    [{ ...valid, searchText: 7 }, 'searchText must be a string'],
    [{ ...valid, searchText: 'x'.repeat(201) }, 'searchText must have at most 200 characters'],
    [
      {
        reportOptions: { fromDate: 'a', toDate: 1e12, timezone: 'x' },
        currentCurrency: '',
        pageSize: 101,
      },
      'reportOptions.fromDate must be an integer, reportOptions.toDate must be in seconds and not in milliseconds, ' +
        'reportOptions.timezone must be an IANA time zone, currentCurrency must be a currency code of three letters, pageSize must be at most 100',
    ],
  ] as const) {
    test(`400: ${text}`, async () => {
      assert.equal(await refused(world(), tenant.key, body), text);
    });
  }

  test('400: an unknown field to sort by', async () => {
    for (const orderBy of ['channelId', 'percentage_sales_NTB', 'Impressions', '']) {
      assert.match(
        await refused(world(), tenant.key, { ...valid, orderBy }),
        /^orderBy must be store or countryCode or /,
      );
    }
  });

  test('403: without a key, and with an unknown one', async () => {
    assert.equal((await world().ask(undefined, 'POST', path, valid)).status, 403);
    assert.equal((await world().ask('vit_live_unknown', 'POST', path, valid)).status, 403);
  });

  test('401: an organisation without API access', async () => {
    const { key, organisationId } = await world().tenant();
    await world().operate('PATCH', `/operator/organisations/${organisationId}`, {
      apiAccess: false,
    });
    assert.equal((await world().ask(key, 'POST', path, valid)).status, 401);
  });

  test('200: equal ends, the largest page, and fields that nobody knows', async () => {
    const data = await view(world(), tenant.key, {
      ...options({ toDate: march.fromDate }),
      pageSize: 100,
      more: 'yes',
    });
    assert.equal(data.items.length, 1);
  });
});

onRandomFacts('Total sales of advertisingByChannels on random facts', (world) => {
  const zones = [
    'UTC',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Auckland',
  ];
  const amounts = fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2));
  const instants = fc.integer({
    min: at('UTC', '2025-03-20T00:00'),
    max: at('UTC', '2025-04-19T23:59:59'),
  });
  const dates = fc
    .integer({ min: 0, max: 30 })
    .map((day) => Temporal.PlainDate.from('2025-03-20').add({ days: day }).toString());
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
    totals: fc.uniqueArray(fc.record({ date: dates, orderedRevenue: amounts }), {
      selector: (row) => row.date,
      maxLength: 10,
    }),
    products: fc.uniqueArray(
      fc.record({ date: dates, sku: fc.constantFrom('A', 'B'), orderedRevenue: amounts }),
      {
        selector: (row) => row.date + row.sku,
        maxLength: 15,
      },
    ),
  });
  const question = fc.record({
    timezone: fc.constantFrom(...zones),
    from: instants,
    length: fc.integer({ min: 0, max: 20 * 86_400 }),
    priorShift: fc.integer({ min: -15 * 86_400, max: 15 * 86_400 }),
    wholeDays: fc.boolean(),
    includeTax: fc.boolean(),
  });

  test('are the sales that salesByPeriod adds up over the same range, zone and tax', async () => {
    let rangesWithSales = 0;
    const check = async (
      given: (typeof store extends fc.Arbitrary<infer S> ? S : never)[],
      asked: (typeof question extends fc.Arbitrary<infer Q> ? Q : never)[],
    ) => {
      const tenant = await world().tenant({ channel: { hasAdvertisingConnected: false } });
      const { key, organisationId, merchantId } = tenant;
      const channelIds: string[] = [];
      for (const { timezone, lines, totals, products } of given) {
        const channelId = randomUUID();
        await world().channel(organisationId, channelId, { timezone, displayName: channelId });
        channelIds.push(channelId);
        const orderLines = lines.map((line, index) => ({
          orderId: `o${index}`,
          lineId: '1',
          quantity: 1,
          ...line,
        }));
        if (orderLines.length > 0) await importRows(world(), 'orderLines', channelId, orderLines);
        if (totals.length + products.length > 0)
          await importRows(world(), 'traffic', channelId, [...totals, ...products]);
        // A cent of spend on every date, so that the ratio to it shows the sales to the last digit.
        const spend = Array.from({ length: 80 }, (_, day) => ({
          date: Temporal.PlainDate.from('2025-02-25').add({ days: day }).toString(),
          campaignId: '1',
          cost: '0.01',
        }));
        await importRows(world(), 'campaignDays', channelId, spend);
      }
      for (const { timezone, from, length, priorShift, wholeDays, includeTax } of asked) {
        const dayOf = (instant: number) =>
          Temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(timezone);
        const range = (start: number, end: number) => {
          if (!wholeDays) return [start, end] as const;
          const seconds = (moment: Temporal.ZonedDateTime) =>
            Math.floor(moment.epochMilliseconds / 1000);
          return [
            seconds(dayOf(start).startOfDay()),
            seconds(dayOf(end).startOfDay().add({ days: 1 })) - 1,
          ] as const;
        };
        const [fromDate, toDate] = range(from, from + length);
        const [priorFromDate, priorToDate] = range(from + priorShift, from + priorShift + length);
        const reportOptions = { fromDate, toDate, priorFromDate, priorToDate, timezone };
        const { items } = await view(world(), key, { reportOptions, includeTax });
        assert.equal(items.length, given.length);
        for (const channelId of channelIds) {
          const item = items.find((one) => one.store === channelId)!;
          for (const [start, end, troas] of [
            [fromDate, toDate, item.troas],
            [priorFromDate, priorToDate, item.priorTroas],
          ] as const) {
            const body = {
              channelId,
              merchantId,
              includeTax,
              reportOptions: { fromDate: start, toDate: end, timezone, interval: 'd' },
            };
            const answer = await world().ask(key, 'POST', '/reports/view/salesByPeriod', body);
            const rows = answer.body.formattedChartData as { sales: string; adSpend: string }[];
            const sum = (name: 'sales' | 'adSpend') =>
              rows.reduce((total, row) => total.plus(row[name]), new Decimal(0));
            if (sum('sales').gt(0)) rangesWithSales++;
            assert.equal(
              troas,
              sum('sales').div(sum('adSpend')).toFixed(2, Decimal.ROUND_HALF_UP),
              JSON.stringify(body),
            );
          }
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(store, { minLength: 2, maxLength: 3 }),
        fc.array(question, { minLength: 4, maxLength: 4 }),
        check,
      ),
      { numRuns: triesOn(world(), { embedded: 6, served: 2 }) },
    );
    assert.ok(rangesWithSales > 0, 'some ranges have sales');
  });
});
