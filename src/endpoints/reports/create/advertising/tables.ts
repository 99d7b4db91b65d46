/** The tables of reports of advertising: what they group figures by, and what is known of it. */

import {
  adGroupColumns,
  campaignColumns,
  keywordColumns,
  productFields,
} from '../../../../contract/advertising.ts';
import { bodyFile } from '../../../../engine/question.ts';
import type { Metrics } from '../../../../figures/metrics.ts';
import { adGroupMetrics, campaignMetrics, productMetrics } from '../../../../report/advertising.ts';

/** A table of a report. */
export type AdTable = {
  /** Its table of facts. */
  readonly figures: string;
  /** The columns that its rows are grouped by, besides the day. */
  readonly grain: readonly string[];
  /** The SQL of these columns, and of others that the figures have. */
  readonly grouped: readonly string[];
  /** The SQL of its texts and of its setting, by name. */
  readonly shown: Readonly<Record<string, string>>;
  readonly joins: string;
  /** The columns of the file. */
  readonly names: readonly string[];
  /** The column with an amount in the channel's own currency, such as a budget. */
  readonly setting?: string;
  readonly metrics: Metrics;
};

/** Joins the row of a table that is known by `id`, which `sums` or another join has. */
function known(table: string, as: string, id: string): string {
  return `LEFT JOIN (SELECT * FROM ${table} WHERE channel = {channel:Int32}) AS ${as}
  ON ${id} = ${as}.${table}_id`;
}

/** The SQL of columns as they are known, else as the default has them. */
function orElse(as: string, columns: Readonly<Record<string, string>>, otherwise = "''") {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      `coalesce(${as}.${column}, ${otherwise})`,
    ]),
  );
}

const productSku = "CASE WHEN product_id = '' THEN sku ELSE product_id END";
const titled = `LEFT JOIN (${bodyFile(import.meta.url, 'titles.sql')}) AS titles
  ON sums.product_sku = titles.product_sku`;
const titles = orElse('titles', {
  product_title: 'title',
  image_url: 'image_url',
  link_url: 'link_url',
});
const typeOf = (as: string) => `coalesce(${as}.ad_type, sums.ad_type)`;
const newest = ['max(ad_type) AS ad_type'];

const campaigns: AdTable = {
  figures: 'campaign_day',
  grain: ['campaign_id'],
  grouped: ['campaign_id', ...newest],
  joins: known('campaign', 'campaigns', 'sums.campaign_id'),
  shown: {
    campaign_id: 'sums.campaign_id',
    ad_type: typeOf('campaigns'),
    ...orElse('campaigns', {
      ...{ campaign_name: 'name', campaign_status: 'status', budget_type: 'budget_type' },
      ...{ start_date: 'start_date', end_date: 'end_date', targeting_type: 'targeting_type' },
      ...{ bidding_strategy: 'bidding_strategy', cost_type: 'cost_type' },
    }),
    ...orElse('campaigns', { budget: 'budget' }, 'amount(0)'),
  },
  names: campaignColumns,
  setting: 'budget',
  metrics: campaignMetrics,
};

const campaignOfGroup = 'coalesce(groups.campaign_id, sums.campaign_id)';
const adGroups: AdTable = {
  figures: 'ad_group_day',
  grain: ['ad_group_id'],
  grouped: ['ad_group_id', 'max(campaign_id) AS campaign_id', ...newest],
  joins: `${known('ad_group', 'groups', 'sums.ad_group_id')}
${known('campaign', 'campaigns', campaignOfGroup)}`,
  shown: {
    campaign_id: campaignOfGroup,
    ad_group_id: 'sums.ad_group_id',
    ad_type: typeOf('groups'),
    ...orElse('campaigns', { campaign_name: 'name' }),
    ...orElse('groups', {
      ...{ ad_group_name: 'name', ad_group_status: 'status', cost_type: 'cost_type' },
    }),
    ...orElse('groups', { default_bid: 'default_bid' }, 'amount(0)'),
  },
  names: adGroupColumns,
  setting: 'default_bid',
  metrics: adGroupMetrics,
};

const campaignOfKeyword = 'coalesce(keywords.campaign_id, sums.campaign_id)';
const groupOfKeyword = 'coalesce(keywords.ad_group_id, sums.ad_group_id)';
const keywords: AdTable = {
  figures: 'keyword_day',
  grain: ['keyword_id'],
  grouped: [
    ...['keyword_id', 'max(campaign_id) AS campaign_id', 'max(ad_group_id) AS ad_group_id'],
    ...newest,
  ],
  joins: `${known('keyword', 'keywords', 'sums.keyword_id')}
${known('campaign', 'campaigns', campaignOfKeyword)}
${known('ad_group', 'groups', groupOfKeyword)}`,
  shown: {
    campaign_id: campaignOfKeyword,
    ad_group_id: groupOfKeyword,
    keyword_id: 'sums.keyword_id',
    ad_type: typeOf('keywords'),
    ...orElse('campaigns', { campaign_name: 'name' }),
    ...orElse('groups', { ad_group_name: 'name' }),
    ...orElse('keywords', {
      ...{ keyword_text: 'keyword_text', match_type: 'match_type', keyword_status: 'status' },
    }),
    cost_type: "coalesce(campaigns.cost_type, groups.cost_type, '')",
    ...orElse('keywords', { bid: 'bid' }, 'amount(0)'),
  },
  names: keywordColumns,
  setting: 'bid',
  metrics: campaignMetrics,
};

const entity = ['campaign_id', 'ad_group_id', 'ad_type'] as const;
const productAds: AdTable = {
  figures: 'ad_product_day',
  grain: [...entity, 'product_id', 'sku'],
  grouped: [...entity, 'product_id', 'sku', `${productSku} AS product_sku`],
  joins: `${titled}
${known('campaign', 'campaigns', 'sums.campaign_id')}
${known('ad_group', 'groups', 'sums.ad_group_id')}`,
  shown: {
    ...{ campaign_id: 'sums.campaign_id', ad_group_id: 'sums.ad_group_id' },
    ...{ ad_type: 'sums.ad_type', product_sku: 'sums.product_sku', sku: 'sums.sku' },
    ...orElse('campaigns', { campaign_name: 'name' }),
    ...orElse('groups', { ad_group_name: 'name' }),
    ...titles,
  },
  names: [
    ...['channel_id', 'campaign_id', 'ad_group_id', 'ad_type', 'campaign_name', 'ad_group_name'],
    ...productFields.flatMap((name) => (name === 'product_sku' ? [name, 'sku'] : [name])).slice(1),
  ],
  metrics: productMetrics,
};

/** The table of advertised products. */
export const productTable: AdTable = {
  figures: 'ad_product_day',
  grain: ['product_sku'],
  grouped: [`${productSku} AS product_sku`],
  joins: titled,
  shown: { product_sku: 'sums.product_sku', ...titles },
  names: productFields,
  metrics: productMetrics,
};

/** The tables of the archive, by the names of their files. */
export const adTables: Readonly<Record<string, AdTable>> = {
  ...{ campaigns, adGroups, keywords, productAds },
  products: productTable,
};
