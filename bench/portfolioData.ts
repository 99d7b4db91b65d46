/**
 * The data set of the benchmark of the portfolio, made once by statements: 200 channels in four
 * zones and three currencies, two years of order lines, the stores' traffic, stock and targets. The
 * first channel also has traffic and advertising of each of its products, and keywords.
 */
import { type DataFolder, dataFolder, exchangeRates } from './folders.ts';
import { firstDay } from './rows.ts';

/** Days of the facts: two years from 2024-01-01 on. */
export const days = 731;
/** The zones of the channels, each with the currency of its channels, in turn. */
export const markets = [
  ['America/Los_Angeles', 'USD'],
  ['America/New_York', 'USD'],
  ['Europe/Berlin', 'EUR'],
  ['Asia/Tokyo', 'JPY'],
] as const;

const linesPerDay = 40;
/** Order lines, traffic and advertising of a day of the first channel: one for each product. */
const products = 400;
const skusInStock = 100;
const keywords = 2_000;
const keywordsPerGroup = 20;
/** Days of keywords: the last half year. */
const keywordDays = 181;

/** Makes the data of `count` channels unless it exists. */
export function portfolioData(count: number): Promise<DataFolder> {
  const channels = Array.from({ length: count }, (_, place) => {
    const [timezone, currency] = markets[place % markets.length]!;
    return { channelId: `channel-${place}`, timezone, currency };
  });
  return dataFolder(`portfolio-${count}`, `the facts of ${count} channels`, {
    channels,
    *statements(inserted) {
      for (const { channelNumber, currency } of inserted) yield* factsOf(channelNumber, currency);
      yield* productFacts();
      yield* keywordFacts();
      yield exchangeRates('2023-12-01', 770, { USD: 1.05, JPY: 160 });
    },
    rebuilds: { importId: 1 },
  });
}

function* factsOf(channel: number, currency: string) {
  const lines = channel === 1 ? products : linesPerDay;
  yield `INSERT INTO order_line (channel, import_id, day, order_id, line_id,
    purchased_at, updated_at, items_at, status, sku, product_id, quantity, item_price, item_tax,
    promotion_discount, shipping_price, tax_basis, currency, customer)
    SELECT ${channel}, 1, DATE '1970-01-01' + CAST(purchased_at // 86400 AS INTEGER), '112-' || n,
      CAST(n AS VARCHAR), purchased_at, 0, 0,
      CASE WHEN n % 37 = 0 THEN 'Canceled' ELSE 'Shipped' END,
      printf('SKU-%04d', n % ${products}), printf('B0%08d', n % ${products}), 1 + n % 3,
      (999 + (n % 90) * 100) / 100, (n % 900 + 10) / 100, 0, 0, '', '${currency}', ''
    FROM (SELECT n, (${firstDay} + n // ${lines}) * 86400 + (n * 7919) % 86400 AS purchased_at
      FROM range(${days * lines}) AS numbers(n))`;
  const traffic = `20 + n % 200 AS page_views, 15 + n % 150 AS sessions, 9 AS mobile_sessions,
    (20 + n % 200) * (80 + n % 20) AS buy_box_weighted, 20 + n % 200 AS buy_box_views,
    (n % 900) / 10 AS revenue, 1 + n % 3 AS units, 1 AS order_items, '${currency}' AS currency`;
  yield `INSERT INTO traffic_total BY NAME SELECT ${channel} AS channel,
    1 AS import_id, DATE '2024-01-01' + CAST(n AS INTEGER) AS day, day AS since, ${traffic}
    FROM range(${days}) AS numbers(n)`;
  yield `INSERT INTO target_month BY NAME SELECT ${channel} AS channel,
    1 AS import_id, CAST(DATE '2024-01-01' + to_months(CAST(n AS INTEGER)) AS DATE) AS day,
    10000 + n AS sales_budget, 1 AS sales_budget_set, 0 AS sales_forecast,
    0 AS sales_forecast_set, 900 AS ad_spend_budget, 1 AS ad_spend_budget_set
    FROM range(24) AS numbers(n)`;
  yield `INSERT INTO inventory BY NAME SELECT ${channel} AS channel,
    1 AS import_id, DATE '2025-10-05' + CAST(n // ${skusInStock} * 7 AS INTEGER) AS day,
    printf('SKU-%04d', n % ${skusInStock}) AS sku, 'planning' AS report, '' AS asin, '' AS title,
    1 AS fulfilled_by_marketplace, '' AS storage_type, greatest(n % 11 - 1, 0) AS available,
    0 AS reserved, 0 AS inbound, 0 AS unfulfillable, 0 AS fc_transfer, 0 AS awd_onhand,
    0 AS awd_inbound, n % 3 AS units_shipped_7, n % 3 AS units_shipped_30,
    n % 3 AS units_shipped_60, n % 3 AS units_shipped_90, 0 AS storage_volume,
    0 AS storage_cost_next_month, '${currency}' AS currency
    FROM range(${13 * skusInStock}) AS numbers(n)`;
  if (channel === 1)
    yield `INSERT INTO traffic BY NAME SELECT ${channel} AS channel,
      1 AS import_id, DATE '2024-01-01' + CAST(n // ${products} AS INTEGER) AS day, day AS since,
      printf('SKU-%04d', n % ${products}) AS sku, printf('B0%08d', n % ${products}) AS product_id,
      '' AS parent_product_id, ${traffic}, 0 AS repeats_traffic
      FROM range(${days * products}) AS numbers(n)`;
}

/** The catalogue and the advertising of the products of the first channel. */
function* productFacts() {
  yield `INSERT INTO product (channel, import_id, sku, product_id,
    parent_product_id, title, brand, image_url, link_url, price, units_per_case,
    fulfilled_by_marketplace)
    SELECT 1, 1, printf('SKU-%04d', n), printf('B0%08d', n), '', 'Product ' || n, '', '', '', 10,
      0, 1
    FROM range(${products}) AS numbers(n)`;
  yield `INSERT INTO ad_product_day BY NAME SELECT 1 AS channel, 1 AS import_id,
    DATE '2024-01-01' + CAST(n // ${products} AS INTEGER) AS day, day AS since,
    printf('B0%08d', n % ${products}) AS product_id, printf('SKU-%04d', n % ${products}) AS sku,
    'SP' AS ad_type, '' AS ad_group_id, '' AS campaign_id, 900 AS impressions, 9 AS clicks,
    (n % 900) / 100 AS cost, (n % 9000) / 100 AS sales, 0 AS sales_same_sku, 1 AS conversions,
    0 AS conversions_same_sku, 1 AS units, 0 AS units_same_sku, 0 AS orders_ntb, 0 AS units_ntb,
    0 AS sales_ntb, 0 AS detail_page_views, 'USD' AS currency
    FROM range(${days * products}) AS numbers(n)`;
}

/** The keywords of the first channel, with campaigns of one ad group each. */
function* keywordFacts() {
  const groups = keywords / keywordsPerGroup;
  const campaign = `CAST(400 + n % ${groups} AS VARCHAR) AS campaign_id, 'SP' AS ad_type`;
  const placed = `CAST(500 + n % ${groups} AS VARCHAR) AS ad_group_id, ${campaign}`;
  yield `INSERT INTO campaign BY NAME SELECT 1 AS channel, 1 AS import_id,
    ${campaign}, 'Campaign ' || n AS name, 'active' AS status, 'daily' AS budget_type, 25 AS budget,
    '' AS start_date, '' AS end_date, 'manual' AS targeting_type, '' AS bidding_strategy,
    'cpc' AS cost_type, 1 AS updated_at FROM range(${groups}) AS numbers(n)`;
  yield `INSERT INTO ad_group BY NAME SELECT 1 AS channel, 1 AS import_id,
    ${placed}, 'Group ' || n AS name, 'active' AS status, 'cpc' AS cost_type, 1 AS default_bid,
    1 AS updated_at FROM range(${groups}) AS numbers(n)`;
  yield `INSERT INTO keyword BY NAME SELECT 1 AS channel, 1 AS import_id,
    CAST(60000 + n AS VARCHAR) AS keyword_id, ${placed}, 'words ' || n AS keyword_text,
    'broad' AS match_type, 'active' AS status, 1 AS bid, 1 AS updated_at
    FROM range(${keywords}) AS numbers(n)`;
  yield `INSERT INTO keyword_day BY NAME SELECT 1 AS channel, 1 AS import_id,
    DATE '2024-01-01' + CAST(${days - keywordDays} + n // ${keywords} AS INTEGER) AS day,
    day AS since, CAST(60000 + n % ${keywords} AS VARCHAR) AS keyword_id, ${placed}, '' AS report,
    900 AS impressions, 9 AS clicks, (n % 900) / 100 AS cost, (n % 9000) / 100 AS sales,
    0 AS sales_same_sku, 1 AS conversions, 0 AS conversions_same_sku, 1 AS units,
    0 AS units_same_sku, 0 AS orders_ntb, 0 AS units_ntb, 0 AS sales_ntb, 0 AS detail_page_views,
    'USD' AS currency
    FROM range(${keywords * keywordDays}) AS numbers(n)`;
}
