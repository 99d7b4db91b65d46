/**
 * The business of one channel, lived through day by day: buyers look at products, order some of them, and part of the orders is owed to
 * ads. Order lines, traffic and advertising are told of the same orders, so that they agree with one another as those of a real store do.
 */
import { endOfDay, startOfDay } from '../calendar/period.ts';
import { Books, type FinanceEventRow } from './books.ts';
import {
  type AdGroup,
  type AdType,
  adTypes,
  type Campaign,
  campaignsOf,
  linesPerOrder,
  productsOf,
  unitsPerLine,
} from './campaigns.ts';
import { brand, type Offer, offersOf, type Plan } from './catalogue.ts';
import { placeOf, type Random, randomOf, runningSums } from './random.ts';
import { calendarDay, dayFactor, dealFactor, hourWeights, seasonFactor } from './seasons.ts';

/** A row of the dataset orderLines. */
export type OrderLineRow = {
  orderId: string;
  lineId: string;
  purchasedAt: number;
  updatedAt: number;
  status: 'Pending' | 'Unshipped' | 'Shipped' | 'Canceled';
  sku: string;
  productId: string;
  quantity: number;
  itemPrice: number;
  itemTax: number;
  promotionDiscount: number;
  shippingPrice: number;
  currency: string;
  buyerEmail: string;
};

/** A row of the dataset traffic; without SKU and product id it speaks of the whole store. */
export type TrafficRow = {
  date: string;
  sku?: string;
  productId?: string;
  parentProductId?: string;
  pageViews: number;
  sessions: number;
  mobileSessions: number;
  buyBoxPercentage: number;
  orderedRevenue: number;
  orderedUnits: number;
  orderItems: number;
  currency: string;
};

/** What ads did, in the fields that campaigns and advertised products share. */
export type AdFigures = {
  impressions: number;
  clicks: number;
  cost: number;
  sales: number;
  salesSameSku: number;
  conversions: number;
  conversionsSameSku: number;
  units: number;
  unitsSameSku: number;
  ordersNtb: number;
  unitsNtb: number;
  salesNtb: number;
  detailPageViews: number;
  currency: string;
};
/** A row of the dataset campaignDays. */
export type CampaignDayRow = { date: string; campaignId: string; adType: AdType } & AdFigures;
/** A row of the dataset adGroupDays. */
export type AdGroupDayRow = {
  date: string;
  adGroupId: string;
  campaignId: string;
  adType: AdType;
} & AdFigures;
/** A row of the dataset adProductDays. */
export type AdProductDayRow = {
  date: string;
  productId: string;
  sku: string;
  adType: AdType;
} & AdFigures;

/** A row of the dataset vendorSales. */
export type VendorSaleRow = {
  date: string;
  asin: string;
  view: 'MANUFACTURING' | 'SOURCING';
  glanceViews: number;
  orderedRevenue: number;
  orderedUnits: number;
  shippedRevenue: number;
  shippedUnits: number;
  shippedCogs: number;
  currency: string;
};

/** A row of the dataset products. */
export type ProductRow = {
  sku: string;
  productId: string;
  parentProductId: string;
  title: string;
  brand: string;
  imageUrl: string;
  linkUrl: string;
  price: number;
  unitsPerCase: number;
  fulfilledByMarketplace: boolean;
};

/** All that happened on one day of a channel. */
export type DayFacts = {
  readonly orderLines: readonly OrderLineRow[];
  readonly traffic: readonly TrafficRow[];
  readonly campaignDays: readonly CampaignDayRow[];
  readonly adGroupDays: readonly AdGroupDayRow[];
  readonly adProductDays: readonly AdProductDayRow[];
  readonly vendorSales: readonly VendorSaleRow[];
  readonly financeEvents: readonly FinanceEventRow[];
};

/** What the ads of one product did in one ad group. */
type Cell = {
  readonly campaign: Campaign;
  readonly adGroup: AdGroup;
  readonly at: number;
  readonly figures: AdFigures;
};
/** A local day, from its first to its last second. */
type DaySpan = { readonly day: number; readonly start: number; readonly end: number };
type Line = { readonly at: number; readonly quantity: number; readonly net: number };

const secondsPerDay = 86_400;
const daysPerYear = 365.25;
const canceledShare = 0.03;
const returningShare = 0.24;
/** The part of what the marketplace sells that the vendor itself supplied, and what it gets of the price. */
const suppliedShare = 0.88;
const costShare = 0.62;
/** The part of the units on order that is shipped within a day. */
const shippedShare = 0.8;
/** Visitors look at several products, so a store has fewer sessions than its products together. */
const sessionsShared = 0.84;
const hourSums = runningSums(hourWeights);

const noAds = { campaignDays: [], adGroupDays: [], adProductDays: [] };

/** The products of a channel as rows of the dataset products. */
export function productRows(plan: Plan): ProductRow[] {
  return offersOf(plan).map(
    ({ sku, productId, parentProductId, title, price, unitsPerCase, selfShipped }) => ({
      sku,
      productId,
      parentProductId,
      title,
      brand,
      imageUrl: `https://images.northwind-outdoor.example/${sku}.jpg`,
      linkUrl: `https://www.northwind-outdoor.example/products/${productId}`,
      price: price / 10 ** plan.places,
      unitsPerCase,
      fulfilledByMarketplace: plan.marketplace === 'primarymkt' && !selfShipped,
    }),
  );
}

/**
 * Lives through the days of a channel, up to and including `lastDay`. `anchorDay` is the day of the first start in UTC: growth and what
 * is still on its way are told as of its beginning.
 */
export function* liveThrough(plan: Plan, anchorDay: number, lastDay: number): Generator<DayFacts> {
  const business = new Business(plan, anchorDay);
  for (let day = anchorDay - Math.max(plan.orderDays, plan.dailyDays); day <= lastDay; day++)
    yield business.day(day);
}

class Business {
  readonly #plan: Plan;
  readonly #anchorDay: number;
  readonly #offers: readonly Offer[];
  readonly #random: Random;
  readonly #unit: number;
  readonly #campaigns: readonly Campaign[];
  readonly #books: Books | undefined;
  /** Units of each offer that a vendor's customers wait for. */
  readonly #awaited: number[];
  #customers = 0;
  #orders = 0;

  constructor(plan: Plan, anchorDay: number) {
    this.#plan = plan;
    this.#anchorDay = anchorDay;
    this.#offers = offersOf(plan);
    this.#random = randomOf(`business ${plan.channelId}`);
    this.#unit = 10 ** plan.places;
    this.#campaigns = campaignsOf(plan, anchorDay);
    this.#books = plan.terms && new Books(plan, plan.terms, this.#offers, anchorDay);
    this.#awaited = this.#offers.map(() => 0);
  }

  day(day: number): DayFacts {
    const plan = this.#plan;
    const random = this.#random;
    const calendar = calendarDay(day);
    const date = new Date(day * secondsPerDay * 1000).toISOString().slice(0, 10);
    const wanted = this.#offers.map(
      (offer) => offer.weight * seasonFactor(offer.season, calendar, plan.southern),
    );
    const wantedSums = runningSums(wanted);
    const growth = Math.exp((Math.log(1 + plan.growth) * (day - this.#anchorDay)) / daysPerYear);
    const ordersMean =
      plan.ordersPerDay * wantedSums.at(-1)! * dayFactor(calendar) * growth * random.factor(0.09);
    const linesMean = wanted.map(
      (weight) => (weight / wantedSums.at(-1)!) * ordersMean * linesPerOrder,
    );

    const tellsOrders = day >= this.#anchorDay - plan.orderDays;
    const tellsDaily = day >= this.#anchorDay - plan.dailyDays;
    const isDeal = dealFactor(calendar) > 1;
    const lines: Line[] = [];
    const orderLines: OrderLineRow[] = [];
    const span = {
      day,
      start: startOfDay(plan.timezone, day)!,
      end: endOfDay(plan.timezone, day)!,
    };
    for (let orders = random.poisson(ordersMean); orders > 0; orders--)
      this.#order(span, wantedSums, isDeal, lines, orderLines);
    const ads = plan.adShare > 0 ? this.#advertise(day, date, lines, linesMean, isDeal) : noAds;
    const traffic = plan.hasTraffic ? this.#visits(date, lines, linesMean, isDeal) : [];
    const vendorSales = plan.kind === 'vendor' ? this.#supply(date, lines) : [];
    orderLines.sort((left, right) => left.purchasedAt - right.purchasedAt);
    // Days that are not over yet in UTC are booked on by nobody.
    const isBooked = tellsOrders && day < this.#anchorDay;
    return {
      orderLines: tellsOrders ? orderLines : [],
      financeEvents: (isBooked && this.#books?.day(day, orderLines, ads.campaignDays)) || [],
      ...(tellsDaily
        ? { traffic, ...ads, vendorSales }
        : { traffic: [], ...noAds, vendorSales: [] }),
    };
  }

  #order(
    span: DaySpan,
    wantedSums: readonly number[],
    isDeal: boolean,
    lines: Line[],
    rows: OrderLineRow[],
  ): void {
    const { currency, tax } = this.#plan;
    const random = this.#random;
    const places = new Set([placeOf(random.next(), wantedSums)]);
    for (let more = random.next(); more < 0.15 && places.size < 3; more = random.next())
      places.add(placeOf(random.next(), wantedSums));
    const purchasedAt = Math.min(
      span.start + placeOf(random.next(), hourSums) * 3600 + random.whole(3600),
      span.end,
    );
    const orderId = this.#orderId();
    const buyerEmail = this.#buyer();
    const { status, updatedAt } = this.#progress(span.day, purchasedAt);
    const taxRate = 'added' in tax ? tax.added[random.whole(tax.added.length)]! : tax.included;
    for (const at of places) {
      const offer = this.#offers[at]!;
      const quantity = quantityOf(random.next());
      const net = offer.netPrice * quantity;
      const itemTax = 'added' in tax ? Math.round(net * taxRate) : offer.price * quantity - net;
      const hasPromotion = random.next() < (isDeal ? 0.55 : 0.11);
      const promotion = [0.05, 0.1, 0.15, 0.2][random.whole(4)]!;
      const paysShipping = random.next() < 0.05;
      lines.push({ at, quantity, net });
      rows.push({
        orderId,
        lineId:
          String(random.whole(90_000_000) + 10_000_000) + String(random.whole(900_000) + 100_000),
        purchasedAt,
        updatedAt,
        status,
        sku: offer.sku,
        productId: offer.productId,
        quantity,
        itemPrice: net / this.#unit,
        itemTax: itemTax / this.#unit,
        promotionDiscount: hasPromotion ? Math.round(net * promotion) / this.#unit : 0,
        shippingPrice: paysShipping ? Math.round(this.#offers[0]!.netPrice * 0.24) / this.#unit : 0,
        currency,
        buyerEmail,
      });
    }
  }

  #orderId(): string {
    const { orderPrefixes } = this.#plan;
    const random = this.#random;
    this.#orders++;
    if (orderPrefixes.length === 0) return String(5_600_000_000_000 + this.#orders * 32_768);
    const digits = () => String(random.whole(10_000_000)).padStart(7, '0');
    return `${orderPrefixes[random.whole(orderPrefixes.length)]}-${digits()}-${digits()}`;
  }

  /** The anonymous address that the marketplace gives a buyer: a new one, or one who has ordered before, more likely of late. */
  #buyer(): string {
    const random = this.#random;
    const isReturning = this.#customers > 0 && random.next() < returningShare;
    const customer = isReturning
      ? this.#customers - 1 - Math.floor(this.#customers * random.next() ** 2)
      : this.#customers++;
    const letters = randomOf(`buyer ${this.#plan.channelId} ${customer}`);
    const name = Array.from(
      { length: 14 },
      () => 'abcdefghijklmnopqrstuvwxyz0123456789'[letters.whole(36)],
    ).join('');
    return `${name}@${this.#plan.marketplace}.example`;
  }

  #progress(day: number, purchasedAt: number): Pick<OrderLineRow, 'status' | 'updatedAt'> {
    const random = this.#random;
    const draw = random.next();
    const hours = 4 + random.whole(44);
    const age = this.#anchorDay - day;
    const [pending, unshipped] =
      age <= 1 ? [0.38, 0.68] : age === 2 ? [0.08, 0.24] : age === 3 ? [0.01, 0.06] : [0, 0];
    // Canceled ones are drawn from the other end, so that an order stays canceled as it ages.
    const status =
      draw > 1 - canceledShare
        ? 'Canceled'
        : draw < pending
          ? 'Pending'
          : draw < unshipped
            ? 'Unshipped'
            : 'Shipped';
    const changed = Math.min(purchasedAt + hours * 3600, this.#anchorDay * secondsPerDay);
    return {
      status,
      updatedAt: status === 'Pending' ? purchasedAt : Math.max(purchasedAt, changed),
    };
  }

  #visits(
    date: string,
    lines: readonly Line[],
    linesMean: readonly number[],
    isDeal: boolean,
  ): TrafficRow[] {
    const { currency } = this.#plan;
    const random = this.#random;
    const rows: TrafficRow[] = [];
    const total = {
      pageViews: 0,
      sessions: 0,
      mobileSessions: 0,
      weighted: 0,
      revenue: 0,
      units: 0,
      items: 0,
    };
    this.#offers.forEach((offer, at) => {
      const ordered = lines.filter((line) => line.at === at);
      const conversion = offer.conversion * (isDeal ? 1.3 : 1) * random.factor(0.06);
      const sessions = Math.max(
        ordered.length,
        random.poisson((linesMean[at]! * unitsPerLine) / conversion),
      );
      if (sessions === 0) return;
      const pageViews = Math.round(sessions * (1.22 + 0.25 * random.next()));
      const mobileSessions = Math.round(sessions * (0.6 + 0.12 * random.next()));
      // Now and then another seller holds the featured offer for a day.
      const buyBoxPercentage =
        Math.round(
          (random.next() < 0.015 ? 45 + 35 * random.next() : 93 + 6.9 * random.next()) * 100,
        ) / 100;
      const revenue = ordered.reduce((sum, line) => sum + line.net, 0);
      const units = ordered.reduce((sum, line) => sum + line.quantity, 0);
      const { sku, productId, parentProductId } = offer;
      rows.push({
        date,
        sku,
        productId,
        parentProductId,
        pageViews,
        sessions,
        mobileSessions,
        buyBoxPercentage,
        orderedRevenue: revenue / this.#unit,
        orderedUnits: units,
        orderItems: ordered.length,
        currency,
      });
      total.pageViews += pageViews;
      total.sessions += sessions;
      total.mobileSessions += mobileSessions;
      total.weighted += pageViews * buyBoxPercentage;
      total.revenue += revenue;
      total.units += units;
      total.items += ordered.length;
    });
    const shared = sessionsShared * random.factor(0.01);
    rows.push({
      date,
      pageViews: total.pageViews,
      sessions: Math.round(total.sessions * shared),
      mobileSessions: Math.round(total.mobileSessions * shared),
      buyBoxPercentage:
        total.pageViews > 0 ? Math.round((total.weighted / total.pageViews) * 100) / 100 : 0,
      orderedRevenue: total.revenue / this.#unit,
      orderedUnits: total.units,
      orderItems: total.items,
      currency,
    });
    return rows;
  }

  /** What the marketplace sells of a vendor's products: all of them, and those that the vendor supplied. */
  #supply(date: string, lines: readonly Line[]): VendorSaleRow[] {
    const { currency } = this.#plan;
    const random = this.#random;
    return this.#offers.flatMap(
      ({ productId: asin, netPrice, conversion }, at): VendorSaleRow[] => {
        const ordered = lines.filter((line) => line.at === at);
        const orderedUnits = ordered.reduce((sum, line) => sum + line.quantity, 0);
        const glanceViews = Math.max(orderedUnits, random.poisson(orderedUnits / conversion));
        this.#awaited[at]! += orderedUnits;
        const shippedUnits = Math.round(this.#awaited[at]! * shippedShare);
        this.#awaited[at]! -= shippedUnits;
        const supplied = Math.min(shippedUnits, random.poisson(shippedUnits * suppliedShare));
        const shipped = (units: number) => ({
          shippedRevenue: (units * netPrice) / this.#unit,
          shippedUnits: units,
          shippedCogs: Math.round(units * netPrice * costShare) / this.#unit,
        });
        const orderedRevenue = ordered.reduce((sum, line) => sum + line.net, 0) / this.#unit;
        return [
          {
            date,
            asin,
            view: 'MANUFACTURING',
            glanceViews,
            orderedRevenue,
            orderedUnits,
            ...shipped(shippedUnits),
            currency,
          },
          {
            date,
            asin,
            view: 'SOURCING',
            glanceViews: 0,
            orderedRevenue: 0,
            orderedUnits: 0,
            ...shipped(supplied),
            currency,
          },
        ];
      },
    );
  }

  #advertise(
    day: number,
    date: string,
    lines: readonly Line[],
    linesMean: readonly number[],
    isDeal: boolean,
  ): Pick<DayFacts, 'campaignDays' | 'adGroupDays' | 'adProductDays'> {
    const { adShare, advertised, acos, currency } = this.#plan;
    const random = this.#random;
    const cells = new Map<string, Cell>();
    const running = Map.groupBy(
      this.#campaigns.filter(({ startDay, lastDay }) => startDay <= day && day <= lastDay),
      ({ adType, group }) => `${adType} ${group}`,
    );
    const advertisedSums = runningSums(linesMean.slice(0, advertised));
    const campaignsFor = (adType: AdType, at: number) =>
      running.get(`${adType} ${adType === 'SP' ? this.#offers[at]!.group : ''}`)!;
    const figuresOf = (campaign: Campaign, at: number): AdFigures => {
      const key = `${campaign.campaignId} ${at}`;
      let cell = cells.get(key);
      if (cell === undefined) {
        const adGroup = campaign.adGroups.find(({ places }) => places.includes(at))!;
        cell = { campaign, adGroup, at, figures: nothing(currency) };
        cells.set(key, cell);
      }
      return cell.figures;
    };

    for (const line of lines) {
      const isAdvertised = line.at < advertised;
      if (random.next() >= (isAdvertised ? adShare : adShare * 0.4)) continue;
      const adType = adTypeOf(random.next());
      const isSameSku = isAdvertised && random.next() < 0.82;
      const isOwn = isSameSku && line.at < productsOf(adType, advertised);
      const at = isOwn
        ? line.at
        : placeOf(random.next(), advertisedSums.slice(0, productsOf(adType, advertised)));
      const isNew = random.next() < adTypes[adType].newCustomers;
      const among = campaignsFor(adType, at);
      count(figuresOf(among[random.whole(among.length)]!, at), line, at === line.at, isNew);
    }

    // What the clicks cost follows from what the advertiser expects of them, not from what happens to be ordered on the day.
    const hurry = isDeal ? 1.12 : 1;
    for (const adType of ['SP', 'SB', 'SD'] as const) {
      const { share, dearness, clickThroughRate, newCustomers } = adTypes[adType];
      const dayPrice = acos * dearness * hurry * random.factor(0.06);
      // Fewer products have to bring the orders of all.
      const reach = advertisedSums.at(-1)! / advertisedSums[productsOf(adType, advertised) - 1]!;
      const dayRate = clickThroughRate * random.factor(0.08);
      for (let at = 0; at < productsOf(adType, advertised); at++) {
        const { netPrice, conversion } = this.#offers[at]!;
        const among = campaignsFor(adType, at);
        for (const campaign of among) {
          const clicks = random.poisson(
            (linesMean[at]! * adShare * share * reach) / conversion / among.length,
          );
          const impressions = Math.max(clicks, random.poisson((clicks + 0.5) / dayRate));
          const cost = Math.round(clicks * netPrice * conversion * dayPrice * unitsPerLine);
          const figures = figuresOf(campaign, at);
          figures.impressions += impressions;
          figures.clicks += clicks;
          figures.cost += cost;
          if (newCustomers > 0) figures.detailPageViews += Math.round(clicks * 0.8);
        }
      }
    }
    return this.#told(date, cells.values());
  }

  /** The day's figures by campaigns, by ad groups and by products, all of them sums of the same. */
  #told(
    date: string,
    cells: Iterable<Cell>,
  ): Pick<DayFacts, 'campaignDays' | 'adGroupDays' | 'adProductDays'> {
    const { currency } = this.#plan;
    const campaigns = new Map<Campaign, AdFigures>();
    const adGroups = new Map<
      AdGroup,
      { readonly campaign: Campaign; readonly figures: AdFigures }
    >();
    const products = new Map<
      string,
      { readonly offer: Offer; readonly adType: AdType; readonly figures: AdFigures }
    >();
    for (const { campaign, adGroup, at, figures } of cells) {
      // There is no order that nobody clicked for.
      figures.clicks = Math.max(figures.clicks, figures.conversions);
      figures.impressions = Math.max(figures.impressions, figures.clicks);
      addUp(
        found(campaigns, campaign, () => nothing(currency)),
        figures,
      );
      addUp(
        found(adGroups, adGroup, () => ({ campaign, figures: nothing(currency) })).figures,
        figures,
      );
      const { adType } = campaign;
      // Sponsored brands lead to the brand's own page: no single product is advertised.
      if (adType === 'SB') continue;
      const product = () => ({ offer: this.#offers[at]!, adType, figures: nothing(currency) });
      addUp(found(products, `${adType} ${at}`, product).figures, figures);
    }
    const inUnits = (figures: AdFigures): AdFigures => ({
      ...figures,
      cost: figures.cost / this.#unit,
      sales: figures.sales / this.#unit,
      salesSameSku: figures.salesSameSku / this.#unit,
      salesNtb: figures.salesNtb / this.#unit,
    });
    return {
      campaignDays: [...campaigns].map(([{ campaignId, adType }, figures]) => ({
        date,
        campaignId,
        adType,
        ...inUnits(figures),
      })),
      adGroupDays: [...adGroups].map(
        ([
          { adGroupId },
          {
            campaign: { campaignId, adType },
            figures,
          },
        ]) => ({
          ...{ date, adGroupId, campaignId, adType },
          ...inUnits(figures),
        }),
      ),
      adProductDays: [...products.values()].map(
        ({ offer: { productId, sku }, adType, figures }) => ({
          ...{ date, productId, sku, adType },
          ...inUnits(figures),
        }),
      ),
    };
  }
}

function found<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const held = map.get(key) ?? make();
  map.set(key, held);
  return held;
}

function addUp(sum: AdFigures, figures: AdFigures): void {
  for (const name of figureNames) sum[name] += figures[name];
}

function quantityOf(draw: number): number {
  return draw < 0.9 ? 1 : draw < 0.975 ? 2 : draw < 0.995 ? 3 : 4;
}

function adTypeOf(draw: number): AdType {
  return draw < adTypes.SP.share ? 'SP' : draw < adTypes.SP.share + adTypes.SB.share ? 'SB' : 'SD';
}

function count(
  figures: AdFigures,
  { quantity, net }: Line,
  isSameSku: boolean,
  isNew: boolean,
): void {
  figures.sales += net;
  figures.conversions++;
  figures.units += quantity;
  if (isSameSku) {
    figures.salesSameSku += net;
    figures.conversionsSameSku++;
    figures.unitsSameSku += quantity;
  }
  if (isNew) {
    figures.salesNtb += net;
    figures.ordersNtb++;
    figures.unitsNtb += quantity;
  }
}

function nothing(currency: string): AdFigures {
  return {
    impressions: 0,
    clicks: 0,
    cost: 0,
    sales: 0,
    salesSameSku: 0,
    conversions: 0,
    conversionsSameSku: 0,
    units: 0,
    unitsSameSku: 0,
    ordersNtb: 0,
    unitsNtb: 0,
    salesNtb: 0,
    detailPageViews: 0,
    currency,
  };
}

const figureNames = Object.keys(nothing('')).filter((name) => name !== 'currency') as Exclude<
  keyof AdFigures,
  'currency'
>[];
