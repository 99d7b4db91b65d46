/** Facts and rows of the reports of advertising by day. */
import {
  campaigns,
  marketingByProduct,
} from '../../src/endpoints/reports/create/advertising/report.ts';
import type { AnyTable } from '../reports.ts';
import { rowsOf } from '../table.ts';
import { type Conformance, days, type Facts } from './report.ts';

/** The figures of one row, of which the others have a part. */
const figures = {
  ...{ impressions: 1000, clicks: 40, cost: '10.01', sales: '80.00', salesSameSku: '60.00' },
  ...{ conversions: 4, conversionsSameSku: 3, units: 5, unitsSameSku: 4, ordersNtb: 1 },
  ...{ unitsNtb: 2, salesNtb: '20.00', detailPageViews: 30 },
};
const shownFigures =
  'impressions,clicks,cost,attributed_sales,attributed_sales_same_sku,attributed_conversions,' +
  'attributed_conversions_same_sku,attributed_units_ordered,attributed_units_ordered_same_sku';
const shownNewToBrand =
  'attributed_orders_ntb,attributed_units_ordered_ntb,attributed_sales_ntb,' +
  'attributed_orders_ntb_percentage,attributed_units_ordered_ntb_percentage,' +
  'attributed_sales_ntb_percentage,attributed_detail_page_views_clicks';
const ratios = 'acos,click_through_rate,cost_per_click,conversion_rate,roas';
const ratiosPerOrder =
  'acos,click_through_rate,cost_per_click,cost_per_acquisition,conversion_rate,roas';
const own = 'seller_id,marketplace_id,report_date';
const names = 'channel_id,campaign_id,ad_group_id';
const title = 'product_title,image_url,link_url';

/** 1 of 4 orders, 2 of 5 units and 20 of 80 are new to the brand; 10.01 of 80, 40 of 1,000 clicks. */
const plain = '1000|40|10.01|80.00|60.00|4|3|5|4';
const newToBrand = '1|2|20.00|25.00|40.00|25.00|30';
const shownRatios = '12.51|4.00|0.25|10.00|7.99';
const shownPerOrder = '12.51|4.00|0.25|2.50|10.00|7.99';
const clicks = (count: number) => `0|${count}|0.00|0.00|0.00|0|0|0|0`;
const none = '0|0|0.00||||0';
const on = (date: string) => `A1|ATVPDKIKX0DER|${date}`;
const [first, last] = [on('2025-03-01'), on('2025-03-31')];

const brand = { adType: 'SB' };
const dated = (ids: object) => [
  { date: '2025-02-28', ...ids, ...figures },
  { date: '2025-03-01', ...ids, ...figures },
  { date: '2025-03-31', ...ids, clicks: 2 },
  { date: '2025-04-01', ...ids, ...figures },
];
const ad = { adGroupId: '11', campaignId: '1', productId: 'P1', sku: 'S1', ...brand };

/** Advertising by campaigns, groups, keywords and products, and its success. */
const facts: Facts = {
  campaigns: rowsOf(`
    campaignId, name,   adType, status, budget, startDate,  biddingStrategy
    "1",        =Lamps, SB,     paused, 12.5,   2025-01-02, manual`),
  adGroups: rowsOf(`
    adGroupId, campaignId, name,  adType, defaultBid
    "11",      "1",        Group, SB,     0.755`),
  keywords: rowsOf(`
    keywordId, adGroupId, campaignId, keywordText, matchType, adType, status, bid
    "111",     "11",      "1",        desk lamp,   exact,     SB,     paused, 0.8`),
  products: rowsOf(`
    sku, productId, title, imageUrl
    S1,  P1,        ,
    S2,  P1,        Lamp,  https://pictures.example/2`),
  campaignDays: [
    ...dated({ campaignId: '1', ...brand }),
    { date: '2025-03-01', campaignId: '2', cost: '1', adType: 'SP' },
  ],
  adGroupDays: dated({ adGroupId: '11', ...brand }),
  keywordDays: dated({ keywordId: '111', ...brand }),
  adProductDays: [
    ...dated(ad),
    { ...ad, sku: 'S2', date: '2025-03-01', clicks: 2 },
    { ...ad, adGroupId: '12', date: '2025-03-01', clicks: 4 },
  ],
};

const lamp = 'Lamp|https://pictures.example/2|';
const advertised = (adGroup: string, sku: string) => `CHANNEL|1|${adGroup}|P1|${sku}|${lamp}`;
const product = `CHANNEL|P1|${lamp}`;
const march = days('2025-03-01', '2025-03-31');
// 46 clicks: 10.01 / 46, and 4 orders.
const ofProducts = `
  ${product}|1000|46|10.01|80.00|60.00|4|3|5|4|12.51|4.60|0.22|8.70|7.99|${first}
  ${product}|${clicks(2)}|||0.00|0.00||${last}
`;
/** The columns and rows of March of each file of the archive. */
const files: Readonly<Record<string, readonly [columns: string, rows: string]>> = {
  campaigns: [
    `channel_id,campaign_id,ad_type,campaign_name,campaign_status,budget_type,start_date,end_date,targeting_type,bidding_strategy,cost_type,budget,${shownFigures},${shownNewToBrand},${ratiosPerOrder},${own}`,
    `
      CHANNEL|1|SB|'=Lamps|paused|daily|2025-01-02|||manual|cpc|12.50|${plain}|${newToBrand}|${shownPerOrder}|${first}
      CHANNEL|2|SP|||||||||0.00|0|0|1.00|0.00|0.00|0|0|0|0|${none}||||||0.00|${first}
      CHANNEL|1|SB|'=Lamps|paused|daily|2025-01-02|||manual|cpc|12.50|${clicks(2)}|${none}|||0.00||0.00||${last}
    `,
  ],
  adGroups: [
    `${names},ad_type,campaign_name,ad_group_name,ad_group_status,cost_type,default_bid,${shownFigures},${shownNewToBrand},${ratios},${own}`,
    `
      CHANNEL|1|11|SB|'=Lamps|Group|active|cpc|0.76|${plain}|${newToBrand}|${shownRatios}|${first}
      CHANNEL|1|11|SB|'=Lamps|Group|active|cpc|0.76|${clicks(2)}|${none}|||0.00|0.00||${last}
    `,
  ],
  keywords: [
    `${names},keyword_id,ad_type,campaign_name,ad_group_name,keyword_text,match_type,keyword_status,bid,cost_type,${shownFigures},${shownNewToBrand},${ratiosPerOrder},${own}`,
    `
      CHANNEL|1|11|111|SB|'=Lamps|Group|desk lamp|exact|paused|0.80|cpc|${plain}|${newToBrand}|${shownPerOrder}|${first}
      CHANNEL|1|11|111|SB|'=Lamps|Group|desk lamp|exact|paused|0.80|cpc|${clicks(2)}|${none}|||0.00||0.00||${last}
    `,
  ],
  productAds: [
    `${names},ad_type,campaign_name,ad_group_name,product_sku,sku,${title},${shownFigures},${ratios},${own}`,
    `
      ${advertised("11|SB|'=Lamps|Group", 'S1')}|${plain}|${shownRatios}|${first}
      ${advertised("11|SB|'=Lamps|Group", 'S2')}|${clicks(2)}|||0.00|0.00||${first}
      ${advertised("12|SB|'=Lamps|", 'S1')}|${clicks(4)}|||0.00|0.00||${first}
      ${advertised("11|SB|'=Lamps|Group", 'S1')}|${clicks(2)}|||0.00|0.00||${last}
    `,
  ],
  products: [`channel_id,product_sku,${title},${shownFigures},${ratios},${own}`, ofProducts],
};

const channel = { merchantId: 'A1 @ ATVPDKIKX0DER' };
const at = (instant: string) => Date.parse(instant) / 1000;
const [early, late] = [at('2025-03-01T04:30:00Z'), at('2025-04-01T03:59:59Z')];
const timezone = 'America/New_York';
const figuresOn = (date: string) => `${product}|${plain}|${shownRatios}|${on(date)}`;
const [both, onlyLast] = ofProducts.trim().split('\n');

/** The files of the archive. */
const archived = Object.entries(files).map(
  ([name, [columns, rows]]): Conformance => ({
    ...{ reportType: 'campaigns', file: `${name}.csv`, channel, facts, columns },
    table: campaigns.tables[name] as AnyTable,
    questions: [{ options: march, rows }],
  }),
);

/** The files of the archive, and the report that one of them is as well. */
export const advertisingConformances: readonly Conformance[] = [
  ...archived,
  {
    ...{ reportType: 'marketingByProduct', table: marketingByProduct, channel, facts },
    columns: files.products![0],
    questions: [
      { options: march, rows: ofProducts },
      // 04:30 UTC of the first is still February in New York, and 03:59 of April is March.
      { options: { fromDate: early, toDate: early, timezone }, rows: figuresOn('2025-02-28') },
      { options: { fromDate: early, toDate: early }, rows: both! },
      { options: { fromDate: late, toDate: late, timezone }, rows: onlyLast! },
      {
        options: { fromDate: late, toDate: late + 1, timezone },
        rows: `${onlyLast}\n${figuresOn('2025-04-01')}`,
      },
    ],
  },
];
