/**
 * Simulates the business of a channel day by day: buyers visit products, order some of them, and
 * part of the orders is attributed to ads. Order lines, traffic, advertising and finances come from
 * the same orders, so they agree with one another as those of a real store do.
 */
import { endOfDay, isoDate, startOfDay } from '../src/calendar/period.ts';
import { AdDay, type AdRows } from './advertising.ts';
import { type AdGroup, type Campaign, campaignsOf, linesPerOrder } from './campaigns.ts';
import { offersOf } from './catalogue.ts';
import { Finances } from './finances.ts';
import { type Keyword, keywordsOf } from './keywords.ts';
import { OrderDesk } from './orderLines.ts';
import type { Plan } from './plans.ts';
import { randomOf, runningSums } from './random.ts';
import type { DayRows, OrderLineRow, ProductRow } from './rows.ts';
import { calendarDay, dayFactor, dealFactor, seasonFactor } from './seasons.ts';
import { type StockOut, stockOutsOf } from './stockOuts.ts';
import type { Sale, Shop, Today } from './today.ts';
import { trafficRows } from './traffic.ts';
import { VendorSales, vendorMarginRows } from './vendorSales.ts';

const daysPerYear = 365.25;
/** The marketplace keeps reports of keywords for a few months only. */
const keywordDaysMax = 200;
const noAds: AdRows = { campaignDays: [], adGroupDays: [], keywordDays: [], adProductDays: [] };

/** The products of a channel as rows of the dataset products. */
export function productRows(plan: Plan): ProductRow[] {
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
  const simulation = new Simulation(plan, anchorDay);
  for (let day = anchorDay - Math.max(plan.orderDays, plan.dailyDays); day <= lastDay; day++)
    yield simulation.day(day);
}

class Simulation {
  readonly #shop: Shop;
  readonly #campaigns: readonly Campaign[];
  readonly #keywords: ReadonlyMap<AdGroup, readonly Keyword[]>;
  readonly #orders: OrderDesk;
  readonly #finances: Finances | undefined;
  readonly #vendorSales: VendorSales;
  readonly #stockOuts: ReadonlyMap<string, readonly StockOut[]>;

  constructor(plan: Plan, anchorDay: number) {
    const offers = offersOf(plan);
    const random = randomOf(`business ${plan.channelId}`);
    this.#shop = { plan, offers, random, unit: 10 ** plan.decimals, anchorDay };
    this.#campaigns = campaignsOf(plan, anchorDay);
    this.#keywords = keywordsOf(plan, offers, this.#campaigns, anchorDay);
    this.#orders = new OrderDesk(this.#shop);
    this.#finances = plan.terms && new Finances(plan, plan.terms, offers, anchorDay);
    this.#vendorSales = new VendorSales(this.#shop);
    this.#stockOuts = stockOutsOf(plan, offers, anchorDay);
  }

  day(day: number): DayRows {
    const { plan, random, anchorDay } = this.#shop;
    const { today, expectedOrders } = this.#expect(day);
    const orderLines: OrderLineRow[] = [];
    const sales: Sale[] = [];
    for (let orders = random.poisson(expectedOrders); orders > 0; orders--) {
      const order = this.#orders.place(today);
      orderLines.push(...order.rows);
      sales.push(...order.sales);
    }
    const ads =
      plan.adShare > 0
        ? new AdDay(this.#shop, today, this.#campaigns, this.#keywords).rows(sales)
        : noAds;
    const traffic = plan.hasTraffic ? trafficRows(this.#shop, today, sales) : [];
    const vendorSales = plan.kind === 'vendor' ? this.#vendorSales.rows(today, sales) : [];
    orderLines.sort((left, right) => left.purchasedAt - right.purchasedAt);
    const hasOrders = day >= anchorDay - plan.orderDays;
    const hasDaily = day >= anchorDay - plan.dailyDays;
    // A day that is not over yet in UTC has no financial events.
    const hasFinances = hasOrders && day < anchorDay;
    return {
      orderLines: hasOrders ? orderLines : [],
      financeEvents: (hasFinances && this.#finances?.day(day, orderLines, ads.campaignDays)) || [],
      ...(hasDaily ? { traffic, ...ads, vendorSales } : { traffic: [], ...noAds, vendorSales: [] }),
      vendorMargins: hasDaily ? vendorMarginRows(vendorSales) : [],
      keywordDays: day >= anchorDay - keywordDaysMax ? ads.keywordDays : [],
    };
  }

  /** The demand expected on a day, from the season, the weekday, deals, growth and stock. */
  #expect(day: number): { readonly today: Today; readonly expectedOrders: number } {
    const { plan, offers, random, anchorDay } = this.#shop;
    const calendar = calendarDay(day);
    const wanted = offers.map(
      ({ weight, season }) => weight * seasonFactor(season, calendar, plan.southern),
    );
    const demand = wanted.map((one, index) => (this.#isInStock(offers[index]!.sku, day) ? one : 0));
    const demandSums = runningSums(demand);
    const totalDemand = demandSums.at(-1)!;
    const growth = Math.exp((Math.log(1 + plan.growth) * (day - anchorDay)) / daysPerYear);
    const level = plan.ordersPerDay * dayFactor(calendar) * growth * random.factor(0.09);
    const linesOf = (one: number) => one * level * linesPerOrder;
    const today: Today = {
      day,
      date: isoDate(day),
      start: startOfDay(plan.timezone, day)!,
      end: endOfDay(plan.timezone, day)!,
      isDeal: dealFactor(calendar) > 1,
      demandSums,
      expectedLines: demand.map(linesOf),
      wantedLines: wanted.map(linesOf),
    };
    return { today, expectedOrders: totalDemand * level };
  }

  #isInStock(sku: string, day: number): boolean {
    const stockOuts = this.#stockOuts.get(sku) ?? [];
    return !stockOuts.some(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
  }
}
