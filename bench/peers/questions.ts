/** The questions that Vitrine and its peers are asked, and their answers in one form. */
import { startOfDay } from '../../src/calendar/period.ts';
import { merchantId, zone } from '../data.ts';
import type { Shot } from '../flight.ts';
import { firstDay } from '../rows.ts';

/** Daily sales from order lines or from sums by day, and a page of campaigns. */
export type QuestionName = 'salesFacts' | 'salesSums' | 'campaigns';

/** The request with this number, and its answer as figures by day or campaign. */
export type Peer = {
  readonly shot: (question: QuestionName, place: number) => Shot;
  readonly figures: (question: QuestionName, text: string) => Map<string, readonly number[]>;
};

const windowDays = 90;
const pageSize = 50;
const cents = (value: unknown) => Math.round(Number(value) * 100);
const dateOf = (day: number) =>
  new Date(day * 86_400_000).toISOString().slice(0, '2024-01-01'.length);

/** The size of the data set. */
export type Size = { readonly channels: number; readonly days: number };

/** The channel and days of a request: sales have the 90 days before as well, for comparison. */
function rangeOf({ channels, days }: Size, question: QuestionName, place: number) {
  const from = firstDay + windowDays + ((place * 37) % (days - 2 * windowDays));
  const isSales = question !== 'campaigns';
  return {
    channel: place % channels,
    from,
    first: dateOf(isSales ? from - windowDays : from),
    last: dateOf(from + windowDays - 1),
  };
}

const post = (url: string, body: object): Shot => ({
  url,
  body: Buffer.from(JSON.stringify(body)),
});

type Fields = Readonly<Record<string, unknown>>;
type Names = {
  readonly sales: (row: Fields) => readonly [day: string, ...figures: unknown[]];
  readonly campaigns: (row: Fields) => readonly [campaign: string, ...figures: unknown[]];
};

/** Days have line items, units and cents; campaigns impressions, clicks, and cents twice. */
function figuresOf(question: QuestionName, rows: readonly Fields[], names: Names) {
  return new Map(
    rows.map((row) => {
      if (question === 'campaigns') {
        const [campaign, impressions, clicks, cost, sales] = names.campaigns(row);
        return [campaign, [Number(impressions), Number(clicks), cents(cost), cents(sales)]];
      }
      const [day, lineItems, units, sales] = names.sales(row);
      return [day.slice(0, '2024-01-01'.length), [Number(lineItems), Number(units), cents(sales)]];
    }),
  );
}

/** Vitrine: both questions about sales are the same to it. */
export function vitrine(address: string, key: string, size: Size): Peer {
  const names: Names = {
    sales: (row) => [String(row.startTime), row.lineItemCount, row.unitsSold, row.sales],
    campaigns: (row) => [
      String(row.campaign_id),
      row.impressions,
      row.clicks,
      row.cost,
      row.attributed_sales,
    ],
  };
  const prior = (row: Fields): Fields => ({
    startTime: dateOf(Date.parse(String(row.startTime).slice(0, 10)) / 86_400_000 - windowDays),
    lineItemCount: row.priorLineItemCount,
    unitsSold: row.priorUnitsSold,
    sales: row.priorSales,
  });
  return {
    shot(question, place) {
      const { channel, from } = rangeOf(size, question, place);
      const channelId = `channel-${channel}`;
      const fromDate = startOfDay(zone, from)!;
      const toDate = startOfDay(zone, from + windowDays)! - 1;
      const headers = { 'x-api-key': key };
      if (question === 'campaigns') {
        const words = `channelId=${channelId}&fromDate=${fromDate}&toDate=${toDate}`;
        const url = `${address}/advertising/campaigns?${words}&sortKey=cost&sortOrder=desc&pageSize=${pageSize}`;
        return { url, headers };
      }
      const reportOptions = {
        fromDate,
        toDate,
        priorFromDate: startOfDay(zone, from - windowDays),
        priorToDate: fromDate - 1,
        timezone: zone,
      };
      const body = { channelId, merchantId, reportOptions };
      return { ...post(`${address}/reports/view/salesByPeriod`, body), headers };
    },
    figures(question, text) {
      const answer = JSON.parse(text) as { data: Fields[]; formattedChartData: Fields[] };
      const rows = question === 'campaigns' ? answer.data : answer.formattedChartData;
      const all = question === 'campaigns' ? rows : [...rows, ...rows.map(prior)];
      return figuresOf(question, all, names);
    },
  };
}

/** drizzle-cube: queries of its REST interface. */
export function drizzleCube(address: string, size: Size): Peer {
  const named = (cube: string, names: readonly string[]) => names.map((name) => `${cube}.${name}`);
  const sales = ['lineItems', 'units', 'sales'];
  const campaigns = ['impressions', 'clicks', 'cost', 'sales'];
  return {
    shot(question, place) {
      const { channel, first, last } = rangeOf(size, question, place);
      const isSales = question !== 'campaigns';
      const cube = { salesFacts: 'SalesFacts', salesSums: 'SalesSums', campaigns: 'Campaigns' }[
        question
      ];
      const [day, ofChannel] = [`${cube}.day`, { member: `${cube}.channel`, operator: 'equals' }];
      const filters = [{ ...ofChannel, values: [channel] }];
      const query = isSales
        ? {
            measures: named(cube, sales),
            timeDimensions: [{ dimension: day, dateRange: [first, last], granularity: 'day' }],
            filters,
            order: { [day]: 'asc' },
          }
        : {
            measures: named(cube, campaigns),
            dimensions: [`${cube}.campaignId`],
            // A time dimension would group by day.
            filters: [...filters, { member: day, operator: 'inDateRange', values: [first, last] }],
            order: { [`${cube}.cost`]: 'desc' },
            limit: pageSize,
          };
      return post(`${address}/cubejs-api/v1/load`, { query });
    },
    figures(question, text) {
      const { results } = JSON.parse(text) as { results: [{ data: Fields[] }] };
      const cube = question === 'salesFacts' ? 'SalesFacts' : 'SalesSums';
      return figuresOf(question, results[0].data, {
        sales: (row) => [
          String(row[`${cube}.day`]),
          ...named(cube, sales).map((name) => row[name]),
        ],
        campaigns: (row) => [
          String(row['Campaigns.campaignId']),
          ...named('Campaigns', campaigns).map((name) => row[name]),
        ],
      });
    },
  };
}

/** hypequery: a route per query. */
export function hypequery(address: string, size: Size): Peer {
  return {
    shot(question, place) {
      const { channel, first, last } = rangeOf(size, question, place);
      return post(`${address}/api/analytics/${question}`, { channel, first, last });
    },
    figures: (question, text) =>
      figuresOf(question, JSON.parse(text) as Fields[], {
        sales: (row) => [String(row.day), row.lineItems ?? row.line_items, row.units, row.sales],
        campaigns: (row) => [
          String(row.campaign_id),
          row.impressions,
          row.clicks,
          row.cost,
          row.sales,
        ],
      }),
  };
}

/** PostGraphile: GraphQL with variables. */
export function postgraphile(address: string, size: Size): Peer {
  const fields = {
    salesFacts: 'day lineItems units sales',
    salesSums: 'day lineItems units sales',
    campaigns: 'campaignId impressions clicks cost sales',
  };
  return {
    shot(question, place) {
      const { channel, first, last } = rangeOf(size, question, place);
      const query = `query ($channel: Int!, $fromDay: Date!, $toDay: Date!) {
        ${question}(channelNumber: $channel, fromDay: $fromDay, toDay: $toDay) {
          nodes { ${fields[question]} } } }`;
      const variables = { channel, fromDay: first, toDay: last };
      return post(`${address}/graphql`, { query, variables });
    },
    figures(question, text) {
      const { data } = JSON.parse(text) as { data: Record<string, { nodes: Fields[] }> };
      return figuresOf(question, data[question]!.nodes, {
        sales: (row) => [String(row.day), row.lineItems, row.units, row.sales],
        campaigns: (row) => [
          String(row.campaignId),
          row.impressions,
          row.clicks,
          row.cost,
          row.sales,
        ],
      });
    },
  };
}
