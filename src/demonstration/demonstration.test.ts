import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openWorld, type World } from '../../test/harness.ts';
import { localDay } from '../calendar/period.ts';
import { offsetAt } from '../calendar/zone.ts';
import type { Importer } from '../intake/import.ts';
import { type Plan, plans } from './catalogue.ts';
import { type Demonstration, fillDemonstration, organisationId } from './demonstration.ts';
import { type AdFigures, type DayFacts, liveThrough, type OrderLineRow, productRows } from './facts.ts';
import { exampleRequest, introduce } from './introduction.ts';
import { makeRates } from './rates.ts';
import { calendarDay, dealFactor } from './seasons.ts';

const now = Date.UTC(2026, 0, 15, 12);
const anchorDay = now / 86_400_000 - 0.5;
const lastDay = anchorDay - 1;
const secret = 'secret-of-the-tests';

const planOf = (channelId: string) => plans.find((plan) => plan.channelId === channelId)!;
const us = planOf('northwind-us');
const lived = new Map<Plan, DayFacts[]>(plans.map((plan) => [plan, [...liveThrough(plan, anchorDay, lastDay)]]));
const sellers = plans.filter((plan) => plan.hasTraffic);
const linesOf = (plan: Plan) => lived.get(plan)!.flatMap((day) => day.orderLines);
const totalsOf = (plan: Plan) => lived.get(plan)!.flatMap((day) => day.traffic.filter((row) => row.sku === undefined));
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
const share = (part: number, whole: number) => part / whole;
const dayOfText = (date: string) => Date.parse(date) / 86_400_000;

function between(value: number, least: number, most: number, what: string): void {
  assert.ok(value >= least && value <= most, `${what} is ${value}, not between ${least} and ${most}`);
}

/** Revenue per day in each month. */
function monthly(plan: Plan): Map<string, number> {
  const months = new Map<string, { revenue: number; days: number }>();
  for (const { date, orderedRevenue } of totalsOf(plan)) {
    const month = months.get(date.slice(0, 7)) ?? { revenue: 0, days: 0 };
    months.set(date.slice(0, 7), { revenue: month.revenue + orderedRevenue, days: month.days + 1 });
  }
  return new Map([...months].map(([month, { revenue, days }]) => [month, revenue / days]));
}

describe('the made-up business', () => {
  test('a day gives the same facts every time', () => {
    assert.deepEqual([...liveThrough(planOf('northwind-web'), anchorDay, lastDay)], lived.get(planOf('northwind-web')));
    assert.deepEqual([...makeRates(anchorDay - 30, lastDay)], [...makeRates(anchorDay - 30, lastDay)]);
  });

  test('facts reach up to yesterday, order lines fourteen months back and daily facts of the main channel two years', () => {
    const days = lived.get(us)!;
    assert.equal(days.length, us.dailyDays);
    assert.ok(days.every((day) => day.traffic.length > us.products * 0.9 && day.campaignDays.length === 12));
    assert.equal(
      days.findIndex((day) => day.orderLines.length > 0),
      us.dailyDays - us.orderDays,
    );
    for (const plan of plans.filter(({ orderDays }) => orderDays > 0)) {
      const lines = linesOf(plan);
      assert.equal(localDay(plan.timezone, lines.at(-1)!.purchasedAt), lastDay, plan.channelId);
      assert.equal(localDay(plan.timezone, lines[0]!.purchasedAt), anchorDay - plan.orderDays, plan.channelId);
    }
    const rows = [...lived.values()].flat();
    const count = sum(rows, (day) => day.orderLines.length + day.traffic.length + day.campaignDays.length + day.adProductDays.length);
    between(count, 100_000, 200_000, 'the number of rows');
  });

  test('summer and December are strong, February is weak, and January is summer in Australia', () => {
    const months = monthly(us);
    assert.ok(months.get('2025-07')! > 1.4 * months.get('2025-02')!);
    assert.ok(months.get('2025-12')! > 1.2 * months.get('2025-10')!);
    const northern = share(monthly(planOf('northwind-uk')).get('2025-01')!, monthly(planOf('northwind-uk')).get('2025-06')!);
    const southern = share(monthly(planOf('northwind-au')).get('2025-01')!, monthly(planOf('northwind-au')).get('2025-06')!);
    assert.ok(southern > 1.5 * northern);
  });

  test('days of deals stand out, the largest in July and on Black Friday', () => {
    const units = new Map(totalsOf(us).map((row) => [row.date, row.orderedUnits]));
    for (const date of ['2025-07-08', '2025-11-28']) {
      const weekBefore = units.get(new Date(Date.parse(date) - 14 * 86_400_000).toISOString().slice(0, 10))!;
      assert.ok(units.get(date)! > 1.7 * weekBefore, date);
    }
    const deals = (date: string) => dealFactor(calendarDay(dayOfText(date)));
    assert.deepEqual([deals('2025-07-09'), deals('2025-07-10'), deals('2025-10-14'), deals('2025-11-27')], [2.7, 1, 2, 1.5]);
    assert.deepEqual([deals('2024-11-29'), deals('2024-12-02'), deals('2024-12-03'), deals('2025-12-01')], [2.6, 2.3, 1, 2.3]);
  });

  test('the business grows from year to year', () => {
    const months = monthly(us);
    for (const month of ['02', '05', '09']) between(share(months.get(`2025-${month}`)!, months.get(`2024-${month}`)!), 1.05, 1.5, month);
  });

  test('buyers order in the evening of their own time and sleep at four', () => {
    for (const plan of sellers) {
      const hours = new Map<number, number>();
      for (const { purchasedAt } of linesOf(plan)) {
        const hour = Math.floor((purchasedAt + offsetAt(plan.timezone, purchasedAt)) / 3600) % 24;
        hours.set(hour, (hours.get(hour) ?? 0) + 1);
      }
      assert.ok(hours.get(20)! > 5 * (hours.get(4) ?? 0), plan.channelId);
    }
  });

  test('a fifth of the products brings about half of the sales', () => {
    const bySku = new Map<string, number>();
    for (const { sku, itemPrice } of linesOf(us)) bySku.set(sku, (bySku.get(sku) ?? 0) + itemPrice);
    const sorted = [...bySku.values()].sort((left, right) => right - left);
    assert.equal(sorted.length, 28);
    between(share(sum(sorted.slice(0, 6), Number), sum(sorted, Number)), 0.4, 0.75, 'the share of the first six products');
  });

  test('an order has a sane shape: some have several lines or units, few are canceled, buyers come back', () => {
    for (const plan of sellers) {
      const lines = linesOf(plan);
      const orders = Map.groupBy(lines, (line) => line.orderId);
      assert.equal(new Set(lines.map((line) => `${line.orderId} ${line.lineId}`)).size, lines.length);
      const canceled = [...orders.values()].filter(([first]) => first!.status === 'Canceled').length;
      between(share(canceled, orders.size), 0.02, 0.04, 'the share of canceled orders');
      between(
        share([...orders.values()].filter((one) => one.length > 1).length, orders.size),
        0.1,
        0.2,
        'the share of orders with several lines',
      );
      between(share(lines.filter((line) => line.quantity > 1).length, lines.length), 0.07, 0.13, 'the share of lines with several units');
      between(share(lines.filter((line) => line.promotionDiscount > 0).length, lines.length), 0.08, 0.25, 'the share of promotions');
      between(share(orders.size, new Set(lines.map((line) => line.buyerEmail)).size), 1.1, 1.5, 'orders of a buyer');
      assert.ok([...orders.values()].every((one) => new Set(one.map(({ status, buyerEmail }) => `${status} ${buyerEmail}`)).size === 1));
    }
  });

  test('only recent orders are still on their way', () => {
    const open = linesOf(us).filter(({ status }) => status === 'Pending' || status === 'Unshipped');
    assert.ok(open.some(({ status }) => status === 'Pending') && open.some(({ status }) => status === 'Unshipped'));
    assert.ok(open.every(({ purchasedAt }) => localDay(us.timezone, purchasedAt) >= anchorDay - 3));
    assert.ok(linesOf(us).every(({ purchasedAt, updatedAt }) => updatedAt >= purchasedAt && updatedAt <= now / 1000));
  });

  test('prices are those of shops, yen have no decimals, and tax is that of the country', () => {
    const rate = (plan: Plan) =>
      share(
        sum(linesOf(plan), (line) => line.itemTax),
        sum(linesOf(plan), (line) => line.itemPrice),
      );
    between(rate(us), 0.05, 0.08, 'sales tax');
    for (const [channelId, vat] of [
      ['northwind-uk', 0.2],
      ['northwind-de', 0.19],
      ['northwind-jp', 0.1],
      ['northwind-au', 0.1],
    ] as const) {
      between(rate(planOf(channelId)), vat - 0.002, vat + 0.002, channelId);
      const plan = planOf(channelId);
      const prices = new Map(productRows(plan).map((product) => [product.sku, product.price]));
      const single = ({ sku, quantity, itemPrice, itemTax }: OrderLineRow) =>
        Math.abs(itemPrice + itemTax - prices.get(sku)! * quantity) < 0.001;
      assert.ok(linesOf(plan).every(single), `${channelId}: price and tax are what buyers saw`);
    }
    for (const plan of sellers) {
      const ending = plan.places === 0 ? /80$/ : /\.9[59]$/;
      assert.ok(
        productRows(plan).every(({ price }) => ending.test(String(price))),
        plan.channelId,
      );
    }
    const yen = lived
      .get(planOf('northwind-jp'))!
      .flatMap((day) => [
        ...day.orderLines.flatMap((line) => [line.itemPrice, line.itemTax, line.promotionDiscount, line.shippingPrice]),
        ...day.traffic.map((row) => row.orderedRevenue),
        ...[...day.campaignDays, ...day.adProductDays].flatMap((row) => [row.cost, row.sales, row.salesNtb]),
      ]);
    assert.ok(yen.length > 50_000 && yen.every(Number.isInteger));
  });

  test('traffic tells the same sales as order lines, without tax and with canceled orders', () => {
    for (const plan of sellers) {
      for (const day of lived.get(plan)!.slice(-plan.orderDays)) {
        const total = day.traffic.at(-1)!;
        assert.equal(
          total.orderedUnits,
          sum(day.orderLines, (line) => line.quantity),
        );
        assert.equal(total.orderItems, day.orderLines.length);
        assert.ok(Math.abs(total.orderedRevenue - sum(day.orderLines, (line) => line.itemPrice)) < 0.01);
        assert.equal(
          total.pageViews,
          sum(day.traffic.slice(0, -1), (row) => row.pageViews),
        );
      }
    }
  });

  test('visits are plausible: conversion, views of a session, mobile share and featured offer', () => {
    for (const plan of sellers) {
      for (const rows of Map.groupBy(totalsOf(plan), (row) => row.date.slice(0, 7)).values()) {
        between(
          share(
            sum(rows, (row) => row.orderedUnits),
            sum(rows, (row) => row.sessions),
          ),
          0.05,
          0.15,
          `${plan.channelId} conversion`,
        );
      }
      const rows = totalsOf(plan);
      between(
        share(
          sum(rows, (row) => row.pageViews),
          sum(rows, (row) => row.sessions),
        ),
        1.2,
        2,
        'views of a session',
      );
      between(
        share(
          sum(rows, (row) => row.mobileSessions),
          sum(rows, (row) => row.sessions),
        ),
        0.55,
        0.75,
        'mobile share',
      );
      between(
        share(
          sum(rows, (row) => row.buyBoxPercentage),
          rows.length,
        ),
        90,
        99,
        'featured offer',
      );
    }
  });

  test('advertising is plausible month by month: ACOS, TACOS, CPC, CTR, and fewer units than were ordered', () => {
    for (const plan of plans.filter(({ adShare }) => adShare > 0)) {
      const revenue = new Map(
        [...Map.groupBy(totalsOf(plan), (row) => row.date.slice(0, 7))].map(([month, rows]) => [
          month,
          sum(rows, (row) => row.orderedRevenue),
        ]),
      );
      const campaigns = lived.get(plan)!.flatMap((day) => day.campaignDays);
      for (const [month, rows] of Map.groupBy(campaigns, (row) => row.date.slice(0, 7))) {
        const spend = sum(rows, (row) => row.cost);
        between(
          share(
            spend,
            sum(rows, (row) => row.sales),
          ),
          0.15,
          0.4,
          `${plan.channelId} ACOS of ${month}`,
        );
        between(
          share(
            sum(rows, (row) => row.clicks),
            sum(rows, (row) => row.impressions),
          ),
          0.003,
          0.01,
          `${plan.channelId} CTR of ${month}`,
        );
        if (revenue.has(month)) between(share(spend, revenue.get(month)!), 0.045, 0.12, `${plan.channelId} TACOS of ${month}`);
      }
      between(
        share(
          sum(campaigns, (row) => row.cost),
          sum(campaigns, (row) => row.clicks),
        ) / plan.perDollar,
        0.5,
        1.6,
        `${plan.channelId} CPC in dollars`,
      );
      for (const day of lived.get(plan)!.slice(-plan.orderDays)) {
        if (plan.hasTraffic) assert.ok(sum(day.campaignDays, (row) => row.units) <= day.traffic.at(-1)!.orderedUnits);
      }
    }
  });

  test('advertised products add up to the campaigns that advertise single products', () => {
    const figures = ['clicks', 'conversions', 'units', 'unitsSameSku', 'impressions'] as const satisfies (keyof AdFigures)[];
    for (const figure of figures) {
      const inProducts = sum(
        lived.get(us)!.flatMap((day) => day.adProductDays),
        (row) => row[figure],
      );
      const inCampaigns = sum(
        lived.get(us)!.flatMap((day) => day.campaignDays),
        (row) => row[figure],
      );
      between(share(inProducts, inCampaigns), 0.7, 0.98, figure);
    }
    assert.ok(lived.get(us)!.every((day) => day.adProductDays.every((row) => row.adType !== 'SP' || row.ordersNtb === 0)));
  });

  test('rates are told on working days and stay near their levels', () => {
    const rates = [...makeRates(anchorDay - 800, lastDay)];
    assert.ok(rates.every(({ date }) => ![0, 6].includes(new Date(date).getUTCDay()) && !date.endsWith('-12-25')));
    for (const { currency, perEuro } of rates) {
      if (currency === 'USD') between(perEuro, 0.95, 1.3, 'USD');
      if (currency === 'JPY') between(perEuro, 120, 210, 'JPY');
    }
    for (const { currency } of plans) assert.ok(currency === 'EUR' || rates.some((rate) => rate.currency === currency), currency);
  });
});

describe('the demonstration in the stores', () => {
  let world: World;
  let demonstration: Demonstration;
  const told: string[] = [];

  before(async () => {
    world = await openWorld('embedded');
    world.clock.now = now;
    const { registry, warehouse, importer } = world;
    const parts = { registry, warehouse, importer, config: { secret, environment: 'production' as const }, now };
    let imports = 0;
    const dying: Pick<Importer, 'import'> = {
      import: async (asked, body) => {
        if (++imports > 3) throw new Error('the process has ended');
        return importer.import(asked, body);
      },
    };
    await assert.rejects(fillDemonstration({ ...parts, importer: dying }), /the process has ended/);
    // The next start comes the day after.
    demonstration = await fillDemonstration({ ...parts, now: now + 86_400_000, tell: (words) => told.push(words) });
  });
  after(() => world.close());

  test('a start that died half-way is completed, with the facts of the day on which it began', async () => {
    assert.equal(demonstration.madeAt, now);
    assert.equal(told[0], 'Making demonstration data (once) ...');
    const channels = await world.registry.records.selectFrom('channel').selectAll().where('organisationId', '=', organisationId).execute();
    assert.equal(channels.length, plans.length);
    for (const { channelId, channelNumber } of channels) {
      const reach = new Map((await world.warehouse.reach(channelNumber)).map(({ table, rows }) => [table, rows]));
      const plan = planOf(channelId);
      // Where it is the next day already, local yesterday is a day later.
      const days = [...liveThrough(plan, anchorDay, localDay(plan.timezone, now / 1000) - 1)];
      assert.equal(
        reach.get('order_line') ?? 0,
        sum(days, (day) => day.orderLines.length),
        channelId,
      );
      assert.equal(
        reach.get('campaign_day') ?? 0,
        sum(days, (day) => day.campaignDays.length),
        channelId,
      );
      assert.equal(
        reach.get('traffic_total') ?? 0,
        sum(days, (day) => (day.traffic.length > 0 ? 1 : 0)),
        channelId,
      );
    }
  });

  test('the next start finds it with the same key, and imports nothing', async () => {
    const { registry, warehouse } = world;
    const importer = { import: () => Promise.reject(new Error('nothing is to be imported')) };
    const again = { registry, warehouse, importer, now: now + 5 * 86_400_000 };
    assert.deepEqual(await fillDemonstration({ ...again, config: { secret, environment: 'production' } }), demonstration);
    // A key that was sealed with another secret opens nothing, so a new one takes its place.
    const other = { secret: 'another-secret-of-the-tests', environment: 'production' as const };
    const reissued = await fillDemonstration({ ...again, config: other });
    assert.notEqual(reissued.key, demonstration.key);
    assert.equal((await fillDemonstration({ ...again, config: other })).key, reissued.key);
    assert.equal((await fillDemonstration({ ...again, config: { secret, environment: 'production' } })).key, demonstration.key);
  });

  test('sales by period are filled for every seller channel', async () => {
    for (const { channelId, merchantId, timezone, currency, hasTraffic, kind } of plans) {
      const { reportOptions } = exampleRequest(demonstration);
      const body = { channelId, merchantId, reportOptions: { ...reportOptions, timezone, interval: 'd' } };
      const answer = await world.ask(demonstration.key, 'POST', '/reports/view/salesByPeriod', body);
      if (kind === 'vendor') {
        assert.equal(answer.status, 400);
        continue;
      }
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.body.currency, currency);
      const rows = answer.body.formattedChartData as Record<string, string | number>[];
      assert.ok(rows.length >= 30);
      // The range is that of the first channel, whose days begin elsewhere.
      for (const row of rows.slice(1, -1)) {
        assert.ok(Number(row.sales) > 0 && Number(row.unitsSold) > 0, `${channelId} ${row.startTime}`);
        if (hasTraffic)
          assert.ok(Number(row.totalSessions) > 0 && Number(row.adSpend) > 0 && Number(row.tacos) > 0, `${channelId} ${row.startTime}`);
      }
    }
  });

  test('the day from which order lines tell the sales shows no gap', async () => {
    const { timezone, channelId, merchantId } = us;
    const reportOptions = { fromDate: Date.UTC(2024, 9, 1, 7) / 1000, toDate: Date.UTC(2024, 11, 31, 12) / 1000, timezone, interval: 'M' };
    const ask = (includeTax: boolean) =>
      world.ask(demonstration.key, 'POST', '/reports/view/salesByPeriod', { channelId, merchantId, includeTax, reportOptions });
    const [withTax, without] = [(await ask(true)).body.formattedChartData, (await ask(false)).body.formattedChartData];
    assert.equal(withTax[0].sales, without[0].sales, 'before order lines there is no tax to leave out');
    assert.ok(Number(withTax[2].sales) > 1.04 * Number(without[2].sales));
    for (const row of withTax) assert.ok(row.unitsSold > 1000);
  });

  test('what the console says holds the key and a line that can be pasted', () => {
    const words = introduce(demonstration, { address: 'http://127.0.0.1:8080', dataFolder: '/data' });
    const line = words.split('\n').find((one) => one.startsWith('curl '))!;
    const body = JSON.parse(/-d '(.*)'$/.exec(line)![1]!);
    assert.ok(line.includes(demonstration.key) && !/[^ -~]/.test(line));
    assert.deepEqual(body, exampleRequest(demonstration));
    assert.equal(localDay(us.timezone, body.reportOptions.toDate), lastDay);
  });
});
