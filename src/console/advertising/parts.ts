import type { Answer, Input } from '../client.ts';
/** The parts of the view: campaigns, ad groups, keywords, products; and what their rows have in common. */

/** The parts, as the address names them. */
export const parts = [
  { id: 'campaigns', name: 'Campaigns', one: 'campaign' },
  { id: 'ad-groups', name: 'Ad groups', one: 'ad group' },
  { id: 'keywords', name: 'Keywords', one: 'keyword' },
  { id: 'products', name: 'Products', one: 'product' },
] as const;
/** A part of the view. */
export type Part = (typeof parts)[number]['id'];

/** The part of a path; campaigns when it names none. */
export const partOf = (name: string | undefined): Part =>
  parts.find(({ id }) => id === name)?.id ?? 'campaigns';

/** The types of advertising. */
export const adTypes = [
  { id: 'SP', name: 'Sponsored Products', mark: 'circle' },
  { id: 'SB', name: 'Sponsored Brands', mark: 'square' },
  { id: 'SD', name: 'Sponsored Display', mark: 'triangle' },
  { id: 'ST', name: 'Sponsored TV', mark: 'diamond' },
  { id: 'DSP', name: 'Amazon DSP', mark: 'diamond' },
  { id: 'GOOGLE', name: 'Google Ads', mark: 'diamond' },
  { id: 'META', name: 'Meta Ads', mark: 'diamond' },
] as const;
/** A type of advertising. */
export type AdType = (typeof adTypes)[number]['id'];

/** Figures that add up. */
export type Sums = {
  readonly impressions: number;
  readonly clicks: number;
  readonly spend: number;
  readonly sales: number;
  readonly orders: number;
  readonly units: number;
};
const nothing: Sums = { impressions: 0, clicks: 0, spend: 0, sales: 0, orders: 0, units: 0 };

/** A row of any of the lists. */
export type AdRow = {
  readonly key: string;
  readonly channelId: string;
  readonly campaignId: string | undefined;
  readonly adGroupId: string | undefined;
  readonly campaignName?: string;
  readonly adGroupName?: string;
  /** Products have none. */
  readonly adType: AdType | undefined;
  readonly name: string;
  /** Its campaign, or its number. */
  readonly under: string | undefined;
  /** "" when it is not known; products have none. */
  readonly status: string | undefined;
  /** The budget of a campaign, the bid of an ad group or a keyword. */
  readonly amount: number | undefined;
  readonly sums: Sums;
  /** Undefined without a comparison. */
  readonly prior: Sums | undefined;
};

type Campaign = Answer<'listCampaigns'>['data'][number];
type AdGroup = Answer<'listAdGroups'>['data'][number];
type Keyword = Answer<'listKeywords'>['data'][number];
type Product = Answer<'listProducts'>['data'][number];
/** A row as a list answers it. */
export type ListRow = Campaign | AdGroup | Keyword | Product;
/** The lists, by part. */
export const operations = {
  campaigns: 'listCampaigns',
  'ad-groups': 'listAdGroups',
  keywords: 'listKeywords',
  products: 'listProducts',
} as const;
/** The input of a list, without page and sort. */
export type ListInput = Pick<
  Input<'listKeywords'>,
  'channelId' | 'fromDate' | 'toDate' | 'currency' | 'campaignId' | 'adGroupId'
>;

/** Reads a row; `prior` has the rows of the comparison by their keys, if there is one. */
export function rowOf(row: ListRow, prior: ReadonlyMap<string, Sums> | undefined): AdRow {
  const key = keyOf(row);
  const figures = {
    key,
    channelId: row.channel_id,
    sums: sumsOf(row),
    prior: prior && (prior.get(key) ?? nothing),
  };
  if (!('campaign_id' in row))
    return {
      ...figures,
      campaignId: undefined,
      adGroupId: undefined,
      adType: undefined,
      status: undefined,
      name: row.product_title || row.product_sku,
      under: row.product_title ? row.product_sku : undefined,
      amount: undefined,
    };
  const own = {
    ...figures,
    campaignId: row.campaign_id,
    adGroupId: 'ad_group_id' in row ? row.ad_group_id : undefined,
    campaignName: row.campaign_name,
    ...('ad_group_name' in row && { adGroupName: row.ad_group_name }),
    adType: row.ad_type as AdType,
  };
  if ('keyword_id' in row)
    return {
      ...own,
      name: row.keyword_text || row.keyword_id,
      under: [matchName(row.match_type), row.campaign_name].filter(Boolean).join(', '),
      status: row.keyword_status,
      amount: row.bid,
    };
  if ('ad_group_name' in row)
    return {
      ...own,
      name: row.ad_group_name || row.ad_group_id,
      under: row.campaign_name || row.campaign_id,
      status: row.ad_group_status,
      amount: row.default_bid,
    };
  return {
    ...own,
    name: row.campaign_name || row.campaign_id,
    under: undefined,
    status: row.campaign_status,
    amount: row.budget,
  };
}

const matches: Readonly<Record<string, string>> = {
  targetingExpression: 'target',
  targetingExpressionPredefined: 'automatic target',
};
const matchName = (type: string) => matches[type] ?? type;

/** Identifies a row among those of its list. */
export function keyOf(row: ListRow): string {
  if ('keyword_id' in row) return `${row.channel_id} ${row.ad_group_id} ${row.keyword_id}`;
  if ('ad_group_id' in row) return `${row.channel_id} ${row.ad_group_id}`;
  if ('campaign_id' in row) return `${row.channel_id} ${row.campaign_id}`;
  return `${row.channel_id} ${row.product_sku}`;
}

/** The figures of a row that add up. */
export const sumsOf = (row: ListRow): Sums => ({
  impressions: row.impressions,
  clicks: row.clicks,
  spend: row.cost,
  sales: row.attributed_sales,
  orders: row.attributed_conversions,
  units: row.attributed_units_ordered,
});

/** Adds figures up. */
export function added(all: readonly Sums[]): Sums {
  const total: Record<keyof Sums, number> = { ...nothing };
  for (const one of all)
    for (const name of Object.keys(total) as (keyof Sums)[]) total[name] += one[name];
  return total;
}

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : undefined);
const share = (part: number, whole: number) => (whole > 0 ? (part / whole) * 100 : undefined);

/** Ratios of figures; undefined without a denominator. */
export const ratiosOf = (sums: Sums) => ({
  acos: share(sums.spend, sums.sales),
  roas: ratio(sums.sales, sums.spend),
  costPerClick: ratio(sums.spend, sums.clicks),
  conversion: share(sums.orders, sums.clicks),
  clickThrough: share(sums.clicks, sums.impressions),
});
