/**
 * The simulated finances book every order once with its usual charges and returns, and unit costs,
 * targets and exchange rates suit them.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { between, businessAt, planOf, ratesSince, ratio, sum } from '../test/business.ts';
import { deepTest, level, slow } from '../test/level.ts';
import { offersOf } from './catalogue.ts';
import { type Plan, plans } from './plans.ts';
import type { FinanceEventRow, OrderLineRow } from './rows.ts';
import { productRows } from './simulation.ts';
import { targetRows } from './targets.ts';
import { unitCostRows } from './unitCosts.ts';

const { anchorDay, daysOf, factsOf } = businessAt(Date.UTC(2026, 0, 15, 12));
const us = planOf('northwind-us');
const linesOf = (plan: Plan) => factsOf(plan, 'orderLines');
const eventsOf = (plan: Plan) => factsOf(plan, 'financeEvents');
const booked = plans.filter(({ hasFinances }) => hasFinances);
const dayOfText = (date: string) => Date.parse(date) / 86_400_000;
const daysIn = (seconds: number) => seconds / 86_400;
/** A sum of amounts, in minor units. */
const minor = <Row>({ decimals }: Plan, rows: readonly Row[], of: (row: Row) => number) =>
  sum(rows, (row) => Math.round(of(row) * 10 ** decimals));
const amountOf = ({ amount }: FinanceEventRow) => amount;

describe('the simulated finances', slow, () => {
  deepTest('every shipped line is a sale once: by itself of late, summed by day before', () => {
    const others = plans.filter((plan) => !booked.includes(plan));
    const found = Array.from(others, ({ kind }) => kind);
    assert.deepEqual(found, ['vendor']);
    for (const plan of booked) {
      const sales = eventsOf(plan).filter(({ line }) => line === 'sales');
      const single = sales.filter(({ orderId }) => orderId !== undefined);
      const ofOrders = new Map(single.map((row) => [row.eventId, row]));
      // Everything ordered before this has been shipped and posted.
      const isSettled = ({ purchasedAt }: OrderLineRow) => purchasedAt < (anchorDay - 4) * 86_400;
      const isPosted = ({ lineId }: OrderLineRow) => ofOrders.has(`${lineId}-Principal`);
      const shipped = linesOf(plan).filter(({ status }) => status === 'Shipped');
      const sold = shipped.filter((line) => isSettled(line) || isPosted(line));
      assert.ok(sold.length > linesOf(plan).length * 0.94);
      const ofSku = Map.groupBy(sales, ({ sku }) => sku);
      for (const [sku, lines] of Map.groupBy(sold, (line) => line.sku)) {
        const own = ofSku.get(sku)!;
        assert.deepEqual(
          [sum(own, 'quantity'), minor(plan, own, amountOf)],
          [sum(lines, 'quantity'), minor(plan, lines, ({ itemPrice }) => itemPrice)],
          `${plan.channelId} ${sku}`,
        );
      }
      const recent = sold.filter(({ purchasedAt }) => purchasedAt >= (anchorDay - 45) * 86_400);
      assert.ok(recent.length > sold.length * 0.04);
      for (const line of recent) {
        const { postedAt, amount, tax = 0, ...row } = ofOrders.get(`${line.lineId}-Principal`)!;
        const days = daysIn(postedAt - line.purchasedAt);
        between(days, 20 / 24, 49 / 24, `${line.lineId}: days until it is booked`);
        const shown = [row.orderId, row.sku, row.quantity, amount];
        assert.deepEqual(shown, [line.orderId, line.sku, line.quantity, line.itemPrice]);
        const expected = plan === us ? 0 : line.itemTax;
        assert.equal(tax, expected, 'the marketplace of the United States pays the tax on');
      }
    }
  });

  deepTest('events have unique ids and whole minor units, and are never posted ahead', () => {
    const ofProducts: readonly string[] = ['sales', 'refunds', 'promotions', 'shippingFees'];
    for (const plan of booked) {
      const rows = eventsOf(plan);
      assert.equal(new Set(rows.map(({ eventId }) => eventId)).size, rows.length);
      for (const { postedAt, amount, tax = 0, eventId, sku, line } of rows) {
        between(Math.floor(daysIn(postedAt)), anchorDay - plan.orderDays, anchorDay - 1, eventId);
        for (const value of [amount, tax])
          assert.equal(value, Number(value.toFixed(plan.decimals)), eventId);
        assert.ok(sku !== undefined || !ofProducts.includes(line));
      }
    }
  });

  deepTest('a sale has its charges: commission, fulfilment, promotions, paid shipping', () => {
    for (const plan of booked) {
      const own = productRows(plan).filter(({ fulfilledByMarketplace }) => !fulfilledByMarketplace);
      const ours = new Set(own.map(({ sku }) => sku));
      assert.ok(ours.size > 0, plan.channelId);
      const lines = new Map(linesOf(plan).map((line) => [line.lineId, line]));
      for (const row of eventsOf(plan).filter(({ orderId }) => orderId !== undefined)) {
        const line = lines.get(row.eventId.split('-')[0]!)!;
        assert.equal(row.fulfillment, ours.has(line.sku) ? 'MFN' : 'AFN');
        if (row.eventId.includes('Refund')) continue;
        const before = line.itemPrice + line.shippingPrice - line.promotionDiscount;
        const paid = before + (plan === us ? 0 : line.itemTax);
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

  deepTest('returns take one to four weeks, are more frequent for clothes, and below sales', () => {
    for (const plan of booked) {
      const rows = eventsOf(plan);
      const units = (line: 'sales' | 'refunds', sku = '') => {
        const own = rows.filter((row) => row.line === line && row.sku!.startsWith(sku));
        return sum(own, ({ quantity = 0 }) => quantity);
      };
      const returned = (sku?: string) => units('refunds', sku) / units('sales', sku);
      between(returned(), 0.03, 0.08, `${plan.channelId}: units refunded`);
      if (plan === us) assert.ok(returned('NW-DOWN') > returned('NW-BOTTLE'));
      const lines = new Map(linesOf(plan).map((line) => [line.lineId, line]));
      for (const { line: kind, code, orderId, eventId, ...row } of rows) {
        if (kind !== 'refunds' || code !== 'Principal' || orderId === undefined) continue;
        const line = lines.get(eventId.split('-')[0]!)!;
        between(row.quantity!, 1, line.quantity, eventId);
        const part = row.quantity! / line.quantity;
        between(-row.amount / line.itemPrice, 0.99 * part, 1.01 * part, eventId);
        const days = daysIn(row.postedAt - line.purchasedAt);
        between(days, 7, 31, `${eventId}: days until it is refunded`);
      }
    }
  });

  deepTest('ad charges add up to the costs of the campaigns, and one channel has none', () => {
    for (const plan of booked.filter(({ adShare }) => adShare > 0)) {
      const charges = eventsOf(plan).filter(({ line }) => line === 'advertisingSpend');
      if (plan.channelId === 'northwind-au') {
        assert.deepEqual(charges, []);
        continue;
      }
      assert.ok(charges.length > plan.orderDays / 4);
      assert.ok(charges.every(({ sku }) => sku === undefined));
      const lastCharge = Math.floor(daysIn(charges.at(-1)!.postedAt));
      assert.ok(anchorDay - lastCharge <= 3);
      const first = anchorDay - plan.orderDays;
      const days = daysOf(plan)
        .slice(-plan.orderDays)
        .slice(0, lastCharge - first);
      const costs = minor(plan, factsOf(plan, 'campaignDays', days), ({ cost }) => cost);
      assert.equal(-minor(plan, charges, amountOf), costs, plan.channelId);
    }
  });

  deepTest('money is transferred every fortnight, and nothing is paid out twice', () => {
    for (const plan of booked) {
      const rows = eventsOf(plan);
      const transfers = rows.filter(({ line }) => line === 'balance');
      between(transfers.length, plan.orderDays / 14 - 2, plan.orderDays / 14 + 1, plan.channelId);
      const until = rows.slice(0, rows.indexOf(transfers.at(-1)!) + 1);
      const left = minor(plan, until, ({ amount, tax = 0 }) => amount + tax);
      assert.equal(left, 0);
    }
  });

  deepTest('unit costs are a quarter to a half of the price, change, and some are in yuan', () => {
    const rates = new Map(ratesSince(anchorDay - 7).map((row) => [row.currency, row.perEuro]));
    const perEuro = (currency: string) => (currency === 'EUR' ? 1 : Number(rates.get(currency)));
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
          const share = (there * 10 ** plan.decimals) / netPrice;
          between(share, 0.25, 0.45, `${plan.channelId} ${sku}: cost over price`);
          assert.equal(cogsCurrency === 'CNY', sku.startsWith('NW-BOTTLE') || sku === 'NW-COOK');
          assert.equal(shippingCost > 0, !products.get(sku)!.fulfilledByMarketplace);
        }
      }
    }
  });

  deepTest('channels have targets for three years, close to sales, and for large deals', () => {
    for (const plan of plans) {
      const rows = targetRows(plan, anchorDay);
      const months = rows.filter((row) => 'month' in row);
      const span = [months.length, months[0]!.month, months.at(-1)!.month];
      assert.deepEqual(span, [36, '2025-01', '2027-12']);
      for (const { salesBudget, salesForecast, adSpendBudget } of months) {
        assert.ok(salesBudget >= salesForecast && salesForecast > (adSpendBudget ?? 0));
        assert.equal(adSpendBudget !== undefined, plan.adShare > 0);
      }
      // Two days in July, two in October, and the eight from the Monday before Black Friday.
      assert.equal(rows.length - months.length, 3 * 12);
      const deals = rows.flatMap((row) => ('date' in row ? [row] : []));
      const totals = factsOf(plan, 'traffic').filter((row) => row.sku === undefined);
      const sold = Map.groupBy(totals, ({ date }) => date.slice(0, 7));
      for (const { month, salesForecast } of months) {
        const ofMonth = sold.get(month);
        if (month >= '2026' || ofMonth === undefined) continue;
        const [year, number] = month.split('-').map(Number);
        const days = new Date(Date.UTC(year!, number!, 0)).getUTCDate();
        const own = deals.filter(({ date }) => date.startsWith(month));
        const others = (salesForecast / days) * (days - own.length);
        const perDay = ratio(ofMonth, 'orderedRevenue', ofMonth.length);
        const reached = (perDay * days) / (others + sum(own, 'salesForecast'));
        // Months of a small channel differ more by chance.
        const [least, most] = plan === us ? [0.75, 1.25] : [0.55, 1.45];
        between(reached, least!, most!, `${plan.channelId} ${month}`);
      }
    }
  });

  test('rates are those of the European Central Bank since the given day', () => {
    const rates = ratesSince(dayOfText('2026-04-09'));
    assert.equal(new Set(rates.map(({ currency }) => currency)).size, 29);
    const dates = new Set(rates.map(({ date }) => date));
    assert.deepEqual([...dates].slice(-3), ['2026-04-13', '2026-04-10', '2026-04-09']);
    const rate = (date: string, currency: string) =>
      rates.find((row) => row.date === date && row.currency === currency)?.perEuro;
    // As the bank published them.
    assert.equal(rate('2026-04-13', 'USD'), '1.1684');
    assert.equal(rate('2026-04-13', 'JPY'), '186.75');
    assert.equal(rate('2026-04-10', 'GBP'), '0.87105');
    assert.equal(rate('2026-04-13', 'HRK'), undefined);
    for (const { currency } of plans)
      assert.ok(currency === 'EUR' || rates.some((row) => row.currency === currency), currency);
    const latest = ratesSince(dayOfText('2030-01-01'));
    assert.equal(latest.length, 29, 'the last ones where the snapshot has ended');
    if (level !== 'deep') return;
    const all = ratesSince(0);
    assert.equal(all.length, 217_555);
    assert.equal(all.at(-1)!.date, '1999-01-04');
  });
});
