/**
 * The simulated orders, traffic, stock and vendor sales are the same in every simulation, and look
 * like those of real stores: seasons, deals, hours, returning buyers, prices and taxes.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { localDay } from '../src/calendar/period.ts';
import { offsetAt } from '../src/calendar/zone.ts';
import { between, businessAt, planOf, ratio, shareOf, sum } from '../test/business.ts';
import { deepTest, slow } from '../test/level.ts';
import { campaignsOf } from './campaigns.ts';
import { offersOf } from './catalogue.ts';
import { inventoryRows } from './inventory.ts';
import { type OrderRow, orderRowsOf } from './orders.ts';
import { type Plan, plans } from './plans.ts';
import type { AdMetrics, OrderLineRow } from './rows.ts';
import { calendarDay, dealFactor } from './seasons.ts';
import { productRows, simulateDays } from './simulation.ts';
import { missingNow, stockOutsOf } from './stockOuts.ts';

const now = Date.UTC(2026, 0, 15, 12);
const { anchorDay, daysOf, factsOf } = businessAt(now);
const lastDay = anchorDay - 1;
const us = planOf('northwind-us');
const web = planOf('northwind-web');
const sellers = plans.filter((plan) => plan.hasTraffic);
const linesOf = (plan: Plan) => factsOf(plan, 'orderLines');
const totalsOf = (plan: Plan) => factsOf(plan, 'traffic').filter((row) => row.sku === undefined);
const dayOfText = (date: string) => Date.parse(date) / 86_400_000;
const isPrimary = ({ marketplace }: Plan) => marketplace === 'primarymkt';

/** Revenue per day in each month. */
function monthly(plan: Plan): Map<string, number> {
  const months = Map.groupBy(totalsOf(plan), ({ date }) => date.slice(0, 7));
  return new Map(
    [...months].map(([month, rows]) => [month, ratio(rows, 'orderedRevenue', rows.length)]),
  );
}

describe('the simulated business', slow, () => {
  test('every simulation gives the same facts', () => {
    assert.deepEqual([...simulateDays(web, anchorDay, lastDay)], daysOf(web));
    assert.deepEqual(campaignsOf(us, anchorDay), campaignsOf(us, anchorDay));
  });

  deepTest('facts end yesterday; the main channel has two years of them, all with orders', () => {
    const days = daysOf(us);
    assert.equal(days.length, us.dailyDays);
    for (const { traffic, campaignDays } of days)
      assert.ok(traffic.length > us.products * 0.6 && campaignDays.length >= 8);
    const firstDay = days.findIndex((day) => day.orderLines.length > 0);
    assert.equal(firstDay, us.dailyDays - us.orderDays);
    for (const plan of plans.filter(({ orderDays }) => orderDays > 0)) {
      const lines = linesOf(plan);
      const [first, last] = [lines[0]!, lines.at(-1)!].map(({ purchasedAt }) =>
        localDay(plan.timezone, purchasedAt),
      );
      assert.deepEqual([first, last], [anchorDay - plan.orderDays, lastDay], plan.channelId);
    }
    const rows = plans.flatMap(daysOf);
    const count = sum(rows, (day) => sum(Object.values(day), 'length'));
    between(count, 340_000, 420_000, 'the number of rows');
  });

  deepTest('the end of the year is strongest, February weak, January a southern summer', () => {
    for (const plan of sellers) {
      const months = monthly(plan);
      const others = [...months].filter(([month]) => !/-1[12]$/.test(month));
      const average = ratio(others, ([, perDay]) => perDay, others.length);
      for (const month of ['2025-11', '2025-12'])
        assert.ok(months.get(month)! > 1.25 * average, `${plan.channelId} ${month}`);
    }
    const months = monthly(us);
    assert.ok(months.get('2025-11')! > months.get('2025-07')!);
    assert.ok(months.get('2025-07')! > 1.4 * months.get('2025-02')!);
    assert.ok(months.get('2025-12')! > 1.2 * months.get('2025-10')!);
    const [northern, southern] = ['northwind-uk', 'northwind-au'].map((channelId) => {
      const perDay = monthly(planOf(channelId));
      return perDay.get('2025-01')! / perDay.get('2025-06')!;
    });
    assert.ok(southern! > 1.5 * northern!);
  });

  deepTest('days of deals stand out, most of all in July and on Black Friday', () => {
    const units = new Map(totalsOf(us).map((row) => [row.date, row.orderedUnits]));
    for (const date of ['2025-07-08', '2025-11-28']) {
      const before = new Date(Date.parse(date) - 14 * 86_400_000).toISOString().slice(0, 10);
      assert.ok(units.get(date)! > 1.7 * units.get(before)!, date);
    }
    for (const [date, factor] of Object.entries({
      '2025-07-09': 2.7,
      '2025-07-10': 1,
      '2025-10-14': 2,
      '2025-11-27': 1.5,
      '2024-11-29': 2.6,
      '2024-12-02': 2.3,
      '2024-12-03': 1,
      '2025-12-01': 2.3,
    }))
      assert.equal(dealFactor(calendarDay(dayOfText(date))), factor, date);
  });

  deepTest('the business grows from year to year', () => {
    const months = monthly(us);
    const year = (of: string) =>
      sum(['02', '03', '05', '06', '09', '10'], (month) => months.get(`${of}-${month}`)!);
    between(year('2025') / year('2024'), 1.05, 1.4, 'the growth');
  });

  deepTest('buyers order in their local evening and hardly ever at four in the morning', () => {
    for (const plan of sellers) {
      const hourOf = (at: number) => Math.floor((at + offsetAt(plan.timezone, at)) / 3600) % 24;
      const hours = Map.groupBy(linesOf(plan), ({ purchasedAt }) => hourOf(purchasedAt));
      const [evening = 0, morning = 0] = [20, 4].map((hour) => hours.get(hour)?.length);
      assert.ok(evening > 5 * morning, plan.channelId);
    }
  });

  deepTest('a fifth of the products brings in about half of the sales', () => {
    const bySku = Map.groupBy(linesOf(us), ({ sku }) => sku);
    const sales = [...bySku.values()].map((lines) => sum(lines, 'itemPrice'));
    sales.sort((left, right) => right - left);
    assert.equal(sales.length, 28);
    const first = sum(sales.slice(0, 6), Number) / sum(sales, Number);
    between(first, 0.4, 0.75, 'the share of the first six products');
  });

  deepTest('some orders have several lines or units, few are canceled, some buyers return', () => {
    for (const plan of sellers) {
      const lines = linesOf(plan);
      const orders = [...Map.groupBy(lines, (line) => line.orderId).values()];
      const ids = new Set(lines.map((line) => `${line.orderId} ${line.lineId}`));
      assert.equal(ids.size, lines.length);
      const buyers = new Set(lines.map((line) => line.buyerEmail));
      for (const [what, low, high, value] of [
        ['canceled orders', 0.02, 0.04, shareOf(orders, ([first]) => first!.status === 'Canceled')],
        ['orders with several lines', 0.1, 0.2, shareOf(orders, (one) => one.length > 1)],
        ['lines with several units', 0.07, 0.13, shareOf(lines, (line) => line.quantity > 1)],
        ['promotions', 0.08, 0.25, shareOf(lines, (line) => line.promotionDiscount > 0)],
        ['orders of a buyer', 1.1, 1.5, orders.length / buyers.size],
      ] as const)
        between(value, low, high, `${plan.channelId}: ${what}`);
      for (const [first, ...others] of orders)
        for (const line of others)
          assert.ok(line.status === first!.status && line.buyerEmail === first!.buyerEmail);
    }
  });

  deepTest('only recent orders are still open', () => {
    const lines = linesOf(us);
    const open = lines.filter(({ status }) => status === 'Pending' || status === 'Unshipped');
    assert.deepEqual(new Set(open.map(({ status }) => status)), new Set(['Pending', 'Unshipped']));
    for (const { purchasedAt } of open)
      assert.ok(localDay(us.timezone, purchasedAt) >= anchorDay - 3);
    for (const { purchasedAt, updatedAt } of lines)
      assert.ok(updatedAt >= purchasedAt && updatedAt <= now / 1000);
  });

  deepTest('orders agree with their lines, and buyers keep their address', () => {
    for (const plan of plans) {
      const all = linesOf(plan);
      const recent = all.filter(({ purchasedAt }) => purchasedAt >= (anchorDay - 60) * 86_400);
      const lines = [...recent, ...all.slice(0, 500)];
      const byOrder = Map.groupBy(lines, ({ orderId }) => orderId);
      const rows = orderRowsOf(plan)(lines);
      const ids = rows.map((row) => row.PlatformOrderId);
      assert.deepEqual(ids, isPrimary(plan) ? [...byOrder.keys()] : []);
      for (const row of rows) assertAgrees(plan, row, byOrder.get(row.PlatformOrderId)!);
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
        between(shareOf(rows, is), low, high, `the share of ${what}`);
      for (const row of rows) {
        assert.ok(!row.IsPrime || row.FulfillmentChannel === 'AFN');
        assert.ok(!row.IsPremiumOrder || row.FulfillmentChannel === 'MFN');
      }
    }
  });

  /** Expects an order to say what its lines say. */
  function assertAgrees(plan: Plan, row: OrderRow, own: readonly OrderLineRow[]): void {
    const { PlatformOrderId: id, OrderStatus: status, OrderTotal: total } = row;
    assert.equal(Date.parse(row.PurchaseDate) / 1000, own[0]!.purchasedAt);
    assert.equal(Date.parse(row.LastUpdateDate) / 1000, own[0]!.updatedAt);
    assert.deepEqual([status, row.BuyerInfo.BuyerEmail], [own[0]!.status, own[0]!.buyerEmail]);
    const found = row.Items.map((item) => [item.OrderItemId, item.SellerSKU, item.QuantityOrdered]);
    const expected = own.map((line) => [line.lineId, line.sku, line.quantity]);
    assert.deepEqual(found, expected);
    const paidFor = ({ itemPrice, itemTax, shippingPrice, promotionDiscount }: OrderLineRow) =>
      itemPrice + itemTax + shippingPrice - promotionDiscount;
    const paid = sum(own, paidFor);
    if (status === 'Canceled') assert.equal(total, undefined);
    else
      assert.ok(Math.abs(total!.Amount - paid) < 0.0001 && total!.CurrencyCode === plan.currency);
    assert.equal(row.IsReplacementOrder === true, paid === 0);
    const units = sum(own, 'quantity');
    const { NumberOfItemsShipped: shipped = 0, NumberOfItemsUnshipped: unshipped = 0 } = row;
    assert.equal(shipped + unshipped, status === 'Canceled' ? 0 : units);
    assert.equal(shipped === units, status === 'Shipped');
    assert.equal(shipped > 0 && unshipped > 0, status === 'PartiallyShipped', id);
    const isOurs = own.some(({ sku }) => /^NW-(POLES|TENT2)$/.test(sku));
    assert.equal(row.FulfillmentChannel, isOurs ? 'MFN' : 'AFN');
    const { EarliestShipDate, LatestShipDate, EarliestDeliveryDate, LatestDeliveryDate } = row;
    const times = [row.PurchaseDate, EarliestShipDate, LatestShipDate, LatestDeliveryDate];
    assert.deepEqual([...times].sort(), times);
    assert.ok(EarliestDeliveryDate > EarliestShipDate && EarliestDeliveryDate < LatestDeliveryDate);
  }

  deepTest('the inventory agrees with shipments; some products run out, others pile up', () => {
    const covers: number[] = [];
    for (const plan of plans) {
      const rows = inventoryRows(plan, linesOf(plan), anchorDay);
      const products = plan.kind === 'seller' ? productRows(plan) : [];
      const stored = products.filter(({ fulfilledByMarketplace }) => fulfilledByMarketplace);
      const skusOf = (of: readonly { sku: string }[]) => new Set(of.map(({ sku }) => sku));
      assert.deepEqual(skusOf(rows), skusOf(stored), plan.channelId);
      const weekAgo = Date.UTC(2026, 0, 8) / 1000;
      const since = weekAgo - offsetAt(plan.timezone, weekAgo);
      const shippedLines = linesOf(plan).filter(({ status }) => status === 'Shipped');
      const ofWeek = shippedLines.filter(({ updatedAt }) => updatedAt >= since);
      for (const row of rows) {
        assert.equal(row.date, '2026-01-15');
        const shipped = ofWeek.filter(({ sku }) => sku === row.sku);
        assert.equal(row.unitsShipped7, sum(shipped, 'quantity'), `${plan.channelId} ${row.sku}`);
        assert.ok(row.unitsShipped7 <= row.unitsShipped30);
        assert.ok(row.unitsShipped30 <= row.unitsShipped60);
        assert.ok(row.unitsShipped60 <= row.unitsShipped90 && row.fcTransfer <= row.reserved);
        const held = row.available + row.reserved + row.unfulfillable;
        assert.ok(held === 0 || row.storageVolume > 0);
        if (row.unitsShipped30 > 0) covers.push((row.available * 30) / row.unitsShipped30);
      }
    }
    const scarce = shareOf(covers, (cover) => cover < 20);
    between(scarce, 0.1, 0.35, 'products that run out');
    const abundant = shareOf(covers, (cover) => cover > 120);
    between(abundant, 0.05, 0.3, 'overstocked products');
    assert.ok(covers.includes(0));
  });

  deepTest('prices look like those of shops, yen are whole, and tax follows the country', () => {
    const rate = (plan: Plan) => ratio(linesOf(plan), 'itemTax', 'itemPrice');
    between(rate(us), 0.06, 0.09, 'sales tax');
    const sent = orderRowsOf(us)(linesOf(us).slice(-2000)).filter((row) => !row.IsISPU);
    const ofState = Map.groupBy(sent, (row) => row.ShippingAddress.StateOrRegion);
    const taxed = (state: string) => {
      const items = ofState.get(state)!.flatMap((row) => row.Items);
      return ratio(items, 'ItemTax', (item) => item.ItemPrice - (item.PromotionDiscount ?? 0));
    };
    assert.equal(taxed('OR'), 0, 'Oregon has no sales tax');
    between(taxed('WA'), 0.102, 0.103, 'sales tax in Washington');
    for (const [country, vat] of Object.entries({ uk: 0.2, de: 0.19, jp: 0.1, au: 0.1 })) {
      const plan = planOf(`northwind-${country}`);
      const { channelId } = plan;
      between(rate(plan), vat - 0.002, vat + 0.002, channelId);
      const prices = new Map(productRows(plan).map((product) => [product.sku, product.price]));
      for (const { sku, quantity, itemPrice, itemTax } of linesOf(plan))
        assert.ok(
          itemPrice === 0 || Math.abs(itemPrice + itemTax - prices.get(sku)! * quantity) < 0.001,
          `${channelId}: price and tax are what buyers saw`,
        );
    }
    for (const plan of sellers) {
      const ending = plan.decimals === 0 ? /80$/ : /\.9[59]$/;
      for (const { price } of productRows(plan)) assert.match(String(price), ending);
    }
    const yen = daysOf(planOf('northwind-jp')).flatMap((day) => [
      ...day.orderLines.flatMap((line) => [line.itemPrice, line.itemTax]),
      ...day.orderLines.flatMap((line) => [line.promotionDiscount, line.shippingPrice]),
      ...day.traffic.map((row) => row.orderedRevenue),
      ...[day.campaignDays, day.adGroupDays, day.keywordDays, day.adProductDays].flatMap(
        (rows: readonly AdMetrics[]) => rows.flatMap((row) => [row.cost, row.sales, row.salesNtb]),
      ),
    ]);
    assert.ok(yen.length > 50_000 && yen.every(Number.isInteger));
  });

  deepTest('traffic has the sales of all lines, without tax and replacements', () => {
    for (const plan of sellers) {
      for (const day of daysOf(plan).slice(-plan.orderDays)) {
        const total = day.traffic.at(-1)!;
        const sold = day.orderLines.filter((line) => line.itemPrice > 0);
        const { orderedUnits, orderItems, pageViews } = total;
        assert.deepEqual([orderedUnits, orderItems], [sum(sold, 'quantity'), sold.length]);
        assert.equal(pageViews, sum(day.traffic.slice(0, -1), 'pageViews'));
        assert.ok(Math.abs(total.orderedRevenue - sum(day.orderLines, 'itemPrice')) < 0.01);
      }
    }
  });

  deepTest('traffic is plausible: conversion, views of a session, mobile share and buy box', () => {
    for (const plan of sellers) {
      const rows = totalsOf(plan);
      for (const ofMonth of Map.groupBy(rows, (row) => row.date.slice(0, 7)).values())
        between(ratio(ofMonth, 'orderedUnits', 'sessions'), 0.05, 0.15, plan.channelId);
      between(ratio(rows, 'pageViews', 'sessions'), 1.2, 2, 'views of a session');
      between(ratio(rows, 'mobileSessions', 'sessions'), 0.55, 0.75, 'mobile share');
      between(ratio(rows, 'buyBoxPercentage', rows.length), 85, 98, 'featured offer');
    }
  });

  deepTest('products differ in buy box, mobile share, clicks on ads and brand', () => {
    const spread = (rates: readonly number[]) => Math.max(...rates) - Math.min(...rates);
    for (const plan of sellers) {
      const days = daysOf(plan).slice(-90);
      const visits = factsOf(plan, 'traffic', days).filter((row) => row.sku !== undefined);
      const bySku = [...Map.groupBy(visits, (row) => row.sku).values()];
      const mobile = bySku.map((rows) => ratio(rows, 'mobileSessions', 'sessions'));
      const buyBox = bySku.map((rows) =>
        ratio(rows, (row) => row.buyBoxPercentage * row.pageViews, 'pageViews'),
      );
      assert.ok(spread(mobile) > 0.1 && spread(buyBox) > 5, plan.channelId);
      const ads = factsOf(plan, 'adProductDays', days).filter((row) => row.adType === 'SP');
      const clickRates = [...Map.groupBy(ads, (row) => row.sku).values()].map((rows) =>
        ratio(rows, 'clicks', 'impressions'),
      );
      assert.ok(Math.max(...clickRates) > 1.3 * Math.min(...clickRates), plan.channelId);
      assert.ok(new Set(productRows(plan).map(({ brand }) => brand)).size >= 3, plan.channelId);
    }
  });

  deepTest('what is out of stock is looked at, but neither sold, advertised nor featured', () => {
    for (const plan of sellers) {
      const offers = offersOf(plan);
      const stockOuts = stockOutsOf(plan, offers, anchorDay);
      const missing = missingNow(plan, offers);
      assert.ok(missing.size > 0, plan.channelId);
      let days = 0;
      for (const day of daysOf(plan)) {
        const today = dayOfText(day.traffic.at(-1)!.date);
        for (const { sku, pageViews, orderedUnits, buyBoxPercentage } of day.traffic) {
          const isOut = (stockOuts.get(sku!) ?? []).some(
            ({ firstDay, lastDay: end }) => firstDay <= today && today <= end,
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

  deepTest('vendor sales ship within days and are mostly supplied by the vendor', () => {
    for (const plan of plans) {
      const rows = Map.groupBy(factsOf(plan, 'vendorSales'), (row) => row.view);
      if (plan.kind !== 'vendor') {
        assert.equal(rows.size, 0);
        continue;
      }
      const [all, supplied] = [rows.get('MANUFACTURING')!, rows.get('SOURCING')!];
      assert.equal(all.length, plan.dailyDays * plan.products);
      assert.equal(supplied.length, all.length);
      for (const [index, row] of all.entries()) {
        const own = supplied[index]!;
        assert.deepEqual([own.asin, own.date], [row.asin, row.date]);
        assert.ok(own.shippedUnits <= row.shippedUnits && row.orderedUnits <= row.glanceViews);
      }
      const shipped = sum(all, 'shippedUnits');
      between(ratio(all, 'shippedUnits', 'orderedUnits'), 0.98, 1, 'shipped of ordered');
      between(ratio(supplied, 'shippedUnits', shipped), 0.75, 0.95, 'supplied of shipped');
      const paid = ratio(all, 'shippedCogs', 'shippedRevenue');
      between(paid, 0.61, 0.63, 'what the marketplace pays');
      const spend = ratio(factsOf(plan, 'campaignDays'), 'cost', sum(all, 'orderedRevenue'));
      between(spend, 0.04, 0.12, 'spend over ordered revenue');
    }
  });
});
