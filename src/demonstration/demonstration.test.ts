import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { slow } from '../../test/level.ts';
import { localDay } from '../calendar/period.ts';
import { offsetAt } from '../calendar/zone.ts';
import { type Campaign, campaignsOf, productsOf } from './campaigns.ts';
import { offersOf } from './catalogue.ts';
import { inventoryRows } from './inventory.ts';
import { keywordRows, keywordsOf } from './keywords.ts';
import { type OrderRow, orderRowsOf } from './orders.ts';
import { type Plan, plans } from './plans.ts';
import { ratesSince } from './rates.ts';
import type { AdMetrics, DayRows, FinanceEventRow, OrderLineRow } from './rows.ts';
import { searchQueryRows } from './searches.ts';
import { calendarDay, dealFactor } from './seasons.ts';
import { productRows, simulateDays } from './simulation.ts';
import { missingNow, stockOutsOf } from './stockOuts.ts';
import { targetRows } from './targets.ts';
import { unitCostRows } from './unitCosts.ts';

const now = Date.UTC(2026, 0, 15, 12);
const anchorDay = now / 86_400_000 - 0.5;
const lastDay = anchorDay - 1;

const planOf = (channelId: string) => plans.find((plan) => plan.channelId === channelId)!;
const us = planOf('northwind-us');
const lived = new Map<Plan, DayRows[]>();
const sellers = plans.filter((plan) => plan.hasTraffic);
const linesOf = (plan: Plan) => lived.get(plan)!.flatMap((day) => day.orderLines);
const totalsOf = (plan: Plan) =>
  lived.get(plan)!.flatMap((day) => day.traffic.filter((row) => row.sku === undefined));
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((total, row) => total + of(row), 0);
const share = (part: number, whole: number) => part / whole;
const dayOfText = (date: string) => Date.parse(date) / 86_400_000;

function between(value: number, min: number, max: number, what: string): void {
  assert.ok(value >= min && value <= max, `${what} is ${value}, not between ${min} and ${max}`);
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

describe('the simulated business', slow, () => {
  before(() => {
    for (const plan of plans) lived.set(plan, [...simulateDays(plan, anchorDay, lastDay)]);
  });
  after(() => lived.clear());

  test('every simulation gives the same facts', () => {
    assert.deepEqual(
      [...simulateDays(planOf('northwind-web'), anchorDay, lastDay)],
      lived.get(planOf('northwind-web')),
    );
    assert.deepEqual(campaignsOf(us, anchorDay), campaignsOf(us, anchorDay));
  });

  test('facts end yesterday; those of the main channel go back two years, all with their orders', () => {
    const days = lived.get(us)!;
    assert.equal(days.length, us.dailyDays);
    assert.ok(
      days.every((day) => day.traffic.length > us.products * 0.6 && day.campaignDays.length >= 8),
    );
    assert.equal(
      days.findIndex((day) => day.orderLines.length > 0),
      us.dailyDays - us.orderDays,
    );
    for (const plan of plans.filter(({ orderDays }) => orderDays > 0)) {
      const lines = linesOf(plan);
      assert.equal(localDay(plan.timezone, lines.at(-1)!.purchasedAt), lastDay, plan.channelId);
      assert.equal(
        localDay(plan.timezone, lines[0]!.purchasedAt),
        anchorDay - plan.orderDays,
        plan.channelId,
      );
    }
    const rows = [...lived.values()].flat();
    const count = sum(rows, (day) => sum(Object.values(day), (facts) => facts.length));
    between(count, 340_000, 420_000, 'the number of rows');
  });

  test('November and December are strongest, February is weak, and January is summer in Australia', () => {
    for (const plan of sellers) {
      const months = monthly(plan);
      const others = [...months].filter(([month]) => !/-1[12]$/.test(month));
      const average = sum(others, ([, perDay]) => perDay) / others.length;
      for (const month of ['2025-11', '2025-12'])
        assert.ok(months.get(month)! > 1.25 * average, `${plan.channelId} ${month}`);
    }
    const months = monthly(us);
    assert.ok(months.get('2025-11')! > months.get('2025-07')!);
    assert.ok(months.get('2025-07')! > 1.4 * months.get('2025-02')!);
    assert.ok(months.get('2025-12')! > 1.2 * months.get('2025-10')!);
    const northern = share(
      monthly(planOf('northwind-uk')).get('2025-01')!,
      monthly(planOf('northwind-uk')).get('2025-06')!,
    );
    const southern = share(
      monthly(planOf('northwind-au')).get('2025-01')!,
      monthly(planOf('northwind-au')).get('2025-06')!,
    );
    assert.ok(southern > 1.5 * northern);
  });

  test('days of deals stand out, most of all in July and on Black Friday', () => {
    const units = new Map(totalsOf(us).map((row) => [row.date, row.orderedUnits]));
    for (const date of ['2025-07-08', '2025-11-28']) {
      const weekBefore = units.get(
        new Date(Date.parse(date) - 14 * 86_400_000).toISOString().slice(0, 10),
      )!;
      assert.ok(units.get(date)! > 1.7 * weekBefore, date);
    }
    const deals = (date: string) => dealFactor(calendarDay(dayOfText(date)));
    assert.deepEqual(
      [deals('2025-07-09'), deals('2025-07-10'), deals('2025-10-14'), deals('2025-11-27')],
      [2.7, 1, 2, 1.5],
    );
    assert.deepEqual(
      [deals('2024-11-29'), deals('2024-12-02'), deals('2024-12-03'), deals('2025-12-01')],
      [2.6, 2.3, 1, 2.3],
    );
  });

  test('the business grows from year to year', () => {
    const months = monthly(us);
    const year = (of: string) =>
      sum(['02', '03', '05', '06', '09', '10'], (month) => months.get(`${of}-${month}`)!);
    between(share(year('2025'), year('2024')), 1.05, 1.4, 'the growth');
  });

  test('buyers order in their local evening and hardly ever at four in the morning', () => {
    for (const plan of sellers) {
      const hours = new Map<number, number>();
      for (const { purchasedAt } of linesOf(plan)) {
        const hour = Math.floor((purchasedAt + offsetAt(plan.timezone, purchasedAt)) / 3600) % 24;
        hours.set(hour, (hours.get(hour) ?? 0) + 1);
      }
      assert.ok(hours.get(20)! > 5 * (hours.get(4) ?? 0), plan.channelId);
    }
  });

  test('a fifth of the products brings in about half of the sales', () => {
    const bySku = new Map<string, number>();
    for (const { sku, itemPrice } of linesOf(us)) bySku.set(sku, (bySku.get(sku) ?? 0) + itemPrice);
    const sorted = [...bySku.values()].sort((left, right) => right - left);
    assert.equal(sorted.length, 28);
    between(
      share(sum(sorted.slice(0, 6), Number), sum(sorted, Number)),
      0.4,
      0.75,
      'the share of the first six products',
    );
  });

  test('some orders have several lines or units, few are canceled, some buyers return', () => {
    for (const plan of sellers) {
      const lines = linesOf(plan);
      const orders = Map.groupBy(lines, (line) => line.orderId);
      assert.equal(
        new Set(lines.map((line) => `${line.orderId} ${line.lineId}`)).size,
        lines.length,
      );
      const canceled = [...orders.values()].filter(
        ([first]) => first!.status === 'Canceled',
      ).length;
      between(share(canceled, orders.size), 0.02, 0.04, 'the share of canceled orders');
      between(
        share([...orders.values()].filter((one) => one.length > 1).length, orders.size),
        0.1,
        0.2,
        'the share of orders with several lines',
      );
      between(
        share(lines.filter((line) => line.quantity > 1).length, lines.length),
        0.07,
        0.13,
        'the share of lines with several units',
      );
      between(
        share(lines.filter((line) => line.promotionDiscount > 0).length, lines.length),
        0.08,
        0.25,
        'the share of promotions',
      );
      between(
        share(orders.size, new Set(lines.map((line) => line.buyerEmail)).size),
        1.1,
        1.5,
        'orders of a buyer',
      );
      assert.ok(
        [...orders.values()].every(
          (one) =>
            new Set(one.map(({ status, buyerEmail }) => `${status} ${buyerEmail}`)).size === 1,
        ),
      );
    }
  });

  test('only recent orders are still open', () => {
    const open = linesOf(us).filter(({ status }) => status === 'Pending' || status === 'Unshipped');
    assert.ok(
      open.some(({ status }) => status === 'Pending') &&
        open.some(({ status }) => status === 'Unshipped'),
    );
    assert.ok(open.every(({ purchasedAt }) => localDay(us.timezone, purchasedAt) >= anchorDay - 3));
    assert.ok(
      linesOf(us).every(
        ({ purchasedAt, updatedAt }) => updatedAt >= purchasedAt && updatedAt <= now / 1000,
      ),
    );
  });

  test('orders agree with their lines, and buyers keep their address', () => {
    for (const plan of plans) {
      const all = linesOf(plan);
      const lines = [
        ...all.filter(({ purchasedAt }) => purchasedAt >= (anchorDay - 60) * 86_400),
        ...all.slice(0, 500),
      ];
      const byOrder = Map.groupBy(lines, ({ orderId }) => orderId);
      const rows = orderRowsOf(plan)(lines);
      assert.deepEqual(
        rows.map((row) => row.PlatformOrderId),
        plan.marketplace === 'primarymkt' ? [...byOrder.keys()] : [],
      );
      for (const row of rows) {
        const own = byOrder.get(row.PlatformOrderId)!;
        assert.equal(Date.parse(row.PurchaseDate) / 1000, own[0]!.purchasedAt);
        assert.equal(Date.parse(row.LastUpdateDate) / 1000, own[0]!.updatedAt);
        assert.deepEqual(
          [row.OrderStatus, row.BuyerInfo.BuyerEmail],
          [own[0]!.status, own[0]!.buyerEmail],
        );
        assert.deepEqual(
          row.Items.map((item) => [item.OrderItemId, item.SellerSKU, item.QuantityOrdered]),
          own.map((line) => [line.lineId, line.sku, line.quantity]),
        );
        const paid = sum(
          own,
          (line) => line.itemPrice + line.itemTax + line.shippingPrice - line.promotionDiscount,
        );
        const { OrderTotal: total } = row;
        if (row.OrderStatus === 'Canceled') assert.equal(total, undefined);
        else
          assert.ok(
            Math.abs(total!.Amount - paid) < 0.0001 && total!.CurrencyCode === plan.currency,
          );
        assert.equal(row.IsReplacementOrder === true, paid === 0);
        const units = sum(own, (line) => line.quantity);
        const { NumberOfItemsShipped: shipped = 0, NumberOfItemsUnshipped: unshipped = 0 } = row;
        assert.equal(shipped + unshipped, row.OrderStatus === 'Canceled' ? 0 : units);
        assert.equal(shipped === units, row.OrderStatus === 'Shipped');
        assert.equal(
          shipped > 0 && unshipped > 0,
          row.OrderStatus === 'PartiallyShipped',
          row.PlatformOrderId,
        );
        assert.equal(
          row.FulfillmentChannel,
          own.some(({ sku }) => /^NW-(POLES|TENT2)$/.test(sku)) ? 'MFN' : 'AFN',
        );
        const times = [
          row.PurchaseDate,
          row.EarliestShipDate,
          row.LatestShipDate,
          row.LatestDeliveryDate,
        ];
        assert.deepEqual([...times].sort(), times);
        assert.ok(
          row.EarliestDeliveryDate > row.EarliestShipDate &&
            row.EarliestDeliveryDate < row.LatestDeliveryDate,
        );
      }
      const delivered = rows.filter((row) => !row.IsISPU);
      for (const ofBuyer of Map.groupBy(delivered, (row) => row.BuyerInfo.BuyerEmail).values())
        assert.equal(new Set(ofBuyer.map((row) => JSON.stringify(row.ShippingAddress))).size, 1);
      if (plan !== us) continue;
      for (const [what, low, high, is] of [
        ['Prime', 0.55, 0.8, (row) => row.IsPrime === true],
        ['business orders', 0.03, 0.15, (row) => row.IsBusinessOrder === true],
        ['orders that the seller ships', 0.02, 0.12, (row) => row.FulfillmentChannel === 'MFN'],
        ['premium orders', 0.001, 0.02, (row) => row.IsPremiumOrder === true],
        ['replacements', 0.002, 0.02, (row) => row.IsReplacementOrder === true],
        ['partially shipped orders', 0.001, 0.02, (row) => row.OrderStatus === 'PartiallyShipped'],
        ['canceled orders', 0.015, 0.05, (row) => row.OrderStatus === 'Canceled'],
      ] as const satisfies [string, number, number, (row: OrderRow) => boolean][])
        between(share(rows.filter(is).length, rows.length), low, high, `the share of ${what}`);
      for (const row of rows) {
        assert.ok(!row.IsPrime || row.FulfillmentChannel === 'AFN');
        assert.ok(!row.IsPremiumOrder || row.FulfillmentChannel === 'MFN');
      }
    }
  });

  test('the inventory agrees with shipments; some products run out, some are overstocked', () => {
    const covers: number[] = [];
    for (const plan of plans) {
      const rows = inventoryRows(plan, linesOf(plan), anchorDay);
      const stored = productRows(plan).filter(
        ({ fulfilledByMarketplace }) => fulfilledByMarketplace && plan.kind === 'seller',
      );
      assert.deepEqual(
        new Set(rows.map(({ sku }) => sku)),
        new Set(stored.map(({ sku }) => sku)),
        plan.channelId,
      );
      for (const row of rows) {
        assert.equal(row.date, '2026-01-15');
        const shipped = linesOf(plan).filter(
          ({ sku, status }) => sku === row.sku && status === 'Shipped',
        );
        const since =
          Date.UTC(2026, 0, 8) / 1000 - offsetAt(plan.timezone, Date.UTC(2026, 0, 8) / 1000);
        const ofWeek = shipped.filter(({ updatedAt }) => updatedAt >= since);
        assert.equal(
          row.unitsShipped7,
          sum(ofWeek, ({ quantity }) => quantity),
          `${plan.channelId} ${row.sku}`,
        );
        assert.ok(
          row.unitsShipped7 <= row.unitsShipped30 && row.unitsShipped30 <= row.unitsShipped60,
        );
        assert.ok(row.unitsShipped60 <= row.unitsShipped90 && row.fcTransfer <= row.reserved);
        assert.ok(row.available + row.reserved + row.unfulfillable === 0 || row.storageVolume > 0);
        if (row.unitsShipped30 > 0) covers.push((row.available * 30) / row.unitsShipped30);
      }
    }
    const part = (is: (cover: number) => boolean) => share(covers.filter(is).length, covers.length);
    between(
      part((cover) => cover < 20),
      0.1,
      0.35,
      'the share of products that run out',
    );
    between(
      part((cover) => cover > 120),
      0.05,
      0.3,
      'the share of overstocked products',
    );
    assert.ok(covers.includes(0));
  });

  test('prices look like shop prices, yen have no decimals, and tax follows the country', () => {
    const rate = (plan: Plan) =>
      share(
        sum(linesOf(plan), (line) => line.itemTax),
        sum(linesOf(plan), (line) => line.itemPrice),
      );
    between(rate(us), 0.06, 0.09, 'sales tax');
    const ofState = Map.groupBy(
      orderRowsOf(us)(linesOf(us).slice(-2000)).filter((row) => !row.IsISPU),
      (row) => row.ShippingAddress.StateOrRegion,
    );
    const taxed = (state: string) =>
      share(
        sum(ofState.get(state)!, (row) => sum(row.Items, (item) => item.ItemTax)),
        sum(ofState.get(state)!, (row) =>
          sum(row.Items, (item) => item.ItemPrice - (item.PromotionDiscount ?? 0)),
        ),
      );
    assert.equal(taxed('OR'), 0, 'Oregon has no sales tax');
    between(taxed('WA'), 0.102, 0.103, 'sales tax in Washington');
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
        itemPrice === 0 || Math.abs(itemPrice + itemTax - prices.get(sku)! * quantity) < 0.001;
      assert.ok(linesOf(plan).every(single), `${channelId}: price and tax are what buyers saw`);
    }
    for (const plan of sellers) {
      const ending = plan.decimals === 0 ? /80$/ : /\.9[59]$/;
      assert.ok(
        productRows(plan).every(({ price }) => ending.test(String(price))),
        plan.channelId,
      );
    }
    const yen = lived
      .get(planOf('northwind-jp'))!
      .flatMap((day) => [
        ...day.orderLines.flatMap((line) => [
          line.itemPrice,
          line.itemTax,
          line.promotionDiscount,
          line.shippingPrice,
        ]),
        ...day.traffic.map((row) => row.orderedRevenue),
        ...[
          ...day.campaignDays,
          ...day.adGroupDays,
          ...day.keywordDays,
          ...day.adProductDays,
        ].flatMap((row) => [row.cost, row.sales, row.salesNtb]),
      ]);
    assert.ok(yen.length > 50_000 && yen.every(Number.isInteger));
  });

  test('traffic has the same sales as order lines, with canceled orders, without tax and replacements', () => {
    for (const plan of sellers) {
      for (const day of lived.get(plan)!.slice(-plan.orderDays)) {
        const total = day.traffic.at(-1)!;
        const sold = day.orderLines.filter((line) => line.itemPrice > 0);
        assert.equal(
          total.orderedUnits,
          sum(sold, (line) => line.quantity),
        );
        assert.equal(total.orderItems, sold.length);
        assert.ok(
          Math.abs(total.orderedRevenue - sum(day.orderLines, (line) => line.itemPrice)) < 0.01,
        );
        assert.equal(
          total.pageViews,
          sum(day.traffic.slice(0, -1), (row) => row.pageViews),
        );
      }
    }
  });

  test('traffic is plausible: conversion, page views per session, mobile share and buy box', () => {
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
        85,
        98,
        'featured offer',
      );
    }
  });

  test('products differ in buy box, mobile share, clicks on ads and brand', () => {
    const spread = (rates: readonly number[]) => Math.max(...rates) - Math.min(...rates);
    for (const plan of sellers) {
      const days = lived.get(plan)!.slice(-90);
      const visits = days.flatMap((day) => day.traffic.filter((row) => row.sku !== undefined));
      const bySku = [...Map.groupBy(visits, (row) => row.sku).values()];
      const mobile = bySku.map((rows) =>
        share(
          sum(rows, (row) => row.mobileSessions),
          sum(rows, (row) => row.sessions),
        ),
      );
      const buyBox = bySku.map((rows) =>
        share(
          sum(rows, (row) => row.buyBoxPercentage * row.pageViews),
          sum(rows, (row) => row.pageViews),
        ),
      );
      assert.ok(spread(mobile) > 0.1 && spread(buyBox) > 5, plan.channelId);
      const ads = days.flatMap((day) => day.adProductDays.filter((row) => row.adType === 'SP'));
      const clickRates = [...Map.groupBy(ads, (row) => row.sku).values()].map((rows) =>
        share(
          sum(rows, (row) => row.clicks),
          sum(rows, (row) => row.impressions),
        ),
      );
      assert.ok(Math.max(...clickRates) > 1.3 * Math.min(...clickRates), plan.channelId);
      assert.ok(new Set(productRows(plan).map(({ brand }) => brand)).size >= 3, plan.channelId);
    }
  });

  test('a product that is out of stock is looked at, but neither sold, advertised nor featured', () => {
    for (const plan of sellers) {
      const offers = offersOf(plan);
      const stockOuts = stockOutsOf(plan, offers, anchorDay);
      const missing = missingNow(plan, offers);
      assert.ok(missing.size > 0, plan.channelId);
      let days = 0;
      for (const day of lived.get(plan)!) {
        const { date } = day.traffic.at(-1)!;
        for (const { sku, pageViews, orderedUnits, buyBoxPercentage } of day.traffic) {
          const isOut = (stockOuts.get(sku!) ?? []).some(
            ({ firstDay, lastDay: end }) => firstDay <= dayOfText(date) && dayOfText(date) <= end,
          );
          if (!isOut) continue;
          days++;
          assert.ok(pageViews > 0 && orderedUnits === 0 && buyBoxPercentage === 0);
          assert.ok(day.adProductDays.every((row) => row.sku !== sku));
        }
      }
      assert.ok(days > 20, plan.channelId);
      for (const row of inventoryRows(plan, linesOf(plan), anchorDay))
        assert.equal(row.available === 0 && row.inbound > 0, missing.has(row.sku), row.sku);
    }
  });

  test('monthly advertising is plausible: ACOS, TACOS, CPC, CTR, and fewer units than ordered', () => {
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
          0.5,
          `${plan.channelId} ACOS of ${month}`,
        );
        between(
          share(
            sum(rows, (row) => row.clicks),
            sum(rows, (row) => row.impressions),
          ),
          0.0025,
          0.01,
          `${plan.channelId} CTR of ${month}`,
        );
        if (revenue.has(month))
          between(
            share(spend, revenue.get(month)!),
            0.05,
            0.15,
            `${plan.channelId} TACOS of ${month}`,
          );
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
        if (plan.hasTraffic)
          assert.ok(sum(day.campaignDays, (row) => row.units) <= day.traffic.at(-1)!.orderedUnits);
      }
    }
  });

  /** The figures that are sums; amounts in minor units, so that they add up exactly. */
  const summed = (rows: readonly AdMetrics[]) => {
    const names = Object.entries(rows[0]!).flatMap(([name, value]) =>
      typeof value === 'number' ? [name as keyof AdMetrics] : [],
    );
    assert.equal(names.length, 13);
    return Object.fromEntries(
      names.map((name) => [name, sum(rows, (row) => Math.round(Number(row[name]) * 100))]),
    );
  };

  test('ad groups add up to their campaign on every day, in every metric', () => {
    for (const [plan, facts] of lived) {
      for (const day of facts) {
        const ofCampaign = Map.groupBy(day.adGroupDays, (row) => row.campaignId);
        assert.equal(ofCampaign.size, day.campaignDays.length, plan.channelId);
        for (const { date, campaignId, adType, ...figures } of day.campaignDays) {
          const own = ofCampaign.get(campaignId)!;
          assert.ok(own.every((row) => row.adType === adType && row.date === date));
          assert.deepEqual(summed(own), summed([figures]), `${campaignId} ${date}`);
        }
      }
    }
  });

  test('keywords add up to their ad group on every day of the last months; display has none', () => {
    for (const [plan, facts] of lived) {
      const campaigns = campaignsOf(plan, anchorDay);
      const rows = keywordRows(
        plan,
        campaigns,
        keywordsOf(plan, offersOf(plan), campaigns, anchorDay),
      );
      const known = new Map(rows.map((row) => [row.keywordId, row]));
      assert.equal(known.size, rows.length, plan.channelId);
      const days = facts.filter((day) => day.keywordDays.length > 0);
      assert.equal(days.length > 180, plan.adShare > 0, plan.channelId);
      for (const day of days) {
        const ofAdGroup = Map.groupBy(day.keywordDays, (row) => row.adGroupId);
        for (const { date, adGroupId, campaignId, adType, ...figures } of day.adGroupDays) {
          const own = ofAdGroup.get(adGroupId) ?? [];
          assert.equal(own.length > 0, adType !== 'SD' && figures.impressions > 0);
          if (own.length === 0) continue;
          assert.deepEqual(summed(own), summed([figures]), `${adGroupId} ${date}`);
          for (const row of own) {
            const { adGroupId: parent, status } = known.get(row.keywordId)!;
            assert.deepEqual([row.campaignId, row.adType, row.date], [campaignId, adType, date]);
            assert.equal(parent, adGroupId);
            assert.ok(row.clicks >= row.conversions && row.impressions >= row.clicks);
            if (status === 'paused') assert.ok(dayOfText(date) < anchorDay - 40);
          }
        }
      }
      for (const [keywordId, own] of Map.groupBy(
        days.flatMap((day) => day.keywordDays),
        (row) => row.keywordId,
      )) {
        const [cost, clicks] = [sum(own, (row) => row.cost), sum(own, (row) => row.clicks)];
        if (clicks > 50)
          between(
            cost / clicks / known.get(keywordId)!.bid,
            0.5,
            1.1,
            `${keywordId}: click over bid`,
          );
      }
    }
  });

  test('advertised products add up to the campaigns of their ad type on every day', () => {
    for (const facts of lived.values()) {
      for (const day of facts) {
        const ofCampaigns = Map.groupBy(day.campaignDays, (row) => row.adType);
        const ofProducts = Map.groupBy(day.adProductDays, (row) => row.adType);
        assert.equal(ofProducts.size, ofCampaigns.size);
        for (const [adType, rows] of ofProducts)
          assert.deepEqual(summed(rows), summed(ofCampaigns.get(adType)!), adType);
      }
    }
  });

  test('new-to-brand customers come from Sponsored Brands and Display, never Sponsored Products', () => {
    for (const plan of plans.filter(({ adShare }) => adShare > 0)) {
      const rows = Map.groupBy(
        lived.get(plan)!.flatMap((day) => day.campaignDays),
        (row) => row.adType,
      );
      assert.deepEqual([...rows.keys()].sort(), ['SB', 'SD', 'SP']);
      assert.equal(
        sum(rows.get('SP')!, (row) => row.ordersNtb + row.unitsNtb + row.salesNtb),
        0,
      );
      for (const [adType, least, most] of [
        ['SB', 0.5, 0.75],
        ['SD', 0.22, 0.48],
      ] as const) {
        const orders = sum(rows.get(adType)!, (row) => row.ordersNtb);
        between(
          share(
            orders,
            sum(rows.get(adType)!, (row) => row.conversions),
          ),
          least,
          most,
          `${plan.channelId} ${adType}`,
        );
      }
      for (const row of [...rows.values()].flat()) {
        assert.ok(
          row.unitsNtb <= row.units &&
            row.salesNtb <= row.sales &&
            row.unitsSameSku <= row.units &&
            row.conversions <= row.clicks,
        );
      }
    }
  });

  test('campaigns run within their dates; one is paused, those of past holidays are archived', () => {
    for (const [plan, facts] of lived) {
      const campaigns = campaignsOf(plan, anchorDay);
      if (plan.adShare === 0) {
        assert.deepEqual(campaigns, []);
        continue;
      }
      const byId = new Map<string, Campaign>(
        campaigns.map((campaign) => [campaign.campaignId, campaign]),
      );
      const groupIds = campaigns.flatMap(({ adGroups }) =>
        adGroups.map(({ adGroupId }) => adGroupId),
      );
      assert.equal(byId.size, campaigns.length);
      assert.equal(new Set(groupIds).size, groupIds.length);
      assert.ok([...byId.keys(), ...groupIds].every((id) => /^[1-9]\d{14}$/.test(id)));
      assert.deepEqual(
        [...new Set(campaigns.map((campaign) => campaign.status))].sort(),
        ['active', 'archived', 'paused'],
        plan.channelId,
      );
      for (const { campaignId, date } of facts.flatMap((day) => day.campaignDays)) {
        const { startDay, lastDay } = byId.get(campaignId)!;
        between(dayOfText(date), startDay, lastDay, `${campaignId} on ${date}`);
      }
      for (const {
        adType,
        targetingType,
        biddingStrategy,
        costType,
        name,
        status,
        endDay,
        adGroups,
      } of campaigns) {
        assert.ok(name.startsWith(`${adType} | `) && adGroups.length > 0);
        assert.equal(targetingType !== undefined && biddingStrategy !== undefined, adType === 'SP');
        assert.ok(costType === 'cpc' || adType === 'SD');
        assert.equal(endDay !== undefined, name.includes('Holiday'));
        assert.equal(status === 'archived', endDay !== undefined && endDay < anchorDay);
      }
    }
  });

  test('budgets cover an average day, and bids cover a click', () => {
    for (const [plan, facts] of lived) {
      const days = facts.filter((day) => day.campaignDays.length > 0);
      for (const campaign of campaignsOf(plan, anchorDay)) {
        const rows = days.flatMap((day) =>
          day.campaignDays.filter((row) => row.campaignId === campaign.campaignId),
        );
        const spent = sum(rows, (row) => row.cost) * 10 ** plan.decimals;
        const allowed =
          campaign.budgetType === 'daily' ? campaign.budget * rows.length : campaign.budget;
        between(
          share(spent, allowed),
          0.05,
          1,
          `${campaign.name} of ${plan.channelId}: spend over budget`,
        );
        for (const { adGroupId, defaultBid } of campaign.adGroups) {
          const own = days.flatMap((day) =>
            day.adGroupDays.filter((row) => row.adGroupId === adGroupId),
          );
          const cost = sum(own, (row) => row.cost) * 10 ** plan.decimals;
          between(
            share(
              cost,
              sum(own, (row) => row.clicks),
            ) / defaultBid,
            0.5,
            1.05,
            `${campaign.name}: click over bid`,
          );
        }
        assert.equal(
          sum(campaign.adGroups, ({ offerIndexes }) => offerIndexes.length),
          campaign.adType === 'SP'
            ? new Set(campaign.adGroups.flatMap(({ offerIndexes }) => offerIndexes)).size
            : productsOf(campaign.adType, plan.advertised),
        );
      }
    }
  });

  test('vendor sales ship within days and are mostly supplied by the vendor', () => {
    for (const [plan, facts] of lived) {
      const rows = Map.groupBy(
        facts.flatMap((day) => day.vendorSales),
        (row) => row.view,
      );
      if (plan.kind !== 'vendor') {
        assert.equal(rows.size, 0);
        continue;
      }
      const [all, supplied] = [rows.get('MANUFACTURING')!, rows.get('SOURCING')!];
      assert.equal(all.length, plan.dailyDays * plan.products);
      assert.equal(supplied.length, all.length);
      all.forEach((row, index) => {
        const own = supplied[index]!;
        assert.deepEqual([own.asin, own.date], [row.asin, row.date]);
        assert.ok(own.shippedUnits <= row.shippedUnits && row.orderedUnits <= row.glanceViews);
      });
      const units = (of: typeof all, name: 'orderedUnits' | 'shippedUnits') =>
        sum(of, (row) => row[name]);
      between(
        share(units(all, 'shippedUnits'), units(all, 'orderedUnits')),
        0.98,
        1,
        'shipped of ordered',
      );
      between(
        share(units(supplied, 'shippedUnits'), units(all, 'shippedUnits')),
        0.75,
        0.95,
        'supplied of shipped',
      );
      const revenue = sum(all, (row) => row.shippedRevenue);
      between(
        share(
          sum(all, (row) => row.shippedCogs),
          revenue,
        ),
        0.61,
        0.63,
        'what the marketplace pays',
      );
      const spend = sum(
        facts.flatMap((day) => day.campaignDays),
        (row) => row.cost,
      );
      between(
        share(
          spend,
          sum(all, (row) => row.orderedRevenue),
        ),
        0.04,
        0.12,
        'spend over ordered revenue',
      );
    }
  });

  test('channels have targets for three years, close to sales, and for the largest deals by date', () => {
    for (const plan of plans) {
      const rows = targetRows(plan, anchorDay);
      const months = rows.filter((row) => 'month' in row);
      assert.deepEqual(
        [months.length, months[0]!.month, months.at(-1)!.month],
        [36, '2025-01', '2027-12'],
      );
      assert.ok(
        months.every(
          (row) =>
            row.salesBudget >= row.salesForecast && row.salesForecast > (row.adSpendBudget ?? 0),
        ),
      );
      assert.ok(months.every((row) => (row.adSpendBudget !== undefined) === plan.adShare > 0));
      // Two days in July, two in October, and the eight from the Monday before Black Friday.
      assert.equal(rows.length - months.length, 3 * 12);
      const deals = rows.flatMap((row) => ('date' in row ? [row] : []));
      const sold = monthly(plan);
      for (const { month, salesForecast } of months.filter(
        (row) => row.month < '2026' && sold.has(row.month),
      )) {
        const days = new Date(
          Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0),
        ).getUTCDate();
        const own = deals.filter(({ date }) => date.startsWith(month));
        const shares = (salesForecast / days) * (days - own.length);
        between(
          (sold.get(month)! * days) / (shares + sum(own, (deal) => deal.salesForecast)),
          // Months of a small channel differ more by chance.
          plan === us ? 0.75 : 0.55,
          plan === us ? 1.25 : 1.45,
          `${plan.channelId} ${month}`,
        );
      }
    }
  });

  const searched = plans.filter(({ marketplace }) => marketplace === 'primarymkt');

  test('channels of the primary marketplace have searches of their products for all whole months', () => {
    for (const plan of plans.filter((one) => !searched.includes(one)))
      assert.deepEqual(searchQueryRows(plan, anchorDay), []);
    const brands = new Set(plans.flatMap((plan) => productRows(plan).map(({ brand }) => brand)));
    for (const plan of searched) {
      const rows = searchQueryRows(plan, anchorDay);
      assert.deepEqual(searchQueryRows(plan, anchorDay), rows);
      const months = [...new Set(rows.map(({ month }) => month))];
      assert.deepEqual(
        [months.length, months[0], months.at(-1)],
        plan === us ? [25, '2023-12', '2025-12'] : [14, '2024-11', '2025-12'],
      );
      const prices = new Map(productRows(plan).map(({ productId, price }) => [productId, price]));
      for (const month of months) {
        const byProduct = Map.groupBy(
          rows.filter((row) => row.month === month),
          ({ asin }) => asin,
        );
        assert.equal(byProduct.size, Math.min(12, plan.products));
        for (const [asin, own] of byProduct) {
          between(own.length, 6, 10, `queries of ${asin}`);
          assert.equal(new Set(own.map(({ searchQuery }) => searchQuery)).size, own.length);
          assert.ok(prices.has(asin));
        }
      }
      for (const row of rows) {
        const what = `${plan.channelId} ${row.month} ${row.searchQuery}`;
        assert.ok(
          row.purchases <= row.cartAdds &&
            row.cartAdds <= row.clicks &&
            row.clicks < row.impressions,
          what,
        );
        assert.ok(
          row.totalPurchases <= row.totalCartAdds && row.totalCartAdds < row.totalClicks,
          what,
        );
        assert.ok(
          row.totalClicks < row.searchQueryVolume && row.searchQueryVolume < row.totalImpressions,
          what,
        );
        assert.ok(
          row.impressions <= row.searchQueryVolume,
          `${what}: no search shows a product twice`,
        );
        const price = prices.get(row.asin)!;
        assert.equal(row.medianClickPrice, price);
        assert.equal(row.medianPurchasePrice !== undefined, row.purchases > 0);
        between(row.medianPurchasePrice ?? price, 0.94 * price, price, `${what}: price`);
        between(row.totalMedianPurchasePrice / price, 0.4, 1.1, `${what}: price of the market`);
      }
      for (const [search, own] of Map.groupBy(
        rows,
        ({ month, searchQuery }) => `${month} ${searchQuery}`,
      )) {
        for (const [name, total] of [
          ['impressions', 'totalImpressions'],
          ['clicks', 'totalClicks'],
          ['cartAdds', 'totalCartAdds'],
          ['purchases', 'totalPurchases'],
        ] as const) {
          assert.equal(
            new Set(own.map((row) => row[total])).size,
            1,
            `${search}: products disagree about ${total}`,
          );
          const part = sum(own, (row) => row[name]);
          assert.ok(part <= own[0]![total], `${search}: ${name} of all products`);
        }
      }
      for (const [searchQuery, own] of Map.groupBy(rows, (row) => row.searchQuery)) {
        const perMonth = new Map(own.map(({ month, totalClicks }) => [month, totalClicks]));
        const part = share(
          sum(own, (row) => row.clicks),
          sum([...perMonth.values()], Number),
        );
        if (brands.has(searchQuery.split(' ')[0]!.replace(/^./, (letter) => letter.toUpperCase())))
          between(part, 0.4, 0.75, `${searchQuery}: share of clicks`);
        else between(part, 0.004, 0.15, `${searchQuery}: share of clicks`);
      }
    }
  });

  test('searches lead to about half of the sales and follow the seasons', () => {
    for (const channelId of ['northwind-us', 'northwind-de']) {
      const plan = planOf(channelId);
      const rows = searchQueryRows(plan, anchorDay).filter(({ month }) => month >= '2025-01');
      const asins = new Set(rows.map(({ asin }) => asin));
      const sold = lived
        .get(plan)!
        .flatMap((day) =>
          day.traffic.filter(
            ({ date, productId }) => date.startsWith('2025') && asins.has(productId ?? ''),
          ),
        );
      const bought = sum(rows, (row) => row.purchases);
      between(
        share(
          bought,
          sum(sold, (row) => row.orderedUnits),
        ),
        0.3,
        0.6,
        `${channelId}: purchases over units sold`,
      );
      const volume = (query: string, month: string) =>
        rows.find((row) => row.searchQuery === query && row.month === month)!.searchQueryVolume;
      const [pack, socks] =
        channelId === 'northwind-us'
          ? ['day pack', 'hiking socks']
          : ['tagesrucksack herren', 'wandersocken'];
      assert.ok(volume(pack!, '2025-07') > 1.5 * volume(pack!, '2025-02'));
      assert.ok(volume(socks!, '2025-12') > 1.5 * volume(socks!, '2025-06'));
    }
  });

  const bookedPlans = plans.filter(({ terms }) => terms !== undefined);
  const eventsOf = (plan: Plan) => lived.get(plan)!.flatMap((day) => day.financeEvents);
  /** A sum of amounts, in minor units. */
  const minor = (
    plan: Plan,
    rows: readonly FinanceEventRow[],
    of: (row: FinanceEventRow) => number = ({ amount }) => amount,
  ) => sum(rows, (row) => Math.round(of(row) * 10 ** plan.decimals));
  const daysAfter = (seconds: number) => seconds / 86_400;

  test('every shipped order line is a sale once: individually of late, summed by day and product before', () => {
    assert.deepEqual(
      plans.filter((plan) => !bookedPlans.includes(plan)).map(({ kind }) => kind),
      ['vendor'],
    );
    for (const plan of bookedPlans) {
      const sales = eventsOf(plan).filter(({ line }) => line === 'sales');
      const ofOrders = new Map(
        sales.filter(({ orderId }) => orderId !== undefined).map((row) => [row.eventId, row]),
      );
      // Everything ordered before this has been shipped and posted.
      const isSettled = ({ purchasedAt }: OrderLineRow) => purchasedAt < (anchorDay - 4) * 86_400;
      const sold = linesOf(plan).filter(
        (line) =>
          line.status === 'Shipped' &&
          (isSettled(line) || ofOrders.has(`${line.lineId}-Principal`)),
      );
      assert.ok(sold.length > linesOf(plan).length * 0.94);
      for (const [sku, lines] of Map.groupBy(sold, (line) => line.sku)) {
        const booked = sales.filter((row) => row.sku === sku);
        assert.equal(
          sum(booked, (row) => row.quantity!),
          sum(lines, (line) => line.quantity),
          `${plan.channelId} ${sku}`,
        );
        assert.equal(
          minor(plan, booked),
          sum(lines, (line) => Math.round(line.itemPrice * 10 ** plan.decimals)),
          `${plan.channelId} ${sku}`,
        );
      }
      const recent = sold.filter(({ purchasedAt }) => purchasedAt >= (anchorDay - 45) * 86_400);
      assert.ok(recent.length > sold.length * 0.04);
      for (const line of recent) {
        const { postedAt, amount, tax = 0, ...row } = ofOrders.get(`${line.lineId}-Principal`)!;
        between(
          daysAfter(postedAt - line.purchasedAt),
          20 / 24,
          49 / 24,
          `${line.lineId}: days until it is booked`,
        );
        assert.deepEqual(
          [row.orderId, row.sku, row.quantity, amount],
          [line.orderId, line.sku, line.quantity, line.itemPrice],
        );
        assert.equal(
          tax,
          plan === us ? 0 : line.itemTax,
          'the marketplace of the United States pays the tax on',
        );
      }
    }
  });

  test('events have unique ids and whole minor units, and are never posted ahead of time', () => {
    for (const plan of bookedPlans) {
      const rows = eventsOf(plan);
      assert.equal(new Set(rows.map(({ eventId }) => eventId)).size, rows.length);
      for (const { postedAt, amount, tax = 0, eventId } of rows) {
        between(Math.floor(daysAfter(postedAt)), anchorDay - plan.orderDays, lastDay, eventId);
        for (const value of [amount, tax])
          assert.equal(value, Number(value.toFixed(plan.decimals)), eventId);
      }
      assert.ok(
        rows.every(
          ({ sku, line }) =>
            sku !== undefined || !['sales', 'refunds', 'promotions', 'shippingFees'].includes(line),
        ),
      );
    }
  });

  test('a sale has the usual charges: commission, fulfilment, promotions, and shipping paid by the buyer', () => {
    for (const plan of bookedPlans) {
      const ours = new Set(
        productRows(plan).flatMap(({ sku, fulfilledByMarketplace }) =>
          fulfilledByMarketplace ? [] : [sku],
        ),
      );
      assert.equal(ours.size > 0, true, plan.channelId);
      const lines = new Map(linesOf(plan).map((line) => [line.lineId, line]));
      for (const row of eventsOf(plan).filter(({ orderId }) => orderId !== undefined)) {
        const line = lines.get(row.eventId.split('-')[0]!)!;
        assert.equal(row.fulfillment, ours.has(line.sku) ? 'MFN' : 'AFN');
        if (row.eventId.includes('Refund')) continue;
        const paid =
          line.itemPrice +
          line.shippingPrice -
          line.promotionDiscount +
          (plan === us ? 0 : line.itemTax);
        if (row.code === 'Commission' && plan.marketplace === 'primarymkt')
          between(-row.amount / paid, 0.145, 0.175, row.eventId);
        if (row.code === 'Commission' && plan.marketplace === 'shopify')
          between(-row.amount - paid * 0.029, 0.29, 0.31, row.eventId);
        if (row.code === 'FBAPerUnitFulfillmentFee')
          between(-row.amount / plan.perDollar / line.quantity, 2, 12, row.eventId);
        if (row.line === 'promotions') assert.equal(row.amount, -line.promotionDiscount);
        if (row.line === 'otherIncome') assert.equal(row.amount, line.shippingPrice);
        assert.ok(row.line !== 'shippingFees' || row.fulfillment === 'AFN');
      }
    }
  });

  test('returns take one to four weeks, are more frequent for clothes, and never exceed sales', () => {
    for (const plan of bookedPlans) {
      const rows = eventsOf(plan);
      const units = (line: 'sales' | 'refunds', sku = '') =>
        sum(
          rows.filter((row) => row.line === line && row.sku!.startsWith(sku)),
          (row) => row.quantity ?? 0,
        );
      between(
        share(units('refunds'), units('sales')),
        0.03,
        0.08,
        `${plan.channelId}: units refunded`,
      );
      if (plan === us)
        assert.ok(
          units('refunds', 'NW-DOWN') / units('sales', 'NW-DOWN') >
            units('refunds', 'NW-BOTTLE') / units('sales', 'NW-BOTTLE'),
        );
      const lines = new Map(linesOf(plan).map((line) => [line.lineId, line]));
      for (const row of rows.filter(
        ({ line, code, orderId }) =>
          line === 'refunds' && code === 'Principal' && orderId !== undefined,
      )) {
        const line = lines.get(row.eventId.split('-')[0]!)!;
        between(row.quantity!, 1, line.quantity, row.eventId);
        between(
          -row.amount / line.itemPrice,
          0.99 * share(row.quantity!, line.quantity),
          1.01 * share(row.quantity!, line.quantity),
          row.eventId,
        );
        between(
          daysAfter(row.postedAt - line.purchasedAt),
          7,
          31,
          `${row.eventId}: days until it is refunded`,
        );
      }
    }
  });

  test('ad charges add up to the costs of the campaigns, and one channel has none', () => {
    for (const plan of bookedPlans.filter(({ adShare }) => adShare > 0)) {
      const charges = eventsOf(plan).filter(({ line }) => line === 'advertisingSpend');
      if (plan.channelId === 'northwind-au') {
        assert.deepEqual(charges, []);
        continue;
      }
      assert.ok(
        charges.length > plan.orderDays / 4 && charges.every(({ sku }) => sku === undefined),
      );
      const days = lived.get(plan)!.slice(-plan.orderDays);
      const lastCharge = Math.floor(daysAfter(charges.at(-1)!.postedAt));
      const charged = days
        .slice(0, lastCharge - (anchorDay - plan.orderDays))
        .flatMap((day) => day.campaignDays);
      assert.ok(anchorDay - lastCharge <= 3);
      assert.equal(
        -minor(plan, charges),
        sum(charged, (row) => Math.round(row.cost * 10 ** plan.decimals)),
        plan.channelId,
      );
    }
  });

  test('money is transferred every fortnight, and nothing is paid out twice', () => {
    for (const plan of bookedPlans) {
      const rows = eventsOf(plan);
      const transfers = rows.filter(({ line }) => line === 'balance');
      between(transfers.length, plan.orderDays / 14 - 2, plan.orderDays / 14 + 1, plan.channelId);
      const last = rows.indexOf(transfers.at(-1)!);
      assert.equal(
        minor(plan, rows.slice(0, last + 1), ({ amount, tax = 0 }) => amount + tax),
        0,
      );
    }
  });

  test('unit costs are a quarter to a half of the price, change over time, and some are in yuan', () => {
    const rates = new Map(
      [...ratesSince(anchorDay - 7)].map(({ currency, perEuro }) => [currency, Number(perEuro)]),
    );
    const perEuro = (currency: string) => (currency === 'EUR' ? 1 : rates.get(currency)!);
    for (const plan of plans) {
      const offers = offersOf(plan);
      const rows = Map.groupBy(unitCostRows(plan, offers, anchorDay), ({ sku }) => sku);
      assert.equal(rows.size, plan.kind === 'vendor' ? 0 : plan.products);
      const products = new Map(productRows(plan).map((product) => [product.sku, product]));
      for (const [sku, own] of rows) {
        const isForgotten = sku === offers.at(-1)!.sku;
        between(own.length, isForgotten ? 1 : 2, isForgotten ? 1 : 3, `${sku}: costs`);
        assert.equal(new Set(own.map(({ cogs }) => cogs)).size, own.length);
        const days = isForgotten ? 75 : plan.orderDays;
        assert.ok(dayOfText(own[0]!.effectiveFrom) <= anchorDay - days);
        const { netPrice } = offers.find((offer) => offer.sku === sku)!;
        for (const { cogs, cogsCurrency, shippingCost } of own) {
          const there = (cogs / perEuro(cogsCurrency)) * perEuro(plan.currency);
          between(
            (there * 10 ** plan.decimals) / netPrice,
            0.25,
            0.45,
            `${plan.channelId} ${sku}: cost over price`,
          );
          assert.equal(cogsCurrency === 'CNY', sku.startsWith('NW-BOTTLE') || sku === 'NW-COOK');
          assert.equal(shippingCost > 0, !products.get(sku)!.fulfilledByMarketplace);
        }
      }
    }
  });

  test('rates are those of the European Central Bank since the given day', () => {
    const rates = [...ratesSince(dayOfText('2026-04-09'))];
    assert.equal(new Set(rates.map(({ currency }) => currency)).size, 29);
    assert.deepEqual(
      [...new Set(rates.map(({ date }) => date))],
      ['2026-04-13', '2026-04-10', '2026-04-09'],
    );
    const rate = (date: string, currency: string) =>
      rates.find((row) => row.date === date && row.currency === currency)?.perEuro;
    // As the bank published them.
    assert.deepEqual(
      [rate('2026-04-13', 'USD'), rate('2026-04-13', 'JPY'), rate('2026-04-10', 'GBP')],
      ['1.1684', '186.75', '0.87105'],
    );
    assert.equal(rate('2026-04-13', 'HRK'), undefined);
    assert.equal(
      [...ratesSince(dayOfText('2030-01-01'))].length,
      29,
      'the last ones where the snapshot has ended',
    );
    const all = [...ratesSince(0)];
    assert.equal(all.length, 217_555);
    assert.deepEqual(all[all.length - 1]!.date, '1999-01-04');
    for (const { currency } of plans)
      assert.ok(currency === 'EUR' || rates.some((row) => row.currency === currency), currency);
  });
});
