/**
 * Fastify and DuckDB by hand, without the service: the least that an answer costs. Started by
 * salesByPeriod.ts with a copy of the data folder.
 */
import { join } from 'node:path';
import {
  BIGINT,
  DATE,
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBValue,
  INTEGER,
} from '@duckdb/node-api';
import Fastify from 'fastify';

type Body = {
  channelId: string;
  reportOptions: { fromDate: number; toDate: number; priorFromDate: number; priorToDate: number };
};

const folder = process.argv[2]!;
/** The changes of the zone's offset in the years of the data. */
const changes = [1_710_064_800, 1_730_624_400, 1_741_514_400, 1_762_074_000];
const [winter, summer] = [-28_800, -25_200];
const localDay = (instant: number) => {
  const isSummer = changes.filter((change) => change <= instant).length % 2 === 1;
  return Math.floor((instant + (isSummer ? summer : winter)) / 86_400);
};
const offsetSql = changes
  .map((change, at) => `WHEN purchased_at < ${change} THEN ${at % 2 === 1 ? summer : winter}`)
  .join(' ');
const localDaySql = `DATE '1970-01-01' + CAST(floor((purchased_at
  + CASE ${offsetSql} ELSE ${winter} END) / 86400) AS INTEGER)`;

const rollupSql = `SELECT day, line_items, units, CAST((item_price + item_tax) AS DOUBLE),
  page_views, sessions, CAST(buy_box_weighted AS DOUBLE), buy_box_views,
  impressions, clicks, CAST(ad_cost AS DOUBLE), CAST(ad_sales AS DOUBLE)
  FROM store_day WHERE channel = $1 AND day BETWEEN $2 AND $3`;

const rawSql = `WITH
  o AS (SELECT ${localDaySql} AS day, count(*) AS line_items,
  CAST(sum(quantity) AS BIGINT) AS units, CAST(sum(item_price + item_tax) AS DOUBLE) AS sales
        FROM order_line WHERE channel = $1 AND purchased_at BETWEEN $4 AND $5
        AND status <> 'Canceled' GROUP BY 1),
  t AS (SELECT day, CAST(sum(page_views) AS BIGINT) AS views,
  CAST(sum(sessions) AS BIGINT) AS sessions, CAST(sum(buy_box_weighted) AS DOUBLE) AS weighted,
          CAST(sum(buy_box_views) AS BIGINT) AS known FROM traffic WHERE channel = $1
          AND day BETWEEN $2 AND $3 GROUP BY 1),
  a AS (SELECT day, CAST(sum(impressions) AS BIGINT) AS impressions,
  CAST(sum(clicks) AS BIGINT) AS clicks, CAST(sum(cost) AS DOUBLE) AS cost,
  CAST(sum(sales) AS DOUBLE) AS ad_sales
        FROM campaign_day WHERE channel = $1 AND day BETWEEN $2 AND $3 GROUP BY 1)
  SELECT day, line_items, units, sales, views, sessions, weighted, known, impressions, clicks, cost,
  ad_sales
  FROM o FULL JOIN t USING (day) FULL JOIN a USING (day)`;

const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'), {
  threads: '1',
  memory_limit: '256MB',
  access_mode: 'READ_ONLY',
});
type Lane = {
  connection: DuckDBConnection;
  rollup: DuckDBPreparedStatement;
  raw: DuckDBPreparedStatement;
};
const idle: Lane[] = [];
const waiting: ((lane: Lane) => void)[] = [];
for (let count = 0; count < 8; count++) {
  const connection = await instance.connect();
  idle.push({
    connection,
    rollup: await connection.prepare(rollupSql),
    raw: await connection.prepare(rawSql),
  });
}

async function ask(
  kind: 'rollup' | 'raw',
  { channelId, reportOptions }: Body,
): Promise<Map<number, DuckDBValue[]>> {
  const lane = idle.pop() ?? (await new Promise<Lane>((resolve) => waiting.push(resolve)));
  try {
    const { priorFromDate, toDate } = reportOptions;
    const values: DuckDBValue[] = [
      Number(channelId.slice(8)) + 1,
      new DuckDBDateValue(localDay(priorFromDate)),
      new DuckDBDateValue(localDay(toDate)),
    ];
    if (kind === 'raw') values.push(BigInt(priorFromDate), BigInt(toDate));
    const statement = lane[kind];
    statement.bind(values, [INTEGER, DATE, DATE, BIGINT, BIGINT].slice(0, values.length));
    const result = await statement.run();
    const days = new Map<number, DuckDBValue[]>();
    for (const row of await result.getRows()) days.set((row[0] as DuckDBDateValue).days, row);
    return days;
  } finally {
    const next = waiting.shift();
    if (next) next(lane);
    else idle.push(lane);
  }
}

const percent = (part: number, whole: number) =>
  whole > 0 ? ((part / whole) * 100).toFixed(1) : '-';
function figures(row: DuckDBValue[] | undefined): Record<string, string | number> {
  const values = row ? row.slice(1).map((value) => Number(value ?? 0)) : Array(11).fill(0);
  const [lines, units, sales, views, sessions, weighted, known, ...ofAds] = values;
  const [impressions, clicks, cost, adSales] = ofAds;
  return {
    unitsSold: units,
    lineItemCount: lines,
    pageViews: views,
    totalSessions: sessions,
    impressions,
    clicks,
    sales: sales.toFixed(2),
    avgLineItemValue: lines > 0 ? (sales / lines).toFixed(2) : '-',
    pageViewsConversions: percent(units, views),
    sessionConversions: percent(units, sessions),
    buyboxWinPercentage: known > 0 ? (weighted / known).toFixed(1) : '-',
    adSpend: cost.toFixed(2),
    adSales: adSales.toFixed(2),
    clickThroughRate: percent(clicks, impressions),
    acos: percent(cost, adSales),
    tacos: percent(cost, sales),
  };
}

function answer(
  days: Map<number, DuckDBValue[]>,
  { fromDate, toDate, priorFromDate }: Body['reportOptions'],
): object {
  const first = localDay(fromDate);
  const prior = localDay(priorFromDate);
  const formattedChartData: object[] = [];
  for (let index = 0; index <= localDay(toDate) - first; index++) {
    const date = new Date((first + index) * 86_400_000).toISOString().slice(0, 10);
    const row: Record<string, string | number> = {
      startTime: `${date}T00:00:00.000-07:00`,
      endTime: `${date}T23:59:59.000-07:00`,
      currency: 'USD',
      ...figures(days.get(first + index)),
    };
    const before = figures(days.get(prior + index));
    for (const name in before)
      row[`prior${name[0]!.toUpperCase()}${name.slice(1)}`] = before[name]!;
    formattedChartData.push(row);
  }
  return { status: 'success', currency: 'USD', formattedChartData };
}

let constant: object | undefined;
const server = Fastify();
for (const kind of ['constant', 'rollup', 'raw'] as const)
  server.post<{ Body: Body }>(`/${kind}`, async ({ body }) => {
    if (kind !== 'constant') return answer(await ask(kind, body), body.reportOptions);
    constant ??= answer(await ask('rollup', body), body.reportOptions);
    return constant;
  });
process.send!(await server.listen({ host: '127.0.0.1', port: 0 }));
