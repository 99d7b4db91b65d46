/** The daily results of a channel's ads: their cost and the sales attributed to them. */
import {
  type AdGroup,
  type AdType,
  adTypes,
  type Campaign,
  productsOf,
  unitsPerLine,
} from './campaigns.ts';
import { divide, type Keyword, keywordOfOrder } from './keywords.ts';
import { pickIndex, type Random, randomOf, runningSums } from './random.ts';
import type { AdMetrics, DayRows, KeywordDayRow } from './rows.ts';
import type { Sale, Shop, Today } from './today.ts';

/** The advertising rows of one day. */
export type AdRows = Pick<
  DayRows,
  'campaignDays' | 'adGroupDays' | 'keywordDays' | 'adProductDays'
>;

/** The metrics of one product in one ad group. */
type Cell = {
  readonly campaign: Campaign;
  readonly adGroup: AdGroup;
  readonly offerIndex: number;
  readonly metrics: AdMetrics;
};

/** Share of ad-driven orders among products that are not advertised, relative to those that are. */
const haloLevel = 0.4;
/** Share of ad-driven orders that buy the very product that was clicked. */
const sameSkuShare = 0.82;
/** Clicks cost more on days of deals. */
const dealBidLevel = 1.12;
const detailPageViewsPerClick = 0.8;

/** The advertising of a channel on one day. */
export class AdDay {
  readonly #shop: Shop;
  readonly #today: Today;
  /** The campaigns running today, by ad type and product group. */
  readonly #running: ReadonlyMap<string, readonly Campaign[]>;
  /** Running sums of the expected lines of the advertised products. */
  readonly #expectedSums: readonly number[];
  readonly #cells = new Map<string, Cell>();
  /** The keywords that are shown today, by ad group, and what was ordered after their clicks. */
  readonly #keywords: ReadonlyMap<AdGroup, readonly Keyword[]>;
  readonly #keywordMetrics = new Map<Keyword, AdMetrics>();
  /** Keywords draw from a source of their own, so that the orders do not depend on them. */
  readonly #keywordRandom: Random;

  constructor(
    shop: Shop,
    today: Today,
    campaigns: readonly Campaign[],
    keywords: ReadonlyMap<AdGroup, readonly Keyword[]>,
  ) {
    this.#shop = shop;
    this.#today = today;
    this.#keywords = new Map(
      [...keywords].map(([adGroup, own]) => [
        adGroup,
        own.filter(({ lastDay }) => today.day <= lastDay),
      ]),
    );
    this.#keywordRandom = randomOf(`keywords ${shop.plan.channelId} ${today.day}`);
    this.#running = Map.groupBy(
      campaigns.filter(({ startDay, lastDay }) => startDay <= today.day && today.day <= lastDay),
      ({ adType, group }) => `${adType} ${group}`,
    );
    this.#expectedSums = runningSums(today.expectedLines.slice(0, shop.plan.advertised));
  }

  /** The day's rows, after attributing some of its sales to ads. */
  rows(sales: readonly Sale[]): AdRows {
    for (const sale of sales) this.#attribute(sale);
    // Costs follow from the expected sales, not from the orders that happen to come in.
    for (const adType of ['SP', 'SB', 'SD'] as const) this.#spend(adType);
    return this.#rowsOfCells();
  }

  #attribute(sale: Sale): void {
    const { random, plan } = this.#shop;
    const { adShare, advertised } = plan;
    const isAdvertised = sale.offerIndex < advertised;
    if (random.next() >= (isAdvertised ? adShare : adShare * haloLevel)) return;
    const adType = adTypeOf(random.next());
    const isSameSku = isAdvertised && random.next() < sameSkuShare;
    const products = productsOf(adType, advertised);
    const sums = this.#expectedSums.slice(0, products);
    if (sums.at(-1) === 0) return;
    const offerIndex =
      isSameSku && sale.offerIndex < products ? sale.offerIndex : pickIndex(random.next(), sums);
    const isNewToBrand = random.next() < adTypes[adType].newToBrand;
    const campaigns = this.#campaignsFor(adType, offerIndex);
    const cell = this.#cell(campaigns[random.whole(campaigns.length)]!, offerIndex);
    addSale(cell.metrics, sale, offerIndex === sale.offerIndex, isNewToBrand);
    const keywords = this.#keywords.get(cell.adGroup)!;
    if (keywords.length === 0) return;
    const keyword = keywordOfOrder(keywords, this.#keywordRandom.next());
    addSale(this.#ofKeyword(keyword), sale, offerIndex === sale.offerIndex, isNewToBrand);
  }

  #ofKeyword(keyword: Keyword): AdMetrics {
    return getOrAdd(this.#keywordMetrics, keyword, () => zeroMetrics(this.#shop.plan.currency));
  }

  #spend(adType: AdType): void {
    const { random, plan, offers } = this.#shop;
    const { acos, adShare, advertised } = plan;
    const { share, costLevel, clickThroughRate, newToBrand } = adTypes[adType];
    const costOfDay =
      acos * costLevel * (this.#today.isDeal ? dealBidLevel : 1) * random.factor(0.06);
    const products = productsOf(adType, advertised);
    // An ad type with fewer products has to win its share of the orders with those.
    const concentration = this.#expectedSums.at(-1)! / this.#expectedSums[products - 1]!;
    const clickRateOfDay = clickThroughRate * random.factor(0.08);
    for (let index = 0; index < products; index++) {
      const { netPrice, conversion, clickLevel } = offers[index]!;
      const orders = this.#today.expectedLines[index]! * adShare * share * concentration;
      // Ads pause while their product is out of stock.
      if (!(orders > 0)) continue;
      const campaigns = this.#campaignsFor(adType, index);
      for (const campaign of campaigns) {
        const clicks = random.poisson(orders / conversion / campaigns.length);
        const clickRate = clickRateOfDay * clickLevel * campaign.clickLevel;
        const impressions = Math.max(clicks, random.poisson((clicks + 0.5) / clickRate));
        const costPerClick = netPrice * conversion * unitsPerLine * costOfDay * campaign.costLevel;
        const { metrics } = this.#cell(campaign, index);
        metrics.impressions += impressions;
        metrics.clicks += clicks;
        metrics.cost += Math.round(clicks * costPerClick);
        if (newToBrand > 0) metrics.detailPageViews += Math.round(clicks * detailPageViewsPerClick);
      }
    }
  }

  #campaignsFor(adType: AdType, offerIndex: number): readonly Campaign[] {
    const group = adType === 'SP' ? this.#shop.offers[offerIndex]!.group : '';
    return this.#running.get(`${adType} ${group}`)!;
  }

  #cell(campaign: Campaign, offerIndex: number): Cell {
    return getOrAdd(this.#cells, `${campaign.campaignId} ${offerIndex}`, () => ({
      campaign,
      adGroup: campaign.adGroups.find(({ offerIndexes }) => offerIndexes.includes(offerIndex))!,
      offerIndex,
      metrics: zeroMetrics(this.#shop.plan.currency),
    }));
  }

  /** The cells, and their sums by campaign and by ad group. */
  #rowsOfCells(): AdRows {
    const zero = () => zeroMetrics(this.#shop.plan.currency);
    const campaigns = new Map<Campaign, AdMetrics>();
    const adGroups = new Map<AdGroup, { campaign: Campaign; metrics: AdMetrics }>();
    for (const { campaign, adGroup, metrics } of this.#cells.values()) {
      // Every order needs a click, and every click an impression.
      metrics.clicks = Math.max(metrics.clicks, metrics.conversions);
      metrics.impressions = Math.max(metrics.impressions, metrics.clicks);
      addTo(getOrAdd(campaigns, campaign, zero), metrics);
      addTo(getOrAdd(adGroups, adGroup, () => ({ campaign, metrics: zero() })).metrics, metrics);
    }
    const { date } = this.#today;
    return {
      campaignDays: [...campaigns].map(([{ campaignId, adType }, metrics]) => ({
        ...{ date, campaignId, adType },
        ...this.#inUnits(metrics),
      })),
      adGroupDays: [...adGroups].map(([{ adGroupId }, { campaign, metrics }]) => ({
        ...{ date, adGroupId, campaignId: campaign.campaignId, adType: campaign.adType },
        ...this.#inUnits(metrics),
      })),
      keywordDays: [...adGroups].flatMap(([adGroup, { campaign, metrics }]) =>
        this.#keywordRows(campaign, adGroup, metrics),
      ),
      adProductDays: [...this.#cells.values()].map((cell) => this.#productRow(cell)),
    };
  }

  #productRow({ campaign, adGroup, offerIndex, metrics }: Cell): DayRows['adProductDays'][number] {
    const { productId, sku } = this.#shop.offers[offerIndex]!;
    const [{ campaignId, adType }, { adGroupId }] = [campaign, adGroup];
    return {
      ...{ date: this.#today.date, productId, sku, adGroupId, campaignId, adType },
      ...this.#inUnits(metrics),
    };
  }

  /** The rows of an ad group's keywords, whose metrics add up to those of the ad group. */
  #keywordRows(
    { campaignId, adType }: Campaign,
    adGroup: AdGroup,
    total: AdMetrics,
  ): KeywordDayRow[] {
    const parts = this.#keywords.get(adGroup)!.map((keyword) => ({
      ...{ keyword, metrics: this.#ofKeyword(keyword) },
    }));
    divide(total, parts);
    const { date } = this.#today;
    return parts
      .filter(({ metrics }) => metrics.impressions > 0)
      .map(({ keyword: { keywordId }, metrics }) => ({
        ...{ date, keywordId, adGroupId: adGroup.adGroupId, campaignId, adType },
        ...this.#inUnits(metrics),
      }));
  }

  #inUnits(metrics: AdMetrics): AdMetrics {
    const { unit } = this.#shop;
    return {
      ...metrics,
      cost: metrics.cost / unit,
      sales: metrics.sales / unit,
      salesSameSku: metrics.salesSameSku / unit,
      salesNtb: metrics.salesNtb / unit,
    };
  }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function adTypeOf(draw: number): AdType {
  return draw < adTypes.SP.share ? 'SP' : draw < adTypes.SP.share + adTypes.SB.share ? 'SB' : 'SD';
}

function addSale(
  metrics: AdMetrics,
  { quantity, net }: Sale,
  isSameSku: boolean,
  isNewToBrand: boolean,
): void {
  metrics.sales += net;
  metrics.conversions++;
  metrics.units += quantity;
  if (isSameSku) {
    metrics.salesSameSku += net;
    metrics.conversionsSameSku++;
    metrics.unitsSameSku += quantity;
  }
  if (isNewToBrand) {
    metrics.salesNtb += net;
    metrics.ordersNtb++;
    metrics.unitsNtb += quantity;
  }
}

function addTo(sum: AdMetrics, metrics: AdMetrics): void {
  for (const name of metricNames) sum[name] += metrics[name];
}

function zeroMetrics(currency: string): AdMetrics {
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

const metricNames = Object.keys(zeroMetrics('')).filter((name) => name !== 'currency') as Exclude<
  keyof AdMetrics,
  'currency'
>[];
