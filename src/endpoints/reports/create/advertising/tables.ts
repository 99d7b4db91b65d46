/** The tables of reports of advertising: the questions for their rows, and their columns. */

import {
  adGroupColumns,
  campaignColumns,
  keywordColumns,
  productFields,
} from '../../../../contract/advertising.ts';
import type { Metrics } from '../../../../figures/metrics.ts';
import { adGroupMetrics, campaignMetrics, productMetrics } from '../../../../report/advertising.ts';

/** A table of a report. */
export type AdTable = {
  /** The table of facts. */
  readonly figures: string;
  /** The file of the question for its rows by day. */
  readonly days: string;
  /** The columns of the file. */
  readonly names: readonly string[];
  /** The column with an amount in the channel's own currency, such as a budget. */
  readonly setting?: string;
  readonly metrics: Metrics;
};

const campaigns: AdTable = {
  figures: 'campaign_day',
  days: 'campaigns.sql',
  names: campaignColumns,
  setting: 'budget',
  metrics: campaignMetrics,
};

const adGroups: AdTable = {
  figures: 'ad_group_day',
  days: 'adGroups.sql',
  names: adGroupColumns,
  setting: 'default_bid',
  metrics: adGroupMetrics,
};

const keywords: AdTable = {
  figures: 'keyword_day',
  days: 'keywords.sql',
  names: keywordColumns,
  setting: 'bid',
  metrics: campaignMetrics,
};

const productAds: AdTable = {
  figures: 'ad_product_day',
  days: 'productAds.sql',
  names: [
    'channel_id',
    'campaign_id',
    'ad_group_id',
    'ad_type',
    'campaign_name',
    'ad_group_name',
    ...productFields.flatMap((name) => (name === 'product_sku' ? [name, 'sku'] : [name])).slice(1),
  ],
  metrics: productMetrics,
};

/** The table of advertised products. */
export const productTable: AdTable = {
  figures: 'ad_product_day',
  days: 'products.sql',
  names: productFields,
  metrics: productMetrics,
};

/** The tables of the archive, by file name. */
export const adTables: Readonly<Record<string, AdTable>> = {
  campaigns,
  adGroups,
  keywords,
  productAds,
  products: productTable,
};
