/**
 * Views of the portfolio against statements by hand: sales of 200 channels over two years, sales of
 * products, and keywords; without a working set (cold) and with days in memory (warm).
 * `node bench/portfolio.ts [channels=200]`
 */
import { isoDate, startOfDay } from '../src/calendar/period.ts';
import { type HandMade, rowsOf, serveOrRun } from './byHand.ts';
import { merchantId } from './folders.ts';
import {
  compare,
  heapFlags,
  measure,
  printHeadings,
  type Server,
  type Three,
  withThree,
} from './measure.ts';
import { days, portfolioData } from './portfolioData.ts';
import { firstDay } from './rows.ts';

const turns = { rounds: 5, times: 5, warmUps: 3 };
/** Days of each of the two periods of salesByChannel, and of salesByProduct. */
const channelDays = 351;
const productDays = 90;
/** Days of keywords. */
const keywordDays = 160;
/** Ranges of requests differ in their first day. */
const starts = 14;
/** Cold requests about more channels may take longer than an answer may. */
const coldChannelsMax = 50;
/** The number of channels whose days are cached at a time. */
const filledAtOnce = 20;
/** A zone of no channel, always as far from UTC, for the statement by hand. */
const otherZone = 'Asia/Kolkata';
const otherOffset = 19_800;
/** Represents no date. */
const never = "DATE '9999-12-31'";

/** The first days of the period and of the prior one. */
function daysAt(place: number, length: number) {
  const from = firstDay + days - length - (place % starts);
  return { prior: from - length, from, until: from + length };
}

/** Whole answers are cached, too: with this, most requests differ from earlier ones. */
function pageSizeAt(place: number): number {
  return 30 + (Math.floor(place / starts) % 40);
}

const converted = (sum: string) => `sum(CAST(${sum} AS DOUBLE) * factor)`;
const sides = (sides: readonly (readonly [string, string])[], from: number) =>
  sides
    .flatMap(([name, sum]) => [
      `${sum} FILTER (WHERE day >= DATE '${isoDate(from)}') AS ${name}`,
      `${sum} FILTER (WHERE day < DATE '${isoDate(from)}') AS prior_${name}`,
    ])
    .join(', ');

/** The statement for salesByChannel: sales, orders, units and views, targets, buy box and stock. */
function channelsByHand(place: number, isOtherZone: boolean): string {
  const { prior, from, until } = daysAt(place, channelDays);
  const within = `day >= DATE '${isoDate(prior)}' AND day < DATE '${isoDate(until)}'`;
  const local = `DATE '1970-01-01' + CAST((slot_at + ${otherOffset}) // 86400 AS INTEGER)`;
  const sales = isOtherZone
    ? `sales AS (SELECT channel, ${sides(
        [
          ['orders', 'sum(line_items)'],
          ['units', 'sum(units)'],
          ['sales', converted('item_price')],
        ],
        from,
      )} FROM (SELECT channel, currency, ${local} AS day, sum(line_items) AS line_items,
          sum(units) AS units, sum(item_price) AS item_price FROM order_slot
          WHERE slot_at >= ${prior * 86_400 - otherOffset}
          AND slot_at < ${until * 86_400 - otherOffset} GROUP BY ALL)
        JOIN rate USING (currency, day)
        GROUP BY channel),
      viewed AS (SELECT channel, ${sides([['views', 'sum(page_views)']], from)}
        FROM store_day WHERE ${within} GROUP BY channel)`
    : `sales AS (SELECT channel, ${sides(
        [
          ['orders', 'sum(line_items)'],
          ['units', 'sum(units)'],
          ['sales', converted('item_price')],
          ['views', 'sum(page_views)'],
        ],
        from,
      )} FROM store_day JOIN rate USING (currency, day) WHERE ${within} GROUP BY channel)`;
  return `WITH ${sales},
    budget AS (SELECT channel, sum(sales_budget * days_of_month(target_month.day)) AS budget
      FROM target_month WHERE ${within} GROUP BY channel),
    box AS (SELECT channel, arg_max(buy_box_weighted / buy_box_views, day) AS buy_box
      FROM store_day WHERE day >= DATE '${isoDate(until - 30)}' AND day < DATE '${isoDate(until)}'
      AND buy_box_views > 0 GROUP BY channel),
    newest AS (SELECT channel, max(day) AS day FROM inventory
      WHERE day >= DATE '${isoDate(until - 30)}' AND day <= DATE '${isoDate(until)}'
      GROUP BY channel),
    stock AS (SELECT channel, count(*) FILTER (WHERE available <= 0) / count(*) AS out_of_stock
      FROM inventory JOIN newest USING (channel, day)
      WHERE units_shipped_90 > 0 OR (channel, sku) IN (SELECT (channel, sku) FROM order_line
        WHERE day > DATE '${isoDate(until - 90)}' AND day <= DATE '${isoDate(until)}'
        AND status <> 'Canceled' AND quantity > 0)
      GROUP BY channel)
    SELECT * FROM sales ${isOtherZone ? 'LEFT JOIN viewed USING (channel)' : ''}
    LEFT JOIN budget USING (channel) LEFT JOIN box USING (channel) LEFT JOIN stock USING (channel)
    ORDER BY sales DESC LIMIT 50`;
}

/**
 * The statement for salesByProduct: sales and units, advertising, the catalogue, the last sale,
 * since when none is in stock, and the store's sales that belong to no product.
 */
function productsByHand(place: number): string {
  const { prior, from, until } = daysAt(place, productDays);
  const first = startOfDay('America/Los_Angeles', prior)!;
  const middle = startOfDay('America/Los_Angeles', from)!;
  const end = startOfDay('America/Los_Angeles', until)!;
  const date = (day: number) => `DATE '${isoDate(day)}'`;
  const dates = `BETWEEN ${date(prior)} AND ${date(until)}`;
  const within = `channel = 1 AND day >= ${date(prior)} AND day < ${date(until)}`;
  const outSince = (day: number, name: string) => `nullif(coalesce(
      max(CASE WHEN next_day < ${date(day)} THEN next_day ELSE ${never} END)
        FILTER (WHERE day < ${date(day)} AND available > 0),
      min(day) FILTER (WHERE day < ${date(day)})), ${never}) AS ${name}`;
  return `WITH sold AS (SELECT sku, max(product_id) AS found_product,
      sum(item_price) FILTER (WHERE purchased_at >= ${middle}) AS sales,
      sum(item_price) FILTER (WHERE purchased_at < ${middle}) AS prior_sales,
      sum(quantity) FILTER (WHERE purchased_at >= ${middle}) AS units,
      sum(quantity) FILTER (WHERE purchased_at < ${middle}) AS prior_units,
      max(purchased_at) AS last_sold,
      max(purchased_at) FILTER (WHERE purchased_at < ${middle}) AS prior_last_sold
      FROM order_line WHERE channel = 1 AND day ${dates} AND purchased_at >= ${first}
      AND purchased_at < ${end} AND status <> 'Canceled' GROUP BY sku),
    advertised AS (SELECT sku, ${sides(
      [
        ['ad_spend', 'sum(cost)'],
        ['ad_sales', 'sum(sales)'],
      ],
      from,
    )} FROM ad_product_day WHERE ${within} GROUP BY sku),
    followed AS (SELECT sku, day, available,
        lead(day, 1, ${never}) OVER (PARTITION BY sku ORDER BY day) AS next_day
      FROM inventory WHERE channel = 1 AND day < ${date(until)}),
    stock AS (SELECT sku, ${outSince(until, 'out_since')}, ${outSince(from, 'prior_out_since')}
      FROM followed GROUP BY sku),
    whole AS (SELECT ${sides(
      [
        ['store_sales', 'sum(traffic_revenue)'],
        ['store_units', 'sum(traffic_units)'],
      ],
      from,
    )} FROM store_day WHERE ${within}),
    listed AS (SELECT ${sides(
      [
        ['product_sales', 'sum(revenue)'],
        ['product_units', 'sum(units)'],
      ],
      from,
    )} FROM traffic WHERE ${within})
    SELECT *, sales / units AS price_paid, prior_sales / prior_units AS prior_price_paid,
      ad_spend / ad_sales AS acos, prior_ad_spend / prior_ad_sales AS prior_acos,
      ad_spend / sales AS tacos, prior_ad_spend / prior_sales AS prior_tacos,
      count(*) OVER () AS matching
    FROM sold FULL JOIN advertised USING (sku)
    LEFT JOIN (SELECT sku, title, product_id, price, link_url, image_url FROM product
      WHERE channel = 1) USING (sku)
    LEFT JOIN stock USING (sku) CROSS JOIN whole CROSS JOIN listed
    ORDER BY sales DESC, sku LIMIT 50`;
}

/** The statement for keywords: no other sorting, no conversion. */
function keywordsByHand(place: number): string {
  const { from, until } = daysAt(place, keywordDays);
  return `WITH sums AS (SELECT keyword_id, any_value(campaign_id) AS campaign_id,
      any_value(ad_group_id) AS ad_group_id, sum(impressions) AS impressions,
      sum(clicks) AS clicks, sum(cost) AS cost, sum(sales) AS sales,
      sum(sales_same_sku) AS sales_same_sku, sum(conversions) AS conversions,
      sum(conversions_same_sku) AS conversions_same_sku, sum(units) AS units,
      sum(units_same_sku) AS units_same_sku, sum(orders_ntb) AS orders_ntb,
      sum(units_ntb) AS units_ntb, sum(sales_ntb) AS sales_ntb,
      sum(detail_page_views) AS detail_page_views
      FROM keyword_day WHERE channel = 1
      AND day >= DATE '${isoDate(from)}' AND day < DATE '${isoDate(until)}' GROUP BY keyword_id)
    SELECT known.*, campaign.name, ad_group.name, sums.*, cost / nullif(sales, 0) AS acos,
      clicks / impressions AS ctr, cost / clicks AS cpc, cost / conversions AS cpa,
      conversions / clicks AS cvr, sales / cost AS roas, count(*) OVER () AS matching
    FROM (SELECT * FROM keyword WHERE channel = 1) AS known FULL JOIN sums USING (keyword_id)
    LEFT JOIN campaign ON campaign.channel = 1
      AND campaign.campaign_id = coalesce(known.campaign_id, sums.campaign_id)
    LEFT JOIN ad_group ON ad_group.channel = 1
      AND ad_group.ad_group_id = coalesce(known.ad_group_id, sums.ad_group_id)
    ORDER BY cost DESC, keyword_id LIMIT 50`;
}

const byHand: Readonly<Record<string, (place: number) => string>> = {
  channels: (place) => channelsByHand(place, false),
  otherZone: (place) => channelsByHand(place, true),
  products: productsByHand,
  keywords: keywordsByHand,
};

/** The statements, with the rates at hand. */
const handMade: HandMade = {
  setup: [
    `CREATE TEMP TABLE rate AS SELECT usd.day, each.currency,
    usd.per_euro / each.per_euro AS factor FROM exchange_rate AS usd JOIN (
      SELECT day, currency, per_euro FROM exchange_rate
      UNION ALL SELECT day, 'EUR', 1 FROM exchange_rate WHERE currency = 'USD'
    ) AS each USING (day) WHERE usd.currency = 'USD'`,
    'CREATE TEMP MACRO days_of_month(one) AS day(last_day(one)) / 30',
  ],
  routes: {
    '/:name/:place': async (connection, { name, place }) => ({
      rows: await rowsOf(connection, byHand[name!]!(Number(place))),
    }),
  },
};

/** The body of a request for a view. */
function bodyOf(zone: string, length: number, place: number, named: object): string {
  const { prior, from, until } = daysAt(place, length);
  return JSON.stringify({
    ...named,
    fromDate: startOfDay(zone, from),
    toDate: startOfDay(zone, until)! - 1,
    priorFromDate: startOfDay(zone, prior),
    priorToDate: startOfDay(zone, from)! - 1,
    timezone: zone,
    includeTax: false,
    pageSize: pageSizeAt(place),
  });
}

async function run(count: number): Promise<void> {
  const data = await portfolioData(count);
  const compareAll = async ({ bare, cold, warm: service, headers }: Three) => {
    const home = 'America/Los_Angeles';
    let sent = 0;
    const asking = (server: Server, name: string, zone: string, length: number) => {
      const named =
        name === 'salesByProduct'
          ? { channelId: 'channel-0', merchantId }
          : { currentCurrency: 'USD' };
      return (times: number) =>
        measure(server, times, () => ({
          path: `/reports/view/${name}`,
          init: { method: 'POST', headers, body: bodyOf(zone, length, sent++, named) },
          holds: (text) => text.includes('"rows":[{'),
        }));
    };
    const fill = async (zone: string) => {
      for (const place of [0, starts - 1])
        for (let first = 0; first < count; first += filledAtOnce) {
          const channelIds = Array.from(
            { length: Math.min(filledAtOnce, count - first) },
            (_, index) => `channel-${first + index}`,
          );
          const body = bodyOf(zone, channelDays, place, { channelIds });
          const init = { method: 'POST', headers, body };
          await measure(service, 1, () => ({ path: '/reports/view/salesByChannel', init }));
        }
    };
    const listing = (server: Server) => (times: number) =>
      measure(server, times, () => {
        const place = sent++;
        const { from, until } = daysAt(place, keywordDays);
        const range = `fromDate=${startOfDay(home, from)}&toDate=${startOfDay(home, until)! - 1}`;
        const sorted = `sortKey=cost&pageSize=${pageSizeAt(place)}`;
        const path = `/advertising/keywords?channelId=channel-0&${range}&${sorted}`;
        return { path, init: { headers }, holds: (text) => text.includes('impressions') };
      });
    const byHandOf = (name: string) => (times: number) =>
      measure(bare, times, () => ({ path: `/${name}/${sent++}` }));
    const against = (hand: string, name: string, zone: string, length: number) => ({
      'by hand': byHandOf(hand),
      ...(count <= coldChannelsMax && { 'the service, cold': asking(cold, name, zone, length) }),
      'the service, warm': asking(service, name, zone, length),
    });
    for (const zone of [home, otherZone]) await fill(zone);
    printHeadings();
    for (const [group, variants] of [
      ['channels, own zone of a quarter', against('channels', 'salesByChannel', home, channelDays)],
      ['channels, zone of none', against('otherZone', 'salesByChannel', otherZone, channelDays)],
      ['products', against('products', 'salesByProduct', home, productDays)],
      [
        'keywords',
        {
          'by hand': byHandOf('keywords'),
          'the service, cold': listing(cold),
          'the service, warm': listing(service),
        },
      ],
    ] as const)
      await compare(group, variants, turns);
  };
  await withThree('portfolio.ts', data, compareAll, heapFlags);
}

await serveOrRun(handMade, () => run(Number(process.argv[2] ?? 200)));
