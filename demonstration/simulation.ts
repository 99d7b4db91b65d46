/**
 * Simulates the business of a channel day by day: buyers visit products, order some of them, and
 * part of the orders is attributed to ads. Order lines, traffic, advertising and finances come from
 * the same orders, so they agree with one another, as in a real store.
 */
import { endOfDay, isoDate, startOfDay } from '../src/calendar/period.ts';
import { AdDay, type AdRows } from './advertising.ts';
import { campaignsOf, linesPerOrder } from './campaigns.ts';
import { offersOf } from './catalogue.ts';
import { Finances } from './finances.ts';
import { keywordsOf } from './keywords.ts';
import { OrderDesk } from './orderLines.ts';
import type { Plan } from './plans.ts';
import { randomOf, runningSums } from './random.ts';
import type { DayRows } from './rows.ts';
import { calendarDay, dayFactor, dealFactor, growthFactor, seasonFactor } from './seasons.ts';
import { isOutOn, type StockOut, stockOutsOf } from './stockOuts.ts';
import type { Shop, Today } from './today.ts';
import { trafficRows } from './traffic.ts';
import { vendorMarginRows, vendorSalesOf } from './vendorSales.ts';

/** The marketplace retains reports of keywords for a few months only. */
const keywordDaysMax = 200;
/** On earlier days nobody reads them. */
const noKeywords: ReturnType<typeof keywordsOf> = new Map();
const noAds: AdRows = { campaignDays: [], adGroupDays: [], keywordDays: [], adProductDays: [] };

/** The products of a channel as rows of the dataset products. */
export function productRows(plan: Plan) {
  return offersOf(plan).map(
    ({ sku, productId, parentProductId, title, brand, price, unitsPerCase, selfShipped }) => ({
      sku,
      productId,
      parentProductId,
      title,
      brand,
      imageUrl: `https://images.northwind-outdoor.example/${sku}.jpg`,
      linkUrl: `https://www.northwind-outdoor.example/products/${productId}`,
      price: price / 10 ** plan.decimals,
      unitsPerCase,
      fulfilledByMarketplace: plan.marketplace === 'primarymkt' && !selfShipped,
    }),
  );
}

/**
 * Simulates a channel up to and including `lastDay`. `anchorDay` is the day of the first start in
 * UTC; growth and the status of open orders are as of its beginning.
 */
export function* simulateDays(plan: Plan, anchorDay: number, lastDay: number): Generator<DayRows> {
  const offers = offersOf(plan);
  const random = randomOf(`business ${plan.channelId}`);
  const shop: Shop = { plan, offers, random, unit: 10 ** plan.decimals, anchorDay };
  const stockOuts = stockOutsOf(plan, offers, anchorDay);
  const campaigns = campaignsOf(plan, anchorDay);
  const keywords = keywordsOf(plan, offers, campaigns, anchorDay);
  const orders = new OrderDesk(shop);
  const finances = plan.hasFinances ? new Finances(plan, offers, anchorDay) : undefined;
  const vendorSalesOn = vendorSalesOf(shop);
  for (let day = anchorDay - Math.max(plan.orderDays, plan.dailyDays); day <= lastDay; day++) {
    const { today, expectedOrders } = expect(shop, stockOuts, day);
    const placed = Array.from({ length: random.poisson(expectedOrders) }, () =>
      orders.place(today),
    );
    const sales = placed.flatMap((order) => order.sales);
    const reported = day >= anchorDay - keywordDaysMax ? keywords : noKeywords;
    const ads = plan.adShare > 0 ? new AdDay(shop, today, campaigns, reported).rows(sales) : noAds;
    const traffic = plan.hasTraffic ? trafficRows(shop, today, sales) : [];
    const vendorSales = plan.kind === 'vendor' ? vendorSalesOn(today, sales) : [];
    const orderLines = placed
      .flatMap((order) => order.rows)
      .sort((left, right) => left.purchasedAt - right.purchasedAt);
    const hasOrders = day >= anchorDay - plan.orderDays;
    const hasDaily = day >= anchorDay - plan.dailyDays;
    // A day that is not over yet in UTC has no financial events.
    const hasFinances = hasOrders && day < anchorDay;
    yield {
      orderLines: hasOrders ? orderLines : [],
      financeEvents: (hasFinances && finances?.day(day, orderLines, ads.campaignDays)) || [],
      ...(hasDaily ? { traffic, ...ads, vendorSales } : { traffic: [], ...noAds, vendorSales: [] }),
      vendorMargins: hasDaily ? vendorMarginRows(vendorSales) : [],
      keywordDays: ads.keywordDays,
    };
  }
}

/** The demand expected on a day, from the season, the weekday, deals, growth and stock. */
function expect(
  { plan, offers, random, anchorDay }: Shop,
  stockOuts: ReadonlyMap<string, readonly StockOut[]>,
  day: number,
): { readonly today: Today; readonly expectedOrders: number } {
  const calendar = calendarDay(day);
  const wanted = offers.map(
    ({ weight, season }) => weight * seasonFactor(season, calendar, plan.southern),
  );
  const isOut = offers.map(({ sku }) => isOutOn(day, stockOuts.get(sku)));
  const demand = wanted.map((one, index) => (isOut[index] ? 0 : one));
  const demandSums = runningSums(demand);
  const growth = growthFactor(plan.growth, day - anchorDay);
  const level = plan.ordersPerDay * dayFactor(calendar) * growth * random.factor(0.09);
  const linesOf = (one: number) => one * level * linesPerOrder;
  const today: Today = {
    day,
    date: isoDate(day),
    demandSums,
    start: startOfDay(plan.timezone, day)!,
    end: endOfDay(plan.timezone, day)!,
    isDeal: dealFactor(calendar) > 1,
    expectedLines: demand.map(linesOf),
    wantedLines: wanted.map(linesOf),
  };
  return { today, expectedOrders: demandSums.at(-1)! * level };
}
