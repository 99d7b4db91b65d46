/**
 * The views of bench/views.ts by hand: Fastify and one DuckDB statement a view over the rollups of
 * the service, with no keys, no limits and no conversion. Its argument is a data folder.
 */
import { profitColumns } from '../schema/warehouse/profit.ts';
import { rowsOf, serveByHand } from './byHand.ts';
import { rangeOf } from './interactive.ts';
import { channels } from './scaleWorld.ts';

const secondsPerDay = 86_400;

const advertised = [
  ...['impressions', 'clicks', 'cost', 'sales', 'conversions', 'units', 'orders_ntb', 'units_ntb'],
  ...['sales_ntb', 'units_same_sku'],
];

/** The days of a request as SQL: the first prior day, the first day and the last one. */
function daysOf(place: number) {
  const { fromDate, toDate, priorFromDate } = rangeOf(place);
  // The days of the zone begin in the UTC morning, and end in the next one.
  return { prior: utcDay(priorFromDate), first: utcDay(fromDate), last: `${utcDay(toDate)} - 1` };
}

function utcDay(instant: number): string {
  return `DATE '1970-01-01' + ${Math.floor(instant / secondsPerDay)}`;
}

function sumsBySide(columns: readonly string[], first: string): string {
  return columns
    .flatMap((name) => [
      `sum(${name}) FILTER (day >= ${first}) AS ${name}`,
      `sum(${name}) FILTER (day < ${first}) AS prior_${name}`,
    ])
    .join(', ');
}

/** The statement of each view for the request with this number. */
const statements: Readonly<Record<string, (place: number) => string>> = {
  advertisingByChannels(place) {
    const { prior, first, last } = daysOf(place);
    const within = `day >= ${prior} AND day <= ${last}`;
    return `WITH ads AS (SELECT channel, ${sumsBySide(advertised, first)}
        FROM campaign_day WHERE ${within} GROUP BY channel),
      sold AS (SELECT channel, ${sumsBySide(['item_price', 'item_tax'], first)}
        FROM store_day WHERE ${within} GROUP BY channel)
      SELECT *, cost / nullif(ads.sales, 0) AS acos, clicks / nullif(impressions, 0) AS ctr
      FROM ads LEFT JOIN sold USING (channel) ORDER BY impressions DESC LIMIT 10`;
  },
  storeProfitAndLoss(place) {
    const { fromDate, toDate } = rangeOf(place);
    return `SELECT currency, ${profitColumns.map((name) => `sum(${name}) AS ${name}`).join(', ')}
      FROM profit_slot WHERE channel = ${channelOf(place)}
        AND day >= ${utcDay(fromDate)} AND day <= ${utcDay(toDate)}
        AND slot_at >= ${fromDate} AND slot_at <= ${toDate}
      GROUP BY currency`;
  },
  targets(place) {
    const { first, last } = daysOf(place);
    const columns = 'day, sales_budget, sales_forecast, ad_spend_budget';
    const within = `channel = ${channelOf(place)} AND day <= ${last}`;
    return `SELECT ${columns} FROM target_day WHERE ${within} AND day >= ${first}
      UNION ALL SELECT ${columns} FROM target_month WHERE ${within} AND day >= ${first} - 31`;
  },
};

function channelOf(place: number): number {
  return (place % channels.queried) + 1;
}

await serveByHand(process.argv.at(-1)!, {
  connections: 4,
  routes: {
    '/:name/:place': async (connection, { name, place }) => ({
      rows: await rowsOf(connection, statements[name!]!(Number(place))),
    }),
  },
});
