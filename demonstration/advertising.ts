/** The daily results of a channel's ads: their cost and the sales attributed to them. */
import { type AdGroup, adTypes, type Campaign, productsOf, unitsPerLine } from './campaigns.ts';
import { divide, type Keyword, keywordOfOrder } from './keywords.ts';
import { pickIndex, type Random, randomOf, runningSums } from './random.ts';
import { type AdMetrics, type AdType, adFigures, type DayRows } from './rows.ts';
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
/** Clicks cost more on deal days. */
const dealBidLevel = 1.12;
const detailPageViewsPerClick = 0.8;
const typeNames = ['SP', 'SB', 'SD'] as const;
const typeSums = runningSums(typeNames.map((adType) => adTypes[adType].share));

/** The advertising of a channel on one day. */
export class AdDay {
  readonly #shop: Shop;
  readonly #today: Today;
  /** The campaigns running today, by ad type and product group. */
  readonly #running: ReadonlyMap<string, readonly Campaign[]>;
  /** Running sums of the expected lines of the advertised products. */
  readonly #expectedSums: readonly number[];
  readonly #cells = new Map<string, Cell>();
  /** The reported keywords that are shown today, by ad group, and the orders after their clicks. */
  readonly #keywords: ReadonlyMap<AdGroup, readonly Keyword[]>;
  readonly #keywordMetrics = new Map<Keyword, AdMetrics>();
  /** Keywords draw from a source of their own, so that the orders do not depend on them. */
  readonly #keywordRandom: Random;
  readonly #zero: () => AdMetrics;

  constructor(
    shop: Shop,
    today: Today,
    campaigns: readonly Campaign[],
    keywords: ReadonlyMap<AdGroup, readonly Keyword[]>,
  ) {
    this.#shop = shop;
    this.#today = today;
    const isShown = ({ lastDay }: Keyword) => today.day <= lastDay;
    this.#keywords = new Map([...keywords].map(([group, own]) => [group, own.filter(isShown)]));
    this.#keywordRandom = randomOf(`keywords ${shop.plan.channelId} ${today.day}`);
    this.#running = Map.groupBy(
      campaigns.filter(({ startDay, lastDay }) => startDay <= today.day && today.day <= lastDay),
      ({ adType, group }) => `${adType} ${group}`,
    );
    this.#expectedSums = runningSums(today.expectedLines.slice(0, shop.plan.advertised));
    const zeros = Object.fromEntries(adFigures.map((name) => [name, 0]));
    this.#zero = () => ({ ...zeros, currency: shop.plan.currency }) as AdMetrics;
  }

  /** The day's rows, after attributing some of its sales to ads. */
  rows(sales: readonly Sale[]): AdRows {
    for (const sale of sales) this.#attribute(sale);
    // Costs follow from the expected sales, not from the orders that happen to come in.
    for (const adType of typeNames) this.#spend(adType);
    return this.#rowsOfCells();
  }

  #attribute(sale: Sale): void {
    const { random, plan } = this.#shop;
    const { adShare, advertised } = plan;
    const isAdvertised = sale.offerIndex < advertised;
    if (random.next() >= (isAdvertised ? adShare : adShare * haloLevel)) return;
    const adType = typeNames[pickIndex(random.next(), typeSums)]!;
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
    const keywords = this.#keywords.get(cell.adGroup) ?? [];
    if (keywords.length === 0) return;
    const keyword = keywordOfOrder(keywords, this.#keywordRandom.next());
    addSale(this.#ofKeyword(keyword), sale, offerIndex === sale.offerIndex, isNewToBrand);
  }

  #ofKeyword(keyword: Keyword): AdMetrics {
    return getOrAdd(this.#keywordMetrics, keyword, this.#zero);
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
      metrics: this.#zero(),
    }));
  }

  /** The cells, and their sums by campaign and by ad group, and the parts of its keywords. */
  #rowsOfCells(): AdRows {
    const campaigns = new Map<Campaign, AdMetrics>();
    const adGroups = new Map<AdGroup, { campaign: Campaign; metrics: AdMetrics }>();
    for (const { campaign, adGroup, metrics } of this.#cells.values()) {
      // Every order needs a click, and every click an impression.
      metrics.clicks = Math.max(metrics.clicks, metrics.conversions);
      metrics.impressions = Math.max(metrics.impressions, metrics.clicks);
      const ofGroup = getOrAdd(adGroups, adGroup, () => ({ campaign, metrics: this.#zero() }));
      for (const sum of [getOrAdd(campaigns, campaign, this.#zero), ofGroup.metrics])
        for (const name of adFigures) sum[name] += metrics[name];
    }
    return {
      campaignDays: [...campaigns].map(([campaign, metrics]) => this.#row(campaign, metrics)),
      adGroupDays: [...adGroups].map(([{ adGroupId }, { campaign, metrics }]) => ({
        adGroupId,
        ...this.#row(campaign, metrics),
      })),
      keywordDays: [...adGroups].flatMap(([adGroup, { campaign, metrics }]) => {
        const parts = (this.#keywords.get(adGroup) ?? []).map((keyword) => ({
          keyword,
          metrics: this.#ofKeyword(keyword),
        }));
        divide(metrics, parts);
        return parts
          .filter((part) => part.metrics.impressions > 0)
          .map(({ keyword: { keywordId }, metrics: own }) => ({
            keywordId,
            adGroupId: adGroup.adGroupId,
            ...this.#row(campaign, own),
          }));
      }),
      adProductDays: [...this.#cells.values()].map(
        ({ campaign, adGroup: { adGroupId }, offerIndex, metrics }) => {
          const { productId, sku } = this.#shop.offers[offerIndex]!;
          return { productId, sku, adGroupId, ...this.#row(campaign, metrics) };
        },
      ),
    };
  }

  /** The fields of all rows, with amounts in units of the currency. */
  #row({ campaignId, adType }: Campaign, metrics: AdMetrics) {
    const { unit } = this.#shop;
    const { cost, sales, salesSameSku, salesNtb } = metrics;
    return {
      date: this.#today.date,
      campaignId,
      adType,
      ...metrics,
      cost: cost / unit,
      sales: sales / unit,
      salesSameSku: salesSameSku / unit,
      salesNtb: salesNtb / unit,
    };
  }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
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
