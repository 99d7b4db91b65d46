/** The questions to Vitrine and its peers, and the answers in a common form. */
import { startOfDay } from '../../src/calendar/period.ts';
import type { Shot } from '../flight.ts';
import { merchantId, zone } from '../folders.ts';
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
const dateLength = '2024-01-01'.length;
const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, dateLength);

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

/** The measures of a question. Measures in `amounts` are compared in cents. */
const ofOrders = ['lineItems', 'units', 'sales'];
const measures: Readonly<Record<QuestionName, readonly string[]>> = {
  salesFacts: ofOrders,
  salesSums: [
    ...ofOrders,
    ...['pageViews', 'sessions', 'impressions', 'clicks', 'adSpend', 'adSales'],
  ],
  campaigns: ['impressions', 'clicks', 'cost', 'sales'],
};
const amounts = new Set(['sales', 'adSpend', 'adSales', 'cost']);

/** The figures of each row, by its day or campaign. */
function figuresOf(
  question: QuestionName,
  rows: readonly Fields[],
  name: string,
  fieldOf: (measure: string) => string,
) {
  return new Map(
    rows.map((row) => [
      question === 'campaigns' ? String(row[name]) : String(row[name]).slice(0, dateLength),
      measures[question].map((measure) => {
        const value = row[fieldOf(measure)];
        return amounts.has(measure) ? cents(value) : Number(value);
      }),
    ]),
  );
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Vitrine: both questions about sales are the same to it. */
export function vitrine(address: string, key: string, size: Size): Peer {
  const fields: Readonly<Record<string, string>> = {
    lineItems: 'lineItemCount',
    units: 'unitsSold',
    sessions: 'totalSessions',
  };
  const prior = (row: Fields): Fields => ({
    ...Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => name.startsWith('prior'))
        .map(([name, value]) => [name[5]!.toLowerCase() + name.slice(6), value]),
    ),
    startTime: dateOf(
      Date.parse(String(row.startTime).slice(0, dateLength)) / 86_400_000 - windowDays,
    ),
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
      if (question === 'campaigns') {
        const { data } = JSON.parse(text) as { data: Fields[] };
        const fieldOf = (measure: string) => (measure === 'sales' ? 'attributed_sales' : measure);
        return figuresOf(question, data, 'campaign_id', fieldOf);
      }
      const { formattedChartData: days } = JSON.parse(text) as { formattedChartData: Fields[] };
      const all = [...days, ...days.map(prior)];
      return figuresOf(question, all, 'startTime', (measure) => fields[measure] ?? measure);
    },
  };
}

/** drizzle-cube: queries of its REST interface. */
export function drizzleCube(address: string, size: Size): Peer {
  const cubes = { salesFacts: 'SalesFacts', salesSums: 'SalesSums', campaigns: 'Campaigns' };
  return {
    shot(question, place) {
      const { channel, first, last } = rangeOf(size, question, place);
      const cube = cubes[question];
      const names = measures[question].map((measure) => `${cube}.${measure}`);
      const [day, ofChannel] = [`${cube}.day`, { member: `${cube}.channel`, operator: 'equals' }];
      const filters = [{ ...ofChannel, values: [channel] }];
      const query =
        question !== 'campaigns'
          ? {
              measures: names,
              timeDimensions: [{ dimension: day, dateRange: [first, last], granularity: 'day' }],
              filters,
              order: { [day]: 'asc' },
            }
          : {
              measures: names,
              dimensions: [`${cube}.campaignId`],
              // A time dimension would group by day.
              filters: [
                ...filters,
                { member: day, operator: 'inDateRange', values: [first, last] },
              ],
              order: { [`${cube}.cost`]: 'desc' },
              limit: pageSize,
            };
      return post(`${address}/cubejs-api/v1/load`, { query });
    },
    figures(question, text) {
      const { results } = JSON.parse(text) as { results: [{ data: Fields[] }] };
      const cube = cubes[question];
      const name = question === 'campaigns' ? 'campaignId' : 'day';
      const fieldOf = (measure: string) => `${cube}.${measure}`;
      return figuresOf(question, results[0].data, fieldOf(name), fieldOf);
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
    figures(question, text) {
      const name = question === 'campaigns' ? 'campaign_id' : 'day';
      return figuresOf(question, JSON.parse(text) as Fields[], name, snakeCase);
    },
  };
}

/** PostGraphile: GraphQL with variables. */
export function postgraphile(address: string, size: Size): Peer {
  const nameOf = (question: QuestionName) => (question === 'campaigns' ? 'campaignId' : 'day');
  return {
    shot(question, place) {
      const { channel, first, last } = rangeOf(size, question, place);
      const query = `query ($channel: Int!, $fromDay: Date!, $toDay: Date!) {
        ${question}(channelNumber: $channel, fromDay: $fromDay, toDay: $toDay) {
          nodes { ${nameOf(question)} ${measures[question].join(' ')} } } }`;
      const variables = { channel, fromDay: first, toDay: last };
      return post(`${address}/graphql`, { query, variables });
    },
    figures(question, text) {
      const { data } = JSON.parse(text) as { data: Record<string, { nodes: Fields[] }> };
      const { nodes } = data[question]!;
      return figuresOf(question, nodes, nameOf(question), (measure) => measure);
    },
  };
}
